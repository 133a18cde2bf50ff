"""The time of tournaments besides thinking: games at 10 ms a move, two at a time.

    python benchmarks/throughput.py

Each round plays a tournament between two engines, with its journal, and then has engines think
about the same positions for as long, with nothing around them. Aim: the tournament takes at most
3 % longer. Both are done in each round, since the machine may be busy with other things.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.readiness import prepare
from plywire.engine.registry import load
from plywire.server.arena.job_workers import Workers, processes
from plywire.server.arena.runners.local_runner import LocalRunner
from plywire.server.arena.runners.tournament_runner import TournamentRunner
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.tournament.config import GameSection, TimeSection, TournamentConfig
from plywire.server.arena.tournament.pairings import RoundRobin
from plywire.server.arena.tournament.plan import make_plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.arena.tournament.watcher import Watcher
from plywire.server.cli.common import screen, table


class _Stopwatch(Watcher):
    """Measures the time from the start of the first game to the end of the last, in s."""

    def __init__(self) -> None:
        self.records: list[GameRecord] = []
        self.begin = 0.0
        self.end = 0.0

    def started(self, game: ScheduledGame, resumed: bool) -> None:
        self.begin = self.begin or time.perf_counter()

    def finished(self, record: GameRecord) -> None:
        self.records.append(record)
        self.end = time.perf_counter()


async def _tournament(game: str, games: int, movetime: int, concurrency: int) -> _Stopwatch:
    config = TournamentConfig(
        name="throughput",
        format=RoundRobin(games=games),
        games=(GameSection(game=game, openings="random", plies=8),),
        players={"A": "engine", "B": "engine"},
        time=TimeSection(movetime=movetime, margin=10_000),
        concurrency=concurrency,
        accuracy=False,
    )
    watch = _Stopwatch()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Journal(Path(folder) / "games.sqlite", create=True) as journal,
            Workers(processes(1)) as workers,
        ):
            plan = await make_plan(config, workers)
            identifier = await journal.create(config.name, plan.model_dump_json())
            runner = LocalRunner()
            await TournamentRunner(
                journal, identifier, plan, runner=runner, workers=workers, watchers=(watch,)
            ).run()
            await runner.close()
    return watch


def _think(records: Sequence[GameRecord], movetime: int, threads: int) -> float:
    """Return the time that engines alone take for the moves of these games, in s."""
    limits = SearchLimits(movetime=movetime)
    games = iter(records)

    def think() -> None:
        engines = LocalEngine(), LocalEngine()
        for record in games:
            rules = load(record.game, record.size)
            line = GameLine.at(rules.parse(record.fen)).play_names(record.moves[: record.opening])
            for engine in engines:
                engine.clear()
            for name in record.moves[record.opening :]:
                engines[line.position.turn].analyse(line.position, limits)
                line = line.play_names([name])

    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(think) for _ in range(threads)]:
            done.result()
    return time.perf_counter() - began


def main(
    game: Annotated[str, typer.Option(help="The game; Othello is searched longest.")] = "othello",
    games: Annotated[int, typer.Option(help="Games a round.", min=2)] = 40,
    rounds: Annotated[int, typer.Option(help="Rounds.", min=1)] = 5,
    movetime: Annotated[int, typer.Option(help="Time for a move, in ms.", min=1)] = 10,
    concurrency: Annotated[int, typer.Option(help="Games at a time.", min=1)] = 2,
) -> None:
    """Measure games an hour, next to the pure thinking time."""
    prepare(load(game))
    headings = ("moves", "games an hour", "tournament s", "thinking s", "ratio", "load average")
    title = f"{game}, {movetime} ms a move, {concurrency} games at a time"
    figures = table(*headings, title=title)
    ratios = []
    for _ in range(rounds):
        watch = asyncio.run(_tournament(game, games, movetime, concurrency))
        took = watch.end - watch.begin
        thinking = _think(watch.records, movetime, concurrency)
        ratios.append(took / thinking)
        figures.add_row(
            str(sum(len(record.moves) - record.opening for record in watch.records)),
            f"{games / took * 3600:,.0f}",
            f"{took:.2f}",
            f"{thinking:.2f}",
            f"{took / thinking:.3f}",
            f"{os.getloadavg()[0]:.1f}",
        )
    figures.caption = f"median ratio {median(ratios):.3f}"
    screen().print(figures)


if __name__ == "__main__":
    typer.run(main)
