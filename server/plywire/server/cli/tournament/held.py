"""A tournament as its journal has it, without the moves of its games."""

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plywire.clients.play.matches.records import GameSummary
from plywire.server.arena.live.announcing import waiting
from plywire.server.arena.reports.game_texts import EventInfo
from plywire.server.arena.reports.tournament_report import Report
from plywire.server.arena.store.journal import Journal, JournalError, journal_of
from plywire.server.arena.store.journalled import JournalledTournament, JudgedGame
from plywire.server.arena.store.rating_list import Rated, RatingList, RatingsError, ratings_of
from plywire.server.arena.tournament.config import SERIES
from plywire.server.arena.tournament.pairings import PairingSchedule
from plywire.server.arena.tournament.plan import Plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

log = logging.getLogger(__name__)

JOURNAL_SUFFIX = ".journal"


@dataclass(frozen=True, slots=True)
class Held:
    """A tournament in a journal."""

    path: Path
    tournament: JournalledTournament
    # `repr` leaves out the long fields: `asyncio.run` calls it on its result, and that would be
    # slow.
    plan: Plan = field(repr=False)
    results: Sequence[GameSummary] = field(repr=False)
    """Results of the finished games, in the order of the schedule."""
    unfinished: Sequence[ScheduledGame] = field(repr=False)
    """Games of the known schedule that are not finished."""
    ratings: RatingList | None = None
    """Ratings for which the tournament counts when it is over."""

    @property
    def schedule(self) -> PairingSchedule:
        """The part of the schedule that is known."""
        results = {game.number: game for game in self.results}
        games = {game.number: game for game in self.unfinished} | results
        return self.plan.schedule(results, [games[number] for number in sorted(games)])

    @property
    def state(self) -> str:
        """A sentence about the progress of the tournament."""
        finished = len(self.results)
        known = finished + len(self.unfinished)
        total = self.plan.count(known, self.schedule)
        count = f"{finished} of {total} games played"
        return f"{count}; {self.tournament.outcome or 'not over yet'}."

    @property
    def event(self) -> EventInfo:
        return EventInfo(self.tournament.name, control=self.plan.config.time.control())

    def report(self) -> Report:
        """Collect the data of a report. If lasting ratings cannot be read, the report has none."""
        config = self.plan.config
        rated: Mapping[str, Sequence[Rated]] = {}
        if self.ratings is not None:
            try:
                rated = self.ratings.after(self.tournament.key)
            except RatingsError as error:
                log.warning("report without lasting ratings error=%s", error)
        return Report(
            title=config.name,
            games=self.results,
            players=list(config.players),
            facts=(
                ("Format", f"{config.format.system}, {config.format.games} games a pairing"),
                ("Games", ", ".join(f"{game.game} {game.kind().size}" for game in config.games)),
                ("Time", config.time.summary),
                ("Began", f"{self.tournament.created:%Y-%m-%d %H:%M} UTC"),
            ),
            summary=self.state,
            rated=rated,
            ranking=config.format.ranking,
            schedule=self.schedule,
        )

    async def games(self, most: int) -> AsyncIterator[list[JudgedGame]]:
        """Read the finished games with their moves, `most` at a time; raises JournalError."""
        async with Journal(self.path, exclusive=False) as journal:
            for place in range(0, len(self.results), most):
                numbers = [game.number for game in self.results[place : place + most]]
                found = await journal.records(self.tournament.id, numbers[0], numbers[-1])
                # Leave out games that ended after `results` was read.
                meant = set(numbers)
                yield [game for game in found if game[0].number in meant]


def journal_in(file: Path) -> Path:
    """Return the path of the journal that belongs to a tournament file or to an arena's folder.

    A path of a journal is returned unchanged. Raises JournalError for another folder.
    """
    if file.is_dir():
        journal = journal_of(file)
        if not journal.exists():
            raise JournalError(f"{file} is no folder of an arena: it has no file {journal.name}")
        return journal
    return file.with_suffix(JOURNAL_SUFFIX) if file.suffix == ".toml" else file


async def read_waiting(file: Path, name: str | None = None) -> str | None:
    """Say what an announced tournament waits for; None if it has begun.

    Without a name, this is the latest tournament. Raises JournalError if `file` leads to no
    journal.
    """
    async with Journal(journal_in(file), exclusive=False) as journal:
        return await _waiting(journal, name)


async def _waiting(journal: Journal, name: str | None) -> str | None:
    announced = [one for one in await journal.announcements.listed() if _is_meant(one.name, name)]
    return waiting(announced[-1]) if announced and announced[-1].tournament is None else None


def _is_meant(tournament: str, name: str | None) -> bool:
    return tournament != SERIES and (name is None or name.lower() == tournament.lower())


async def read(file: Path, name: str | None = None) -> Held:
    """Read the latest tournament, or the latest of a name, even while it runs.

    Raises JournalError if there is no such tournament, or if `file` leads to no journal.
    """
    path = journal_in(file)
    async with Journal(path, exclusive=False) as journal:
        return await read_from(journal, path, name)


async def read_from(journal: Journal, path: Path, name: str | None = None) -> Held:
    """Read a tournament from an open journal, as `read` does."""
    tournaments = [one for one in await journal.tournaments() if _is_meant(one.name, name)]
    if not tournaments:
        if open_ := await _waiting(journal, name):
            raise JournalError(open_)
        named = "" if name is None else f" {name}"
        raise JournalError(
            f"{path} holds no tournament{named}: begin one by `plywire tournament run`"
        )
    tournament = tournaments[-1]
    plan = Plan.model_validate_json(tournament.config)
    ratings = plan.config.ratings
    if plan.config.is_live:
        ratings = ratings or ratings_of(path.parent)
    # Read the unfinished games first. If a game ends between the two reads, it is then in both
    # lists, not in none.
    unfinished = [game.scheduled for game in await journal.unfinished(tournament.id)]
    results = await journal.results(tournament.id)
    finished = {game.number for game in results}
    return Held(
        path,
        tournament,
        plan,
        results,
        [game for game in unfinished if game.number not in finished],
        None if ratings is None else RatingList(ratings),
    )
