"""A tournament as a command runs it: one journal, one tournament, one terminal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from plywire.clients.matches.records import GameRecord
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.feed.standings_publisher import StandingsPublisher, StatusPublisher
from plywire.server.arena.job_workers import Workers, cluster, processes
from plywire.server.arena.reports.exports import EventInfo
from plywire.server.arena.reports.tournament_report import Report
from plywire.server.arena.runners.game_runner import GameRunner
from plywire.server.arena.runners.local_runner import LocalRunner
from plywire.server.arena.runners.tournament_runner import TournamentRunner
from plywire.server.arena.runners.worker_runner import WorkerRunner
from plywire.server.arena.store.journal import (
    SERIES,
    Announcement,
    Journal,
    JournalError,
    JournalledGame,
    JournalledTournament,
)
from plywire.server.arena.store.rating_list import RatingList, ratings_of
from plywire.server.arena.tournament.config import ConfigError, TournamentConfig
from plywire.server.arena.tournament.pairings import Schedule
from plywire.server.arena.tournament.plan import Plan, make_plan
from plywire.server.arena.tournament.watcher import Watcher

from .display import Display, standings_table


@dataclass(frozen=True, slots=True)
class Options:
    """How to run a tournament; nothing of this changes its schedule."""

    console: Console
    cluster: str | None = None
    """Address of the Dask scheduler whose workers play, None to play on this machine."""
    processes: int | None = None
    """How many other processes play, None to play in this one."""
    concurrency: int | None = None
    """Games at the same time, None for as many as the plan says."""
    verbose: bool = False
    """Whether to print a line when a game begins and ends."""
    mqtt: str | None = None
    """URL of a broker on which to publish games and standings, None for nowhere."""

    def workers(self) -> Workers:
        """Those who judge games, and may play them."""
        return Workers(cluster(self.cluster) if self.cluster else processes(self.processes))

    def runner(self, workers: Workers, concurrency: int) -> GameRunner:
        """Where the games are played, so many at a time."""
        here = self.cluster is None and self.processes is None
        return LocalRunner() if here else WorkerRunner(workers, concurrency)

    @asynccontextmanager
    async def published(self) -> AsyncIterator[Feed | None]:
        """What is published on the broker, if there is one; raises OSError if it is not there."""
        if self.mqtt is None:
            yield None
            return
        # Not all need it, and it takes time to import.
        from plywire.server.mqtt.publish_feed import publish_feed

        feed = Feed()
        async with publish_feed(self.mqtt, feed):
            yield feed


@dataclass(frozen=True, slots=True)
class Held:
    """What a journal holds of its tournament."""

    tournament: JournalledTournament
    plan: Plan
    games: list[JournalledGame]
    ratings: RatingList | None = None
    """What the tournament counts for when it is over."""

    @property
    def records(self) -> list[GameRecord]:
        """The finished games, in the order of the schedule."""
        return [game.record for game in self.games if game.record is not None]

    @property
    def schedule(self) -> Schedule:
        """Who meets whom, as far as that is known."""
        games = [game.scheduled for game in self.games]
        return self.plan.schedule({record.number: record for record in self.records}, games)

    @property
    def state(self) -> str:
        """How far the tournament is, in a sentence."""
        count = f"{len(self.records)} of {len(self.games)} games played"
        return f"{count}; {self.tournament.outcome or 'not over yet'}."

    @property
    def rate(self) -> Callable[[Sequence[GameRecord]], object] | None:
        """Counts the games of the tournament on its list of ratings, None if it has none."""
        if self.ratings is None:
            return None
        return partial(self.ratings.rate, self.tournament.key, self.tournament.name)

    @property
    def event(self) -> EventInfo:
        """What exports tell beside the games."""
        return EventInfo(self.tournament.name, limits=self.plan.config.time.control().limits)

    def report(self) -> Report:
        """What the report is made from; raises RatingsError."""
        config = self.plan.config
        return Report(
            title=config.name,
            records=self.records,
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
            accuracies={
                game.scheduled.number: game.accuracy
                for game in self.games
                if game.accuracy is not None
            },
        )


async def begin(path: Path, config: TournamentConfig, options: Options) -> None:
    """Run a tournament that no journal knows yet.

    Raises JournalError if the journal holds one already, and what `resume` raises.
    """
    async with (
        Journal(path, create=True) as journal,
        options.workers() as workers,
        options.published() as feed,
    ):
        if await journal.tournaments():
            raise JournalError(
                f"{path} holds a tournament already: go on with it by"
                f" `plywire tournament resume {path}`, or choose another file with --journal"
            )
        if config.is_live:
            raise ConfigError(
                "seats, starts and remote players are for a tournament in an arena:"
                " open it there by `plywire tournament open`"
            )
        with options.console.status("Finding openings"):
            plan = await make_plan(config, workers)
        await journal.create(config.name, plan.model_dump_json())
        await _run(journal, await _held(journal, path), workers, feed, options)


async def resume(path: Path, options: Options) -> None:
    """Go on with the tournament in a journal.

    Raises JournalError, RunnerError, WorkersError or RatingsError, and OSError if there is no
    broker; then what was played so far is in the journal.
    """
    async with (
        Journal(path) as journal,
        options.workers() as workers,
        options.published() as feed,
    ):
        held = await _held(journal, path)
        if held.plan.config.is_live:
            raise JournalError(f"{path} is an arena's: `plywire serve` goes on with its games")
        if held.tournament.ended is None:
            await _run(journal, held, workers, feed, options)
        else:
            options.console.print(f"The tournament is over: {held.tournament.outcome}")


async def read(path: Path, name: str | None = None) -> Held:
    """What a journal holds of its latest tournament, or of the latest of that name.

    Also while the tournament runs. Raises JournalError if there is none.
    """
    async with Journal(path, exclusive=False) as journal:
        return await _held(journal, path, name)


async def _held(journal: Journal, path: Path, name: str | None = None) -> Held:
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
    return Held(
        tournament,
        plan,
        await journal.games(tournament.id),
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


async def _run(
    journal: Journal, held: Held, workers: Workers, feed: Feed | None, options: Options
) -> None:
    console = options.console
    async with AsyncExitStack() as stack:
        concurrency = options.concurrency or held.plan.config.concurrency
        runner = options.runner(workers, concurrency)
        stack.push_async_callback(runner.close)
        display = Display(console, held.plan, held.games, every=options.verbose)
        watchers: list[Watcher] = [stack.enter_context(display)]
        if feed is not None:
            named = str(held.tournament.id)
            standings = StandingsPublisher(feed, named, held.plan, held.records, len(held.games))
            stack.push_async_callback(standings.close)
            watchers += [standings, StatusPublisher(feed)]
        tournament = TournamentRunner(
            journal,
            held.tournament.id,
            held.plan,
            runner=runner,
            workers=workers,
            watchers=watchers,
            feed=feed,
            concurrency=concurrency,
            rate=held.rate,
        )
        outcome = await tournament.run()
    console.print(standings_table(held.plan, display.records, display.schedule))
    console.print(f"{len(display.records)} games: {outcome}.", markup=False, highlight=False)
