"""What a journal holds of a tournament, without the moves of its games."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plywire.clients.matches.records import GameResult
from plywire.server.arena.reports.exports import EventInfo
from plywire.server.arena.reports.tournament_report import Report
from plywire.server.arena.store.journal import (
    SERIES,
    Announcement,
    Journal,
    JournalError,
    JournalledTournament,
    JudgedGame,
)
from plywire.server.arena.store.rating_list import RatingList, ratings_of
from plywire.server.arena.tournament.config import TournamentConfig
from plywire.server.arena.tournament.pairings import Schedule
from plywire.server.arena.tournament.plan import Plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame


@dataclass(frozen=True, slots=True)
class Held:
    """What a journal holds of its tournament."""

    path: Path
    """Of the journal."""
    tournament: JournalledTournament
    # `asyncio.run` makes text of what it returns (in Python's `signal.signal`, and for nothing).
    plan: Plan = field(repr=False)
    results: Sequence[GameResult] = field(repr=False)
    """Of the finished games, in the order of the schedule."""
    unfinished: Sequence[ScheduledGame] = field(repr=False)
    """The other games that are on the schedule so far."""
    ratings: RatingList | None = None
    """What the tournament counts for when it is over."""

    @property
    def schedule(self) -> Schedule:
        """Who meets whom, as far as that is known."""
        results = {game.number: game for game in self.results}
        games = {game.number: game for game in self.unfinished} | results
        return self.plan.schedule(results, [games[number] for number in sorted(games)])

    @property
    def state(self) -> str:
        """How far the tournament is, in a sentence."""
        finished = len(self.results)
        count = f"{finished} of {finished + len(self.unfinished)} games played"
        return f"{count}; {self.tournament.outcome or 'not over yet'}."

    @property
    def event(self) -> EventInfo:
        """What exports tell beside the games."""
        return EventInfo(self.tournament.name, control=self.plan.config.time.control())

    def report(self) -> Report:
        """What the report is made from; raises RatingsError."""
        config = self.plan.config
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
            rated={} if self.ratings is None else self.ratings.after(self.tournament.key),
            ranking=config.format.ranking,
            schedule=self.schedule,
        )

    async def games(self, most: int) -> AsyncIterator[list[JudgedGame]]:
        """The finished games with their moves, that many at a time; raises JournalError."""
        async with Journal(self.path, exclusive=False) as journal:
            for place in range(0, len(self.results), most):
                numbers = [game.number for game in self.results[place : place + most]]
                found = await journal.records(self.tournament.id, numbers[0], numbers[-1])
                # Others may have been finished since.
                meant = set(numbers)
                yield [game for game in found if game[0].number in meant]


async def read(path: Path, name: str | None = None) -> Held:
    """What a journal holds of its latest tournament, or of the latest of that name.

    Also while the tournament runs. Raises JournalError if there is none.
    """
    async with Journal(path, exclusive=False) as journal:
        return await read_from(journal, path, name)


async def read_from(journal: Journal, path: Path, name: str | None = None) -> Held:
    """The same, of a journal that is open."""

    def is_meant(other: str) -> bool:
        return other != SERIES and (name is None or name.lower() == other.lower())

    tournaments = [one for one in await journal.tournaments() if is_meant(one.name)]
    if not tournaments:
        waiting = [one for one in await journal.announcements() if is_meant(one.name)]
        if waiting:
            raise JournalError(f"{waiting[-1].name} has not begun yet: {_missing(waiting[-1])}")
        named = "" if name is None else f" {name}"
        raise JournalError(
            f"{path} holds no tournament{named}: begin one by `plywire tournament run`"
        )
    tournament = tournaments[-1]
    plan = Plan.model_validate_json(tournament.config)
    ratings = plan.config.ratings
    if plan.config.is_live:
        ratings = ratings or ratings_of(path.parent)
    # In this order, for a game may end between them.
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


def _missing(announcement: Announcement) -> str:
    """What an announced tournament still waits for."""
    seats = TournamentConfig.model_validate_json(announcement.config).seats
    match seats - len(announcement.entrants):
        case 0:
            return "all seats are taken"
        case 1:
            return "one more bot may join"
        case free:
            return f"{free} more bots may join"
