"""Stops searches when their time is up.

Kernels run without the GIL and do not read clocks; one daemon thread, shared by all searches of
the process, sleeps until the earliest deadline and sets that search's `Stop`.
"""

from __future__ import annotations

import heapq
import itertools
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .stop import Stop


class Deadlines:
    """A queue of deadlines and the thread that keeps them."""

    def __init__(self) -> None:
        """No deadlines; the thread starts with the first."""
        self._changed = threading.Condition()
        self._queue: list[tuple[float, int, Stop]] = []
        self._serial = itertools.count()
        self._started = False

    @contextmanager
    def at(self, when: float, stop: Stop) -> Iterator[None]:
        """Set `stop` at that `time.monotonic()` (infinity: never) unless the block ends before."""
        if math.isinf(when):
            yield
            return
        entry = (when, next(self._serial), stop)
        with self._changed:
            heapq.heappush(self._queue, entry)
            if not self._started:
                threading.Thread(target=self._run, name="plywire-deadlines", daemon=True).start()
                self._started = True
            if self._queue[0] is entry:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                if entry in self._queue:
                    self._queue.remove(entry)
                    heapq.heapify(self._queue)

    def _run(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                while self._queue and self._queue[0][0] <= now:
                    heapq.heappop(self._queue)[2].set()
                self._changed.wait(self._queue[0][0] - now if self._queue else None)


#: All searches share it: a thread a search would cost more than many a search does.
DEADLINES = Deadlines()
