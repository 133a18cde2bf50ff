"""Run a tournament in a terminal."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from plywire.clients.connecting.transports.mqtt_url import MqttUrl
from plywire.clients.play.matches.outcomes import failures
from plywire.clients.terminal.report import print_failures
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.feed.standings_publisher import StandingsPublisher, StatusPublisher
from plywire.server.arena.job_workers import Workers, cluster, processes
from plywire.server.arena.runners.game_runner import GameRunner
from plywire.server.arena.runners.local_runner import LocalRunner
from plywire.server.arena.runners.tournament_runner import TournamentRunner
from plywire.server.arena.runners.worker_runner import WorkerRunner
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.store.rating_list import BadRatingsError, RatingList
from plywire.server.arena.tournament.config import ConfigError, TournamentConfig
from plywire.server.arena.tournament.plan import make_plan
from plywire.server.arena.tournament.watcher import Watcher
from plywire.server.cli.common import refusing

from .display import Display, standings_table
from .held import Held, read_from


def _broker(url: str | None) -> str | None:
    with refusing(ValueError):
        if url is not None and MqttUrl.parse(url).name is not None:
            raise ValueError("the URL must name no bot: write mqtt://HOST/ARENA")
    return url


@dataclass(frozen=True, slots=True)
class Options:
    """How to run a tournament. No option changes the schedule."""

    cluster: Annotated[
        str | None,
        typer.Option(
            help="Dask cluster for the games, such as `tcp://scheduler:8786`.", metavar="URL"
        ),
    ] = None
    processes: Annotated[
        int | None, typer.Option(min=1, help="Number of other processes that play the games.")
    ] = None
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Games at the same time; by default as FILE says.")
    ] = None
    mqtt: Annotated[
        str | None,
        typer.Option(
            help="Broker for the feed: `mqtt://[USER:PASSWORD@]HOST[:PORT][/ARENA]`.",
            metavar="URL",
            envvar="PLYWIRE_TOURNAMENT_MQTT",
            callback=_broker,
        ),
    ] = None
    verbose: Annotated[bool, typer.Option(help="Print a line when a game begins and ends.")] = False

    def __post_init__(self) -> None:
        if self.cluster is not None and self.processes is not None:
            raise typer.BadParameter("--cluster excludes --processes: give one of them")

    def workers(self) -> Workers:
        """Return the workers that judge games, and play them if they are remote."""
        return Workers(cluster(self.cluster) if self.cluster else processes(self.processes))

    def runner(self, workers: Workers, concurrency: int) -> GameRunner:
        here = self.cluster is None and self.processes is None
        return LocalRunner() if here else WorkerRunner(workers, concurrency)

    @asynccontextmanager
    async def published(self) -> AsyncIterator[Feed | None]:
        """Publish a feed on the broker, if one is named; raises OSError if it does not answer."""
        if self.mqtt is None:
            yield None
            return
        # Only this option needs the module, which is slow to import.
        from plywire.server.mqtt.publish_feed import publish_feed

        feed = Feed()
        async with publish_feed(self.mqtt, feed):
            yield feed


async def begin(path: Path, config: TournamentConfig, options: Options, console: Console) -> None:
    """Run a tournament from its start.

    Raises JournalError if the journal has a tournament already, RatingsError if the file of ratings
    cannot be used, and the errors of `resume`.
    """
    if config.ratings is not None:
        await asyncio.to_thread(RatingList(config.ratings).check)
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
        with console.status("Finding openings"):
            plan = await make_plan(config, workers)
        await journal.create(config.name, plan.model_dump_json())
        await _run(journal, await read_from(journal, path), workers, feed, options, console)


async def resume(path: Path, options: Options, console: Console) -> None:
    """Go on with the tournament in a journal. If it is over and not rated yet, rate it.

    Raises JournalError, RunnerError, WorkersError or RatingsError, and OSError if the broker does
    not answer. The journal then has all games that were played.
    """
    async with (
        Journal(path) as journal,
        options.workers() as workers,
        options.published() as feed,
    ):
        found = await read_from(journal, path)
        if found.plan.config.is_live and found.tournament.ended is None:
            raise JournalError(f"{path} is an arena's: `plywire serve` goes on with its games")
        if found.tournament.ended is None:
            await _run(journal, found, workers, feed, options, console)
        else:
            console.print(f"The tournament is over: {found.tournament.outcome}")
            await _rate_later(journal, found, console)


async def _rate_later(journal: Journal, held: Held, console: Console) -> None:
    """Rate a tournament whose file of ratings could not be used when it ended."""
    if held.ratings is None:
        return
    games = await journal.games(held.tournament.id)
    records = [game.record for game in games if game.record is not None]
    tournament = held.tournament
    if await asyncio.to_thread(held.ratings.rate, tournament.key, tournament.name, records):
        console.print("Its games now count for the ratings.")


async def _run(
    journal: Journal,
    held: Held,
    workers: Workers,
    feed: Feed | None,
    options: Options,
    console: Console,
) -> None:
    games = await journal.games(held.tournament.id)
    records = [game.record for game in games if game.record is not None]
    async with AsyncExitStack() as stack:
        concurrency = options.concurrency or held.plan.config.concurrency
        runner = options.runner(workers, concurrency)
        stack.push_async_callback(runner.close)
        display = Display(console, held.plan, games, every=options.verbose)
        watchers: list[Watcher] = [stack.enter_context(display)]
        if feed is not None:
            named = str(held.tournament.id)
            standings = StandingsPublisher(feed, named, held.plan, records, len(games))
            stack.push_async_callback(standings.close)
            watchers += [standings, StatusPublisher(feed)]
        rate = None
        if held.ratings is not None:
            rate = partial(held.ratings.rate, held.tournament.key, held.tournament.name)
        tournament = TournamentRunner(
            journal,
            held.tournament.id,
            held.plan,
            runner=runner,
            workers=workers,
            watchers=watchers,
            feed=feed,
            concurrency=concurrency,
            rate=rate,
        )
        outcome = await tournament.run()
    console.print(standings_table(held.plan, display.records, display.schedule))
    print_failures(console, failures(display.records))
    console.print(f"{len(display.records)} games: {outcome}.", markup=False, highlight=False)
    if tournament.not_rated is not None:
        raise BadRatingsError(
            f"The tournament is over, but not rated: {tournament.not_rated}. Mend that file or move"
            f" it away, then rate the games by `plywire tournament resume {held.path}`"
        )
