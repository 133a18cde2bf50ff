"""Games in jobs, and tournaments played by workers that die."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.server.arena.job_workers import Workers, WorkersError, cluster, processes
from plywire.server.arena.runners.game_runner import GameJob
from plywire.server.arena.runners.tournament_runner import TournamentRunner
from plywire.server.arena.runners.worker_runner import WorkerRunner
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.tournament.config import parse_config
from plywire.server.arena.tournament.plan import make_plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from tests.server.arena.runners.jobs import double, fail

pytestmark = [
    pytest.mark.usefixtures("dask_sockets"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

HERE = Path(__file__).parent
ENGINE = HERE.parents[3] / "examples" / "ugi_engine.py"

CUP = """
name = "Cup"
accuracy = false
concurrency = 4
[format]
system = "round-robin"
games = 4
[time]
depth = 1
[[games]]
game = "connect4"
openings = "random"
[players]
Assassin = "ugi:{program}"
Greed = "greedy"
Chance = "random"
"""


@contextmanager
def two_processes() -> Iterator[Callable[[], Executor]]:
    yield processes(2)


@contextmanager
def dask() -> Iterator[Callable[[], Executor]]:
    """A scheduler and two worker processes."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as running:
        yield cluster(running.scheduler_address)


@pytest.mark.parametrize("workers", [two_processes, dask])
async def test_a_worker_that_dies_loses_no_game(
    tmp_path: Path, workers: Callable[[], contextmanager[Callable[[], Executor]]]
) -> None:
    marker = tmp_path / "killed"
    program = f"{sys.executable} {HERE / 'assassin.py'} {marker} {ENGINE}"
    with workers() as open_executor:
        async with Journal(tmp_path / "j", create=True) as journal, Workers(open_executor) as team:
            plan = await make_plan(parse_config(CUP.format(program=program)), team)
            cup = await journal.create("Cup", plan.model_dump_json())
            tournament = TournamentRunner(
                journal, cup, plan, runner=WorkerRunner(team), workers=team, watchers=()
            )
            assert await tournament.run() == "all games are played"
            games = await journal.games(cup)
    assert marker.exists()
    assert len(games) == 12
    for game in games:
        assert game.record is not None
        assert game.record.termination is Termination.NORMAL
        assert game.record.players == game.scheduled.players


async def test_a_cluster_gives_results_errors_and_up(tmp_path: Path) -> None:
    with dask() as open_executor:
        async with Workers(open_executor) as team:
            assert await team.run(double, 4) == 8
            assert await team.run(double, 4) == 8
            with pytest.raises(LookupError, match="nothing there"):
                await team.run(fail, "nothing there")


class Slow(Workers):
    """Says that games take so many seconds, and plays none; holds jobs back while it is told to."""

    def __init__(self, seconds: float) -> None:
        super().__init__(processes(1))
        self.jobs: list[list[int]] = []
        self.go_on = asyncio.Event()
        self._seconds = seconds

    async def run(self, job: object, games: list[GameJob]) -> Any:  # type: ignore[override]
        self.jobs.append([game.scheduled.number for game in games])
        await self.go_on.wait()
        records = [
            game.scheduled.ended(
                (), winner=1, termination=Termination.NORMAL, reason="so it was said"
            )
            for game in games
        ]
        return records, self._seconds * len(games)


async def handed_out(workers: Slow, games: int) -> int:
    """How many games have begun before any has ended, when many have been played before."""
    runner = WorkerRunner(workers, concurrency=2)
    begun: list[asyncio.Task[GameRecord]] = []

    async def on_move(line: GameLine, ms: int) -> None:
        pass

    async def on_end(record: GameRecord) -> GameRecord:
        return record

    async def begin(number: int) -> None:
        scheduled = ScheduledGame(
            number, 1, "tictactoe", "3x3", ("A", "B"), load("tictactoe").start().fen(), ()
        )
        await runner.next([scheduled])
        job = GameJob(scheduled, ("greedy", "greedy"), TimeControl(), None)
        begun.append(asyncio.create_task(runner.play(job, on_move, on_end)))

    workers.go_on.set()
    for number in range(games):
        await begin(number)
    await asyncio.gather(*begun)
    assert sorted(number for job in workers.jobs for number in job) == list(range(games))
    workers.go_on.clear()
    begun.clear()

    async def begin_more() -> None:
        while True:
            await begin(games + len(begun))

    beginning = asyncio.create_task(begin_more())
    for _ in range(2000):
        await asyncio.sleep(0)
    waiting = len(begun)
    beginning.cancel()
    workers.go_on.set()
    await asyncio.gather(*begun)
    await runner.close()
    return waiting


async def test_short_games_share_a_job() -> None:
    workers = Slow(0.002)
    assert await handed_out(workers, 2000) > 100
    assert len(workers.jobs) < 200
    assert max(map(len, workers.jobs)) > 50


async def test_a_long_game_is_a_job_and_none_waits_that_could_not_be_played() -> None:
    workers = Slow(3.0)
    assert await handed_out(workers, 100) == 2
    assert max(map(len, workers.jobs)) == 1


async def test_what_fails_in_a_job_fails_its_games() -> None:
    class Broken(Slow):
        async def run(self, job: object, games: list[GameJob]) -> Any:  # type: ignore[override]
            raise WorkersError("there are none")

    with pytest.raises(WorkersError, match="there are none"):
        await handed_out(Broken(0.002), 1)
