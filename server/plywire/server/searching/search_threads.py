"""A bounded number of search threads, and the searches that wait for them by `turn`."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter

from .scheduled_search import ScheduledSearch

#: Minimum time in seconds that a search runs before it gives way to others.
SHORTEST_SLICE = 0.0005
#: Maximum time in seconds that a search runs before it gives way to waiting searches.
LONGEST_SLICE = 0.025
#: The share of the waiting time that slices may use, from now until the next search must answer.
#: The rest is for the changes from slice to slice.
_PLANNED = 0.5

_turn = attrgetter("turn")


class SearchThreads:
    """Threads with their running and waiting searches; only the event loop uses it."""

    def __init__(self, count: int, name: str) -> None:
        self.executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self.free = count
        self.waiting: list[ScheduledSearch] = []
        """The waiting searches, sorted by `turn`."""
        self._running: dict[ScheduledSearch, asyncio.TimerHandle | None] = {}
        """The running searches, and the timers that make them give way."""
        self._count = count
        self._loop = asyncio.get_running_loop()

    def add(self, search: ScheduledSearch) -> None:
        insort(self.waiting, search, key=_turn)

    def take(self) -> ScheduledSearch | None:
        """Return the next search and reserve its threads, or None if no search fits."""
        if not self.waiting or (cost := self.cost(self.waiting[0])) > self.free:
            return None
        search = self.waiting.pop(0)
        self.free -= cost
        self._running[search] = None
        return search

    def release(self, search: ScheduledSearch, cost: int) -> None:
        self.free += cost
        if (timer := self._running.pop(search, None)) is not None:
            timer.cancel()

    def cost(self, search: ScheduledSearch) -> int:
        """Return the number of threads that a search takes, at most all."""
        return min(search.engine.threads, self._count)

    def slice_time(self) -> float:
        """Return the seconds of a slice; they are so few that new searches get a thread in time."""
        fresh = bisect_left(self.waiting, (True,), key=_turn)
        if not fresh:
            return LONGEST_SLICE
        share = _PLANNED * self.waiting[0].remaining * self._count / (fresh + len(self._running))
        return min(max(share, SHORTEST_SLICE), LONGEST_SLICE)

    def make_room(self) -> None:
        """Make running searches give way in time to waiting ones."""
        if not self.waiting:
            return
        slice_time = self.slice_time()
        for search, timer in self._running.items():
            part = search.slice
            if part is None or (end := part.began + slice_time) >= part.end:
                continue
            if timer is not None:
                timer.cancel()
            self._running[search] = self._loop.call_at(end, self.preempt, search)

    def preempt(self, search: ScheduledSearch) -> None:
        if self.waiting:
            search.give_way()
