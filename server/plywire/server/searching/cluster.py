"""Searches by the workers of a Dask cluster.

A worker sends each line that it finds, and after the first one also signs of life. If neither
arrives in time, the search is lost. To end a search, the server forgets its task, which the worker
notices. Each thread of a worker needs memory for one transposition table.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import pickle
import threading
import uuid
from collections.abc import Callable
from typing import Any, Self

from plywire.engine.analysis import Analysis, AnalysisLine
from plywire.engine.engine import LocalEngine, Stop
from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits
from plywire.engine.search.time_management import Budget

log = logging.getLogger(__name__)

#: Minimum time of a search that is sent to the cluster, in round trips to the scheduler.
_WAYS = 10
#: Seconds between two measurements of the round trip.
_MEASURE_EVERY = 2.0
#: Seconds within which the scheduler must answer.
_ANSWER_WITHIN = 10.0
#: If a worker is silent for this part of a search's time, the search counts as lost.
_PATIENCE = 0.2
#: Maximum silence of a worker, in seconds. It may need this time to load the kernels from its disk.
_LONGEST_PATIENCE = 3.0
#: Number of signs of life that a worker sends during the silence that is allowed.
_SIGNS = 4
#: Seconds without searches on the cluster after a lost search. Also the seconds between attempts to
#: connect.
_PAUSE = 1.0


class LostSearchError(Exception):
    """A worker of the cluster has sent no result of a search."""


class Cluster:
    """The workers of a Dask scheduler, while it can be reached; an asynchronous context manager."""

    def __init__(self, address: str) -> None:
        """Use the scheduler at a URL such as `tcp://host:8786`; raises ValueError without Dask."""
        try:
            from distributed import Client
        except ImportError:
            raise ValueError("--cluster needs Dask: pip install 'plywire[cluster]'") from None
        self._open: Callable[..., Any] = Client
        self._address = address
        self._client: Any = None
        self._topic = f"plywire-{uuid.uuid4()}"
        self._threads = 0
        self._way = 0.0
        self._resumes = 0.0
        self._numbers = itertools.count()
        self._listeners: dict[int, Callable[[AnalysisLine | None], None]] = {}

    async def __aenter__(self) -> Self:
        """Start to connect to the scheduler, and reconnect whenever it is lost."""
        self._connecting = asyncio.create_task(self._stay_connected())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._connecting.cancel()
        await asyncio.wait([self._connecting])

    def takes(self, seconds: float) -> bool:
        """Return whether a thread is free, and the round trip short enough for a search."""
        now = asyncio.get_running_loop().time()
        is_free = len(self._listeners) < self._threads and now >= self._resumes
        return is_free and seconds >= _WAYS * self._way

    async def analyse(
        self,
        engine: LocalEngine,
        position: Position,
        limits: SearchLimits,
        on_info: Callable[[AnalysisLine], None],
        *,
        multipv: int,
        budget: Budget,
    ) -> Analysis:
        """Analyse on a worker; raises LostSearchError if the worker is silent or fails."""
        loop = asyncio.get_running_loop()
        hard = budget.hard / 1000
        patience = min(hard * _PATIENCE, _LONGEST_PATIENCE)
        budget = budget.within((hard - self._way) * 1000)
        number = next(self._numbers)
        silence = asyncio.timeout(patience)

        def hear(line: AnalysisLine | None) -> None:
            silence.reschedule(loop.time() + patience)
            if line is not None:
                on_info(line)

        self._listeners[number] = hear
        job: Any = None
        try:
            async with silence:
                sign = (self._topic, number, patience / _SIGNS)
                # With `pure`, Dask would give equal searches the same result.
                job = self._client.submit(
                    _search, sign, engine, position, limits, multipv, budget, pure=False
                )
                return await job.result()  # type: ignore[no-any-return]
        except Exception as error:  # the connection or the worker may raise any exception
            self._resumes = loop.time() + _PAUSE
            raise LostSearchError(f"{type(error).__name__}: {error}") from None
        finally:
            del self._listeners[number]
            if job is not None:
                job.release()

    def _hear(self, event: tuple[float, tuple[int, bytes]]) -> None:
        number, line = event[1]
        if (listener := self._listeners.get(number)) is not None:
            listener(pickle.loads(line))

    async def _stay_connected(self) -> None:
        while True:
            try:
                async with self._open(
                    self._address,
                    asynchronous=True,
                    set_as_default=False,
                    timeout=_ANSWER_WITHIN,
                ) as self._client:
                    self._client.subscribe_topic(self._topic, self._hear)
                    await self._measure()
            except Exception as error:
                log.warning("cluster=%s lost error=%s", self._address, error)
            finally:
                self._threads = 0
            await asyncio.sleep(_PAUSE)

    async def _measure(self) -> None:
        """Measure the threads and the round trip again and again, until the scheduler is lost."""
        loop = asyncio.get_running_loop()
        while self._client.status == "running":
            asked = loop.time()
            async with asyncio.timeout(_ANSWER_WITHIN):
                threads = sum((await self._client.nthreads()).values())
            self._way = loop.time() - asked
            if threads != self._threads:
                log.info("cluster=%s threads=%d ms=%.1f", self._address, threads, self._way * 1000)
            self._threads = threads
            await asyncio.sleep(_MEASURE_EVERY)
        raise ConnectionError(f"the client is {self._client.status}")


def _search(
    sign: tuple[str, int, float],
    engine: LocalEngine,
    position: Position,
    limits: SearchLimits,
    multipv: int,
    budget: Budget,
) -> Analysis:
    """Search in a worker; `sign` is a topic, the search's number and an interval in seconds."""
    from distributed import get_worker

    topic, number, interval = sign
    worker = get_worker()
    key = worker.get_current_task()
    stop = Stop()
    has_line, is_over = threading.Event(), threading.Event()

    def send(line: AnalysisLine | None) -> None:
        worker.log_event(topic, (number, pickle.dumps(line)))

    def on_info(line: AnalysisLine) -> None:
        send(line)
        has_line.set()

    def watch() -> None:
        while not is_over.wait(interval):
            task = worker.state.tasks.get(key)
            if task is None or task.state != "executing":
                stop.set()
            elif has_line.is_set():
                send(None)

    watching = threading.Thread(target=watch, name="plywire-watch", daemon=True)
    watching.start()
    try:
        return engine.analyse(position, limits, on_info, multipv=multipv, stop=stop, budget=budget)
    finally:
        is_over.set()
        watching.join()
