"""Jobs for processes on one or many machines; jobs of a dead worker are run again.

A job is a plain function with plain arguments that any worker can import. A second run of the same
job must do no harm.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from functools import partial
from typing import Any, ParamSpec, Self, TypeVar

from plywire.engine.workers import workers

P = ParamSpec("P")
T = TypeVar("T")

#: If this number of workers died during the same job, the job is blamed and fails.
_ATTEMPTS = 3
#: Seconds to wait until a lost scheduler is back.
_PATIENCE = 300.0
_PAUSE = 1.0


log = logging.getLogger(__name__)


class WorkersError(Exception):
    """No workers can be reached, or a job kills every process that runs it."""


class Workers:
    """Runs jobs in an executor; an asynchronous context manager."""

    def __init__(self, open_executor: Callable[[], Executor]) -> None:
        """Run jobs in the executor that `open_executor` returns; reopen it when it breaks."""
        self._open_executor = open_executor
        self._executor: Executor | None = None
        self._replacing = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self._executor = await asyncio.to_thread(self._open_executor)
        return self

    async def __aexit__(self, *_: object) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            await asyncio.to_thread(executor.shutdown, wait=True, cancel_futures=True)

    async def run(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of a job; cancelling withdraws a job that has not begun.

        Raises the job's own errors, and WorkersError if no worker survives the job.
        """
        deaths = 0
        while deaths < _ATTEMPTS:
            executor = self._executor
            if executor is None:
                raise WorkersError("the workers are not open")
            try:
                future = executor.submit(job, *args, **kwargs)
                return await _result(future)
            except BrokenExecutor:
                deaths += 1
                await self._replace(executor)
            except CancelledError:  # Losing the scheduler cancels all jobs.
                await self._replace(executor)
            except Exception as error:
                # Dask has already tried other workers. Comparing the name avoids an import of
                # `distributed`.
                if type(error).__name__ != "KilledWorker":
                    raise
                break
        raise WorkersError("several workers died while they did the same job")

    async def _replace(self, broken: Executor) -> None:
        async with self._replacing:
            if self._executor is broken:
                self._executor = await self._reopen()
                await asyncio.to_thread(broken.shutdown, wait=False, cancel_futures=True)

    async def _reopen(self) -> Executor:
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                return await asyncio.to_thread(self._open_executor)
            except WorkersError as error:
                if time.monotonic() >= end:
                    raise
                log.warning("workers=lost error=%s: trying again", error)
                await asyncio.sleep(_PAUSE)


async def _result(future: Future[T]) -> T:
    """Return a future's result; raises futures' CancelledError if another caller cancelled it."""
    waiter = asyncio.wrap_future(future)
    try:
        return await waiter
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise CancelledError from None


def processes(count: int | None = None) -> Callable[[], Executor]:
    """Return a function that opens executors of `count` processes, by default one per core."""

    return partial(workers, count)


def cluster(address: str, *, timeout: float = 10.0) -> Callable[[], Executor]:
    """Return a function that opens executors on the Dask scheduler at `tcp://host:port`.

    `timeout` is in seconds. Opening raises WorkersError.
    """

    def open_executor() -> Executor:
        try:
            from distributed import Client
        except ImportError:
            raise WorkersError("--cluster needs Dask: pip install 'plywire[cluster]'") from None
        try:
            return _ClusterExecutor(Client(address, timeout=timeout, set_as_default=False))
        except (OSError, ValueError) as error:
            raise WorkersError(f"no Dask scheduler at {address}: {error}") from None

    return open_executor


class _ClusterExecutor(Executor):
    """A Dask client as an executor; Dask gives the jobs of a dead worker to other workers."""

    def __init__(self, client: Any) -> None:
        self._client = client
        # With `pure`, Dask would run equal jobs only once, but two equal jobs are two games.
        self._jobs = client.get_executor(pure=False)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = self._jobs.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._jobs.shutdown(wait=wait and not cancel_futures)
        self._client.close()
