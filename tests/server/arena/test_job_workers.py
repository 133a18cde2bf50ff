"""Workers in other processes: results, errors, and deaths that lose no job."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from plywire.server.arena.job_workers import Workers, WorkersError, cluster, processes
from tests.server.arena.runners.jobs import die, die_once, double, fail

pytestmark = [
    pytest.mark.usefixtures("dask_sockets"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


async def test_processes_give_results_and_raise_what_jobs_raise() -> None:
    async with Workers(processes(2)) as workers:
        results = await asyncio.gather(*(workers.run(double, number) for number in range(10)))
        assert results == [2 * number for number in range(10)]
        with pytest.raises(LookupError, match="nothing there"):
            await workers.run(fail, "nothing there")


async def test_a_process_that_dies_loses_no_job(tmp_path: Path) -> None:
    async with Workers(processes(2)) as workers:
        jobs = [workers.run(double, number) for number in range(20)]
        jobs.insert(3, workers.run(die_once, tmp_path / "died", 100))
        results = await asyncio.gather(*jobs)
    assert results.pop(3) == 200
    assert results == [2 * number for number in range(20)]


async def test_a_job_that_kills_whoever_does_it_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plywire.server.arena.job_workers._ATTEMPTS", 2)
    async with Workers(processes(1)) as workers:
        with pytest.raises(WorkersError, match="several workers died"):
            await workers.run(die)
        assert await workers.run(double, 4) == 8


async def test_closed_workers_say_so() -> None:
    with pytest.raises(WorkersError, match="not open"):
        await Workers(processes(1)).run(double, 1)


async def test_a_scheduler_that_is_not_there_is_named() -> None:
    with pytest.raises(WorkersError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9"):
        async with Workers(cluster("tcp://127.0.0.1:9", timeout=0.5)):
            pass


class Lost(Executor):
    """What is submitted is lost with the scheduler."""

    def submit(self, fn: object, /, *args: object, **kwargs: object) -> Future[Any]:  # type: ignore[override]
        future: Future[Any] = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


def returning(after: int) -> Callable[[], Executor]:
    """Opens an executor that is lost, as often nothing, and then threads."""
    opened = 0

    def open_executor() -> Executor:
        nonlocal opened
        opened += 1
        if opened == 1:
            return Lost()
        if opened <= 1 + after:
            raise WorkersError("no scheduler")
        return ThreadPoolExecutor(1)

    return open_executor


async def test_a_scheduler_that_comes_back_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywire.server.arena.job_workers._PAUSE", 0)
    async with Workers(returning(after=5)) as workers:
        results = await asyncio.gather(*(workers.run(double, number) for number in range(10)))
    assert results == [2 * number for number in range(10)]


async def test_patience_with_a_lost_scheduler_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywire.server.arena.job_workers._PAUSE", 0)
    monkeypatch.setattr("plywire.server.arena.job_workers._PATIENCE", 0.05)
    async with Workers(returning(after=10**9)) as workers:
        with pytest.raises(WorkersError, match="no scheduler"):
            await workers.run(double, 1)
