"""A bounded number of threads that search, and the searches that wait for one of them.

New searches come first, those due earliest before others; those that gave way follow in turn.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter

from .scheduled_search import ScheduledSearch

#: How long a search runs at least before it gives way to others, in seconds.
SHORTEST_SLICE = 0.0005
#: How long a search runs before it gives way, if nobody is in a hurry.
LONGEST_SLICE = 0.025
#: The part of the time until new searches are due that slices may take. A busy machine needs the
#: rest for the changes from one slice to the next.
_PLANNED = 0.5

_turn = attrgetter("turn")


class SearchThreads:
    """Threads, the searches that run in them, and those that wait; for the event loop alone."""

    def __init__(self, count: int, name: str) -> None:
        self.executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self.free = count
        self.waiting: list[ScheduledSearch] = []
        """In the order of their turns."""
        self._running: dict[ScheduledSearch, asyncio.TimerHandle | None] = {}
        """The running searches, and the timers that have them give way."""
        self._count = count
        self._loop = asyncio.get_running_loop()

    def add(self, search: ScheduledSearch) -> None:
        """Let a search wait for a thread."""
        insort(self.waiting, search, key=_turn)

    def take(self) -> ScheduledSearch | None:
        """Let the next search run, if there are threads for it; None if not."""
        if not self.waiting or (cost := self.cost(self.waiting[0])) > self.free:
            return None
        search = self.waiting.pop(0)
        self.free -= cost
        self._running[search] = None
        return search

    def release(self, search: ScheduledSearch, cost: int) -> None:
        """Take back the threads of a search."""
        self.free += cost
        if (timer := self._running.pop(search, None)) is not None:
            timer.cancel()

    def cost(self, search: ScheduledSearch) -> int:
        """How many threads a search takes; never more than there are."""
        return min(search.engine.threads, self._count)

    def slice_time(self) -> float:
        """How long running searches may go on, in seconds, so that new ones get their turn."""
        fresh = bisect_left(self.waiting, (True,), key=_turn)
        if not fresh:
            return LONGEST_SLICE
        share = _PLANNED * self.waiting[0].remaining * self._count / (fresh + len(self._running))
        return min(max(share, SHORTEST_SLICE), LONGEST_SLICE)

    def make_room(self) -> None:
        """See that running searches give way in time to those that wait."""
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
        """Have a search give way if others wait."""
        if self.waiting:
            search.give_way()
