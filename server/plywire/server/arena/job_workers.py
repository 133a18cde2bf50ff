"""Work for other processes, on this machine or on many; a worker that dies loses none of it.

Jobs are plain functions with plain arguments that any worker can import, and doing one twice must
do no harm: a job whose worker died is submitted again.
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

#: How often a job is tried before it counts as the cause of its workers' deaths.
ATTEMPTS = 3
#: How long a scheduler that was lost may take to come back, in seconds.
PATIENCE = 300.0
_PAUSE = 1.0


log = logging.getLogger(__name__)


class WorkersError(Exception):
    """There are no workers to be had, or a job ends whatever process it runs in."""


class Workers:
    """Runs jobs in an executor; an asynchronous context manager."""

    def __init__(
        self,
        open_executor: Callable[[], Executor],
        *,
        attempts: int = ATTEMPTS,
        patience: float = PATIENCE,
    ) -> None:
        """Work in what `open_executor` returns; it is called again when an executor broke.

        Then it may fail for so many seconds before that counts.
        """
        self._open_executor = open_executor
        self._attempts = attempts
        self._patience = patience
        self._executor: Executor | None = None
        self._replacing = asyncio.Lock()

    async def __aenter__(self) -> Self:
        """Open the executor; raises WorkersError if there is none."""
        self._executor = await asyncio.to_thread(self._open_executor)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Drop jobs that have not begun, and let go of the workers."""
        executor, self._executor = self._executor, None
        if executor is not None:
            await asyncio.to_thread(executor.shutdown, wait=True, cancel_futures=True)

    async def run(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a job; raises what the job raises, WorkersError if no worker survives it.

        Cancelling withdraws the job if it has not begun.
        """
        deaths = 0
        while deaths < self._attempts:
            executor = self._executor
            if executor is None:
                raise WorkersError("the workers are not open")
            try:
                future = executor.submit(job, *args, **kwargs)
                return await _result(future)
            except BrokenExecutor:
                deaths += 1
                await self._replace(executor)
            except CancelledError:  # with the scheduler, and by no fault of the job
                await self._replace(executor)
            except Exception as error:
                # Named so that distributed need not be there: it has tried other workers in vain.
                if type(error).__name__ != "KilledWorker":
                    raise
                break
        raise WorkersError("several workers died while they did the same job")

    async def _replace(self, broken: Executor) -> None:
        """Open a new executor, unless another job has already done so."""
        async with self._replacing:
            if self._executor is broken:
                self._executor = await self._reopen()
                await asyncio.to_thread(broken.shutdown, wait=False, cancel_futures=True)

    async def _reopen(self) -> Executor:
        end = time.monotonic() + self._patience
        while True:
            try:
                return await asyncio.to_thread(self._open_executor)
            except WorkersError as error:
                if time.monotonic() >= end:
                    raise
                log.warning("workers=lost error=%s: trying again", error)
                await asyncio.sleep(_PAUSE)


async def _result(future: Future[T]) -> T:
    """The result of a future; `concurrent.futures.CancelledError` if others cancelled it."""
    waiter = asyncio.wrap_future(future)
    try:
        return await waiter
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise CancelledError from None


def processes(count: int | None = None) -> Callable[[], Executor]:
    """Opens executors of that many processes on this machine, one for each core by default."""

    return partial(workers, count)


def cluster(address: str, *, timeout: float = 10.0) -> Callable[[], Executor]:
    """Opens executors of the workers of the Dask scheduler at an address like `tcp://host:8786`.

    `timeout` is how long to wait for the scheduler, in seconds. Opening raises WorkersError if it
    cannot be reached or the extra `cluster` is not installed.
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
    """A Dask client as an executor, which closes the client too.

    Dask itself gives the jobs of a dead worker to others, a few times each.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        # Not pure: equal jobs are different games.
        self._jobs = client.get_executor(pure=False)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = self._jobs.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._jobs.shutdown(wait=wait and not cancel_futures)
        self._client.close()
