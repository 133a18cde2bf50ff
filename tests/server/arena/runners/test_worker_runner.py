"""Tournaments played by workers that die."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import LocalCluster

from plywire.clients.errors import Termination
from plywire.server.arena.job_workers import Workers, cluster, processes
from plywire.server.arena.runners.tournament_runner import TournamentRunner
from plywire.server.arena.runners.worker_runner import WorkerRunner
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.tournament.config import parse_config
from plywire.server.arena.tournament.plan import make_plan
from tests.server.arena.runners.jobs import double, fail

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
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
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
