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
  it had none.
* Until a game is ready for the engine, its searches are plain (`engine/search/plain.py`). They take
  turns in a thread of their own, for plain Python runs in one thread at a time. Once the game is
  ready they go on with the engine, whose answer counts if it has one. A search without a time of
  its own waits for the engine when the plain search has come to its end. Where a game cannot be
  prepared, all of its searches are plain.
* Where there is a cluster, what finds no free thread and has time enough for the way is sent to a
  worker. One that does not come back waits for a thread here again, with the time that is left.
* A search that fails is answered with an error: never with a move that was not searched for.
"""

from __future__ import annotations

import asyncio
import logging
import math
import sys
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial

from plywire.engine.analysis import Analysis, AnalysisLine
from plywire.engine.engine import Engine, Stop
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of
from plywire.engine.search import plain
from plywire.engine.search.plain import PlainTable
from plywire.engine.search.request import SearchRequest
from plywire.engine.search.time_management import Budget

from .cluster import Cluster
from .scheduled_search import Phase, ScheduledSearch
from .search_threads import SearchThreads
from .warmup import Warmer

log = logging.getLogger(__name__)

#: The plain searches of a game share a table, which outlives their slices; of how many games, and
#: how many entries in each half of a table, some 15 MB.
_PLAIN_TABLES = 4
_PLAIN_ENTRIES = 1 << 15
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
        self._longest = longest
        self.warmer = warmer or Warmer()
        """Prepares the games for the engine."""
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self._native = SearchThreads(threads, "search")
        self._plain = SearchThreads(1, "search-plain")
        self._plain_tables: dict[Game, PlainTable] = {}
        self._first_iterations = ThreadPoolExecutor(1, thread_name_prefix="search-first")
        self._timers: dict[ScheduledSearch, asyncio.TimerHandle] = {}
        self._awaiting: dict[Game, set[ScheduledSearch]] = {}
        """The unanswered searches of games that are being prepared."""
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
        by: Hashable = None,
    ) -> ScheduledSearch:
        """Begin a search; await its `answer`. `on_info` is called on the event loop.

        The engine must not be in use by another search that is unanswered. If the game is not
        ready, it is prepared as `by` asks for it, see `Warmer.request`.
        """
        search = ScheduledSearch(engine, position, limits, multipv, on_info, longest=self._longest)
        self._timers[search] = self._loop.call_at(search.deadline, self.stop, search)
        if not self.warmer.is_ready(position.game):
            search.is_plain = True
            self._await_engine(search, by)
        self._enter(search)
        return search

    def stop(self, search: ScheduledSearch) -> None:
        """Have a search answered at once."""
        if search.phase is Phase.DONE or search.is_stopped:
            return
        search.is_stopped = True
        if search in self._sent:
            self._sent[search].cancel()
        elif search.phase is Phase.FRESH:
            self._threads_of(search).withdraw(search)
            self._start(search, self._first_iterations, cost=0)
            self._end_soon(search)  # after its first iteration
        elif search.phase is Phase.RUNNING:
            self._end_soon(search)
        else:
            self._finish(search)

    def _end_soon(self, search: ScheduledSearch) -> None:
        """Have a running search come back, or answer for it if it does not."""
        search.stop.set()
        self._timers[search].cancel()
        self._timers[search] = self._loop.call_later(GRACE, self._finish, search)

    async def close(self) -> None:
        """End all searches and threads."""
        for search in tuple(self._timers):
            self.stop(search)
        await asyncio.gather(*self._sent.values(), return_exceptions=True)
        for executor in (
            self._native.executor,
            self._plain.executor,
            self._first_iterations,
        ):
            await asyncio.to_thread(executor.shutdown)

    def _threads_of(self, search: ScheduledSearch) -> SearchThreads:
        return self._plain if search.is_plain else self._native

    def _await_engine(self, search: ScheduledSearch, by: Hashable) -> None:
        """Have the game of a search prepared, and the search go on with the engine then."""
        search.awaits_engine = True
        game = search.position.game
        preparation = self.warmer.request(game, by)
        if game not in self._awaiting:
            preparation.add_done_callback(partial(self._prepared, game))
        self._awaiting.setdefault(game, set()).add(search)

    def _prepared(self, game: Game, preparation: asyncio.Future[None]) -> None:
        is_ready = not preparation.cancelled() and preparation.exception() is None
        if is_ready:
            self._plain_tables.pop(game, None)
        for search in self._awaiting.pop(game):
            self._engine_came(search, is_ready=is_ready)

    def _engine_came(self, search: ScheduledSearch, *, is_ready: bool) -> None:
        """Have a search go on with the engine, or with none if its game cannot be prepared."""
        search.awaits_engine = False
        if search.is_stopped:
            return
        if not is_ready:
            if search.phase is Phase.COLD:
                self._finish(search)
        elif search.phase is Phase.RUNNING:
            search.gives_way = True
            search.stop.set()
        else:
            if search.phase is not Phase.COLD:
                self._plain.withdraw(search)
            self._go_native(search)

    def _go_native(self, search: ScheduledSearch) -> None:
        search.go_native()
        self._enter(search)

    def _enter(self, search: ScheduledSearch) -> None:
        """Let a search wait for its first thread."""
        self._threads_of(search).enter(search)
        self._dispatch()

    def _dispatch(self) -> None:
        """Give free threads to waiting searches, and see that running ones give way in time."""
        for threads in (self._native, self._plain):
            while (search := threads.take()) is not None:
                self._start(search, threads.executor, threads.cost(search))
            if threads is self._native and threads.is_wanted and self._cluster is not None:
                self._send(self._cluster)
            if not threads.is_wanted:
                continue
            slice_time = threads.slice_time()
            for running, timer in threads.running.items():
                end = running.slice_began + slice_time
                if end >= running.slice_end:
                    continue
                if timer is not None:
                    timer.cancel()
                threads.running[running] = self._loop.call_at(end, self._preempt, running)

    def _start(self, search: ScheduledSearch, executor: Executor, cost: int) -> None:
        threads = self._threads_of(search)
        is_shared = threads.is_wanted
        limits, budget = search.begin_slice(threads.slice_time() if is_shared else math.inf)
        stop = search.stop
        table = self._plain_table(search.position.game) if search.is_plain else None

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
            if table is not None:
                analysis = _search_plainly(search, limits, budget, stop, table, on_info)
            else:
                analysis = engine.analyse(
                    search.position, limits, on_info, multipv=multipv, stop=stop, budget=budget
                )
            search.leave_thread()
            return analysis

        executor.submit(analyse).add_done_callback(partial(self._thread_free, search, cost))

    def _plain_table(self, game: Game) -> PlainTable:
        """The table of a game's plain searches: of the games searched last, there is one each."""
        table = self._plain_tables.pop(game, None) or PlainTable(_PLAIN_ENTRIES)
        if len(self._plain_tables) >= _PLAIN_TABLES:
            del self._plain_tables[next(iter(self._plain_tables))]
        self._plain_tables[game] = table
        return table

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
        for search in sorted(self._native.waiting, key=lambda search: -search.deadline):
            if (
                self._native.cost(search) > 1
                or search.was_lost
                or not cluster.takes(search.thinking_time)
            ):
                continue
            self._native.withdraw(search)
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
        threads = self._threads_of(search)
        if search in threads.running and threads.is_wanted and not search.is_stopped:
            search.gives_way = True
            search.stop.set()

    def _slice_ended(self, search: ScheduledSearch, cost: int, thread: Future[Analysis]) -> None:
        threads = self._threads_of(search)
        timer = threads.running.pop(search, None)
        if timer is not None:
            timer.cancel()
        threads.free += cost
        search.has_thread = False
        if (error := thread.exception()) is not None:
            log.error("search failed fen=%r", search.position.fen(), exc_info=error)
            self._end(search)
            search.fail()
        elif search.phase is not Phase.DONE:
            search.end_slice(thread.result())
            is_ready = search.is_plain and self.warmer.is_ready(search.position.game)
            if is_ready and search.may_go_native:
                self._go_native(search)
            elif search.may_go_on:
                threads.pause(search)
            elif search.awaits_engine and search.may_wait:
                search.phase = Phase.COLD
            else:
                self._finish(search)

    def _finish(self, search: ScheduledSearch) -> None:
        self._end(search)
        if search.phase is Phase.PAUSED:
            self._threads_of(search).withdraw(search)
        search.finish()

    def _end(self, search: ScheduledSearch) -> None:
        """Wait for its time no more, and not for its engine."""
        timer = self._timers.pop(search, None)
        if timer is not None:
            timer.cancel()
        self._awaiting.get(search.position.game, set()).discard(search)


def _search_plainly(
    search: ScheduledSearch,
    limits: SearchLimits,
    budget: Budget,
    stop: Stop,
    table: PlainTable,
    on_info: Callable[[AnalysisLine], None],
) -> Analysis:
    """A slice of a plain search, or the opening book's answer."""
    position, multipv = search.position, search.multipv
    line = search.engine.opening_line(position, search.limits, multipv)
    if line is not None:
        on_info(line)
        return Analysis(line.pv[0], (line,), nodes=0, time=0)
    request = SearchRequest(position, limits, multipv, stop, time.monotonic(), budget)
    return plain.analyse(backend_of(position.game), request, on_info, table=table)
