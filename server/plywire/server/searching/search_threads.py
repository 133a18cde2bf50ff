"""A bounded number of threads that search, and the searches that wait for one of them.

New searches come first, those due earliest before others; those that gave way follow in turn.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from .scheduled_search import Phase, ScheduledSearch

#: How long a search runs at least before it gives way to others, in seconds.
SHORTEST_SLICE = 0.0005
#: How long a search runs before it gives way, where nobody is in a hurry.
LONGEST_SLICE = 0.025
#: The part of the time until new searches are due that is dealt out to slices: the rest is for what
#: it takes to change from one to the next on a busy machine.
_PLANNED = 0.5


class SearchThreads:
    """Threads, who runs in them and who waits for them; used on the event loop alone."""

    def __init__(self, count: int, name: str) -> None:
        """So many threads, named after what they do."""
        self.executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self.free = count
        self.running: dict[ScheduledSearch, asyncio.TimerHandle | None] = {}
        """What searches, and what will have it give way."""
        self._count = count
        self._fresh: list[tuple[float, int, ScheduledSearch]] = []  # a heap, by when they are due
        self._serial = itertools.count()
        self._paused: deque[ScheduledSearch] = deque()

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits."""
        return bool(self._fresh or self._paused)

    @property
    def waiting(self) -> tuple[ScheduledSearch, ...]:
        """All who wait."""
        return (*self._paused, *(entry[-1] for entry in self._fresh))

    def enter(self, search: ScheduledSearch) -> None:
        """Let a search wait for its first thread."""
        search.phase = Phase.FRESH
        heapq.heappush(self._fresh, (search.deadline, next(self._serial), search))

    def pause(self, search: ScheduledSearch) -> None:
        """Let a search that gave way wait for a thread again."""
        search.phase = Phase.PAUSED
        self._paused.append(search)

    def withdraw(self, search: ScheduledSearch) -> None:
        """Let it wait for a thread no more."""
        if search.phase is Phase.PAUSED:
            self._paused.remove(search)
        elif self._fresh[0][-1] is search:  # as it is where its time is up
            heapq.heappop(self._fresh)
        else:
            self._fresh = [entry for entry in self._fresh if entry[-1] is not search]
            heapq.heapify(self._fresh)

    def next(self) -> ScheduledSearch | None:
        """Whose turn it is."""
        if self._fresh:
            return self._fresh[0][-1]
        return self._paused[0] if self._paused else None

    def take(self) -> ScheduledSearch | None:
        """Let the next search run, if there are threads for it; None if not."""
        search = self.next()
        if search is None or (cost := self.cost(search)) > self.free:
            return None
        if search.phase is Phase.FRESH:
            heapq.heappop(self._fresh)
        else:
            self._paused.popleft()
        self.free -= cost
        self.running[search] = None
        return search

    def cost(self, search: ScheduledSearch) -> int:
        """How many threads it takes; never more than there are."""
        return min(search.engine.threads, self._count)

    def slice_time(self) -> float:
        """How long running searches may go on, in seconds, so that the new ones get their turn."""
        if not self._fresh:
            return LONGEST_SLICE
        hurry = self._fresh[0][-1].remaining
        share = _PLANNED * hurry * self._count / (len(self._fresh) + len(self.running))
        return min(max(share, SHORTEST_SLICE), LONGEST_SLICE)
