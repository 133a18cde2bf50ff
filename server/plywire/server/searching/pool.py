"""The search threads, and who may use them when.

Threads are few and peers are many, so searches take turns. All bookkeeping happens on the event
loop; threads only search.

* While threads are free, a search runs undisturbed to its end.
* While searches wait, the running ones are paused after a slice and queue up again. New searches
  come first, those due earliest before others; paused ones follow in turn. A slice is short enough
  that every new search gets a thread before its time is up, but no shorter than `SHORTEST_SLICE`.
  Only the deepest lines of such a slice are told, once it has ended.
* Time spent waiting counts. When a search's time is up, it is answered there and then: with the
  best move its slices found; with that of a first iteration, for which there is one more thread, if
  it had none; with a quick one from the plain rules if its kernels are not compiled yet.
* Where there is a cluster, what finds no free thread and has time enough for the way is sent to a
  worker. One that does not come back waits for a thread here again, with the time that is left.
* A search that fails, be it that its kernels cannot be compiled, is answered with an error: never
  with a move that was not searched for.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
import math
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.engine import Engine
from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits

from .cluster import Cluster
from .scheduled_search import Phase, ScheduledSearch
from .warmup import Warmer

log = logging.getLogger(__name__)

#: How long a search runs at least before it gives way to others, in seconds.
SHORTEST_SLICE = 0.0005
#: How long a search runs before it gives way, where nobody is in a hurry.
LONGEST_SLICE = 0.025
#: The part of the time until new searches are due that is dealt out to slices: the rest is for what
#: it takes to change from one to the next on a busy machine.
_PLANNED = 0.5
#: How long a thread may run Python while others wait to, in seconds. At the 5 ms that are usual, a
#: search that has ended would wait for longer than its slice was.
_SWITCH_INTERVAL = 0.0001
#: How long a stopped search may take to come back with its move, before it is answered without.
GRACE = 0.03


class SearchPool:
    """A bounded number of threads that search for any number of peers."""

    def __init__(
        self,
        threads: int,
        *,
        longest: float,
        warmer: Warmer | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        """`threads` search at once; no search takes more than `longest` seconds.

        Long ones that find no thread free are sent to the workers of a `cluster`.
        """
        self._loop = asyncio.get_running_loop()
        self._threads = threads
        self._free = threads
        self._longest = longest
        self.warmer = warmer or Warmer()
        """Readies the games; searches wait for it."""
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="search")
        self._first_iterations = ThreadPoolExecutor(1, thread_name_prefix="search-first")
        self._fresh: list[tuple[float, int, ScheduledSearch]] = []  # a heap, by when they are due
        self._serial = itertools.count()
        self._paused: deque[ScheduledSearch] = deque()
        self._running: dict[ScheduledSearch, asyncio.TimerHandle | None] = {}
        self._timers: dict[ScheduledSearch, asyncio.TimerHandle] = {}
        self._ended: list[tuple[ScheduledSearch, int, Future[Analysis]]] = []
        self._ending = threading.Lock()
        self._cluster = cluster
        self._sent: dict[ScheduledSearch, asyncio.Task[Analysis]] = {}

    @property
    def searches(self) -> int:
        """How many searches are unanswered."""
        return len(self._timers)

    def submit(
        self,
        engine: Engine,
        position: Position,
        limits: SearchLimits,
        on_info: Callable[[AnalysisLine], None],
        *,
        multipv: int = 1,
    ) -> ScheduledSearch:
        """Begin a search; await its `answer`. `on_info` is called on the event loop.

        The engine must not be in use by another search that is unanswered.
        """
        search = ScheduledSearch(engine, position, limits, multipv, on_info, longest=self._longest)
        self._timers[search] = self._loop.call_at(search.deadline, self.stop, search)
        if self.warmer.is_ready(position.game):
            self._enter(search)
        else:
            search.phase = Phase.COLD
            self.warmer.request(position.game).add_done_callback(partial(self._warmed, search))
        return search

    def stop(self, search: ScheduledSearch) -> None:
        """Have a search answered at once."""
        if search.phase is Phase.DONE or search.is_stopped:
            return
        search.is_stopped = True
        if search in self._sent:
            self._sent[search].cancel()
        elif search.phase is Phase.FRESH:
            self._withdraw(search)
            self._end(search)
            self._start(search, self._first_iterations, cost=0)
            search.stop.set()  # which ends it after its first iteration
        elif search.phase is Phase.RUNNING:
            search.stop.set()
            self._timers[search].cancel()
            self._timers[search] = self._loop.call_later(GRACE, self._finish, search)
        else:
            self._finish(search)

    async def evaluate(self, position: Position) -> EngineScore:
        """The static evaluation; waits for the kernels of the game, but for no thread."""
        await asyncio.shield(self.warmer.request(position.game))
        return Engine(hash_mb=1).evaluate(position)

    async def close(self) -> None:
        """End all searches and threads."""
        for search in tuple(self._timers):
            self.stop(search)
        await asyncio.gather(*self._sent.values(), return_exceptions=True)
        for executor in (self._executor, self._first_iterations):
            await asyncio.to_thread(executor.shutdown)

    def _warmed(self, search: ScheduledSearch, kernels: asyncio.Future[None]) -> None:
        if search.phase is not Phase.COLD or kernels.cancelled():
            return
        if kernels.exception() is not None:  # which the warmer has logged
            self._end(search)
            search.fail()
            return
        self._enter(search)

    def _enter(self, search: ScheduledSearch) -> None:
        """Let a search whose kernels are ready wait for its first thread."""
        search.phase = Phase.FRESH
        heapq.heappush(self._fresh, (search.deadline, next(self._serial), search))
        self._dispatch()

    def _withdraw(self, search: ScheduledSearch) -> None:
        """Let it wait for a thread no more."""
        if search.phase is Phase.PAUSED:
            self._paused.remove(search)
        elif self._fresh[0][-1] is search:  # as it is where its time is up
            heapq.heappop(self._fresh)
        else:
            self._fresh = [entry for entry in self._fresh if entry[-1] is not search]
            heapq.heapify(self._fresh)

    def _dispatch(self) -> None:
        """Give free threads to waiting searches, and see that running ones give way in time."""
        while (search := self._next()) is not None and (cost := self._cost(search)) <= self._free:
            if search.phase is Phase.FRESH:
                heapq.heappop(self._fresh)
            else:
                self._paused.popleft()
            self._free -= cost
            self._running[search] = None
            self._start(search, self._executor, cost)
        if search is not None and self._cluster is not None:
            self._send(self._cluster)
            search = self._next()
        if search is None:
            return
        slice_time = self._slice_time()
        for running, timer in self._running.items():
            end = running.slice_began + slice_time
            if end >= running.slice_end:
                continue
            if timer is not None:
                timer.cancel()
            self._running[running] = self._loop.call_at(end, self._preempt, running)

    def _next(self) -> ScheduledSearch | None:
        if self._fresh:
            return self._fresh[0][-1]
        return self._paused[0] if self._paused else None

    def _cost(self, search: ScheduledSearch) -> int:
        """How many threads it takes; never more than there are."""
        return min(search.engine.threads, self._threads)

    def _slice_time(self) -> float:
        """How long running searches may go on, in seconds, so that the new ones get their turn."""
        if not self._fresh:
            return LONGEST_SLICE
        hurry = self._fresh[0][-1].remaining
        share = _PLANNED * hurry * self._threads / (len(self._fresh) + len(self._running))
        return min(max(share, SHORTEST_SLICE), LONGEST_SLICE)

    def _start(self, search: ScheduledSearch, executor: Executor, cost: int) -> None:
        is_shared = bool(self._fresh or self._paused)
        limits, budget = search.begin_slice(self._slice_time() if is_shared else math.inf)
        stop = search.stop

        def on_info(info: AnalysisLine) -> None:
            if is_shared:  # to wake the event loop takes longer than many an iteration
                search.note(info)
            else:
                self._loop.call_soon_threadsafe(report, info)

        def report(info: AnalysisLine) -> None:
            if search.stop is stop:  # not of a slice that was given up
                search.report(info)

        def analyse() -> Analysis:
            engine, multipv = search.engine, search.multipv
            analysis = engine.analyse(
                search.position, limits, on_info, multipv=multipv, stop=stop, budget=budget
            )
            search.leave_thread()
            return analysis

        executor.submit(analyse).add_done_callback(partial(self._thread_free, search, cost))

    def _thread_free(self, search: ScheduledSearch, cost: int, thread: Future[Analysis]) -> None:
        """Have a slice's end seen to, in the thread that searched; many ends wake the loop once."""
        with self._ending:
            is_first = not self._ended
            self._ended.append((search, cost, thread))
        if is_first:
            self._loop.call_soon_threadsafe(self._slices_ended)

    def _slices_ended(self) -> None:
        with self._ending:
            ended, self._ended = self._ended, []
        for search, cost, thread in ended:
            self._slice_ended(search, cost, thread)
        self._dispatch()

    def _send(self, cluster: Cluster) -> None:
        """Send waiting searches to the cluster, those due last first."""
        if not cluster.takes(math.inf):
            return
        waiting = (*self._paused, *(entry[-1] for entry in self._fresh))
        for search in sorted(waiting, key=lambda search: -search.deadline):
            if self._cost(search) > 1 or search.was_lost or not cluster.takes(search.thinking_time):
                continue
            self._withdraw(search)
            limits, budget = search.begin_slice()
            search.has_thread = False
            analyse = cluster.analyse(
                search.engine,
                search.position,
                limits,
                search.report,
                multipv=search.multipv,
                budget=budget,
            )
            self._sent[search] = task = asyncio.create_task(analyse)
            task.add_done_callback(partial(self._came_back, search))

    def _came_back(self, search: ScheduledSearch, task: asyncio.Task[Analysis]) -> None:
        del self._sent[search]
        if task.cancelled():  # to answer with what has been told
            self._finish(search)
        elif (error := task.exception()) is None:
            search.end_slice(task.result())
            self._finish(search)
        else:
            log.warning("lost by the cluster fen=%r error=%s", search.position.fen(), error)
            search.was_lost = True
            self._enter(search)
        self._dispatch()

    def _preempt(self, search: ScheduledSearch) -> None:
        if search in self._running and (self._fresh or self._paused) and not search.is_stopped:
            search.gives_way = True
            search.stop.set()

    def _slice_ended(self, search: ScheduledSearch, cost: int, thread: Future[Analysis]) -> None:
        timer = self._running.pop(search, None)
        if timer is not None:
            timer.cancel()
        self._free += cost
        search.has_thread = False
        if (error := thread.exception()) is not None:
            log.error("search failed fen=%r", search.position.fen(), exc_info=error)
            self._end(search)
            search.fail()
        elif search.phase is not Phase.DONE:
            search.end_slice(thread.result())
            if search.may_go_on:
                search.phase = Phase.PAUSED
                self._paused.append(search)
            else:
                self._finish(search)

    def _finish(self, search: ScheduledSearch) -> None:
        self._end(search)
        if search.phase is Phase.PAUSED:
            self._withdraw(search)
        elif search.phase is Phase.COLD:
            log.warning("move without a search: kernels not ready fen=%r", search.position.fen())
        search.finish()

    def _end(self, search: ScheduledSearch) -> None:
        """Wait for its time no more."""
        timer = self._timers.pop(search, None)
        if timer is not None:
            timer.cancel()
