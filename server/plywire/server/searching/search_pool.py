"""The search threads, which the searches of all clients share.

The event loop does all bookkeeping, and threads only search. If a thread is free, a search runs to
its end. If searches wait, the running ones pause after a slice and wait again. New searches come
first, by deadline, then paused ones in turn. Slices are so short that every new search gets a
thread in time, but not shorter than `SHORTEST_SLICE`.

Waiting counts as time of the search. When the time is up, the search is answered at once by the
best move of its slices. If it had no slice, an extra thread runs its first iteration.

Until a game is ready for the engine, its searches are plain (`engine/search/plain.py`). They share
one thread, because plain Python runs in one thread at a time. When the game is ready, they continue
with the engine. If a game cannot be prepared, its searches stay plain.

A search that finds no free thread goes to a worker of the cluster, if its time is long enough for
the round trip. If no result comes back, it waits for a thread here.

A search that fails is answered with an error, never with a move that was not searched.
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
from plywire.engine.engine import LocalEngine
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of
from plywire.engine.search import plain
from plywire.engine.search.plain import PlainTable
from plywire.engine.search.request import SearchRequest

from .cluster import Cluster
from .scheduled_search import Phase, ScheduledSearch
from .search_threads import SearchThreads
from .slices import Slice
from .warmer import Warmer

log = logging.getLogger(__name__)

#: Maximum number of games that keep a hash table for plain searches. The table stays between
#: slices.
_PLAIN_TABLES = 4
#: Number of entries in each half of such a table, which takes about 15 MB.
_PLAIN_ENTRIES = 1 << 15
#: Maximum time in seconds that a thread may run Python while others wait. With the usual 5 ms, a
#: search that has ended would wait for longer than a short slice lasts.
_SWITCH_INTERVAL = 0.0001
#: Seconds within which a stopped search must return its move. After that, the answer is the best
#: move known before.
_RETURNS_WITHIN = 0.03


class SearchPool:
    """A bounded number of threads that search for any number of clients."""

    def __init__(
        self,
        threads: int,
        *,
        longest: float,
        warmer: Warmer | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        """Search in `threads` threads or on `cluster`, each search for at most `longest` s."""
        self._loop = asyncio.get_running_loop()
        self._longest = longest
        self.warmer = warmer or Warmer()
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self._native = SearchThreads(threads, "search")
        self._plain = SearchThreads(1, "search-plain")
        self._plain_tables: dict[Game, PlainTable] = {}
        self._first_iterations = ThreadPoolExecutor(1, thread_name_prefix="search-first")
        self._timers: dict[ScheduledSearch, asyncio.TimerHandle] = {}
        """The unanswered searches, and the timers that end their time."""
        self._awaiting: dict[Game, set[ScheduledSearch]] = {}
        """The unanswered searches of games that are being prepared."""
        self._ended: list[Callable[[], None]] = []
        self._ending = threading.Lock()
        self._cluster = cluster
        self._sent: dict[ScheduledSearch, asyncio.Task[Analysis]] = {}

    @property
    def searches(self) -> int:
        return len(self._timers)

    def submit(
        self,
        engine: LocalEngine,
        position: Position,
        limits: SearchLimits,
        on_info: Callable[[AnalysisLine], None],
        *,
        multipv: int = 1,
        by: Hashable = None,
    ) -> ScheduledSearch:
        """Begin a search; await its `answer`. `on_info` is called on the event loop.

        No other unanswered search may use the engine. If the game is not ready, it is prepared for
        `by`, see `Warmer.request`.
        """
        game = position.game
        search = ScheduledSearch(
            *(engine, position, limits, multipv, on_info),
            longest=self._longest,
            is_plain=not self.warmer.is_ready(game),
        )
        self._timers[search] = self._loop.call_at(search.deadline, self.stop, search)
        search.answer.add_done_callback(partial(self._answered, search))
        if search.is_plain:
            preparation = self.warmer.request(game, by)
            if game not in self._awaiting:
                self._awaiting[game] = set()
                preparation.add_done_callback(partial(self._prepared, game))
            self._awaiting[game].add(search)
        self._threads_of(search).add(search)
        self._dispatch()
        return search

    def stop(self, search: ScheduledSearch) -> None:
        """Make a search answer at once."""
        if search.phase is Phase.DONE or search.is_stopped:
            return
        search.is_stopped = True
        if search.is_waiting:
            self._threads_of(search).waiting.remove(search)
        if search.phase is Phase.FRESH:
            self._start(search, self._first_iterations, cost=0)
        if search.phase is Phase.AWAY:
            self._sent[search].cancel()
        elif search.phase is Phase.RUNNING and search.slice is not None:
            search.slice.stop.set()
            self._timers[search].cancel()
            self._timers[search] = self._loop.call_later(_RETURNS_WITHIN, search.finish)
        else:
            search.finish()

    async def close(self) -> None:
        for search in tuple(self._timers):
            self.stop(search)
        await asyncio.gather(*self._sent.values(), return_exceptions=True)
        for executor in (self._native.executor, self._plain.executor, self._first_iterations):
            await asyncio.to_thread(executor.shutdown)

    def _threads_of(self, search: ScheduledSearch) -> SearchThreads:
        return self._plain if search.is_plain else self._native

    def _answered(self, search: ScheduledSearch, _: asyncio.Future[Analysis]) -> None:
        self._timers.pop(search).cancel()
        self._awaiting.get(search.position.game, set()).discard(search)

    def _prepared(self, game: Game, preparation: asyncio.Future[None]) -> None:
        """Continue the searches of a game with the engine, if the game could be prepared."""
        searches = self._awaiting.pop(game)
        if preparation.cancelled() or preparation.exception() is not None:
            for search in searches:
                search.go_without_engine()
            return
        self._plain_tables.pop(game, None)
        for search in searches:
            if search.is_waiting:
                self._plain.waiting.remove(search)
            search.go_native()
            if search.is_waiting:
                self._native.add(search)
        self._dispatch()

    def _dispatch(self) -> None:
        """Give free threads to waiting searches, and make running ones give way in time."""
        for threads in (self._native, self._plain):
            while (search := threads.take()) is not None:
                self._start(search, threads.executor, threads.cost(search))
            if threads is self._native and threads.waiting and self._cluster is not None:
                self._send(self._cluster)
            threads.make_room()

    def _start(self, search: ScheduledSearch, executor: Executor, cost: int) -> None:
        threads = self._threads_of(search)
        is_shared = bool(threads.waiting)
        part = search.begin_slice(threads.slice_time() if is_shared else math.inf)
        table = self._plain_table(search.position.game) if search.is_plain else None

        def on_info(line: AnalysisLine) -> None:
            if is_shared:  # waking the event loop takes longer than an early iteration
                part.noted.append(line)
            else:
                self._loop.call_soon_threadsafe(search.report, part, line)

        def analyse() -> Analysis:
            if table is not None:
                analysis = _search_plainly(search, part, table, on_info)
            else:
                analysis = search.engine.analyse(
                    search.position,
                    part.limits,
                    on_info,
                    multipv=search.multipv,
                    stop=part.stop,
                    budget=part.budget,
                )
            part.leave_thread()
            return analysis

        def thread_free(thread: Future[Analysis]) -> None:
            """Let the event loop handle the end of the slice; one call handles many slices."""
            with self._ending:
                is_first = not self._ended
                self._ended.append(partial(self._slice_ended, search, part, cost, thread))
            if is_first:
                self._loop.call_soon_threadsafe(self._slices_ended)

        executor.submit(analyse).add_done_callback(thread_free)

    def _plain_table(self, game: Game) -> PlainTable:
        """Return the table of a game's plain searches; the latest `_PLAIN_TABLES` are kept."""
        table = self._plain_tables.pop(game, None) or PlainTable(_PLAIN_ENTRIES)
        if len(self._plain_tables) >= _PLAIN_TABLES:
            del self._plain_tables[next(iter(self._plain_tables))]
        self._plain_tables[game] = table
        return table

    def _slices_ended(self) -> None:
        with self._ending:
            ended, self._ended = self._ended, []
        for end in ended:
            end()
        self._dispatch()

    def _slice_ended(
        self, search: ScheduledSearch, part: Slice, cost: int, thread: Future[Analysis]
    ) -> None:
        self._threads_of(search).release(search, cost)
        if (error := thread.exception()) is not None:
            log.error("search failed fen=%r", search.position.fen(), exc_info=error)
            search.fail()
            return
        search.end_slice(part, thread.result())
        if search.is_waiting:
            self._threads_of(search).add(search)

    def _send(self, cluster: Cluster) -> None:
        """Send waiting searches to the cluster, latest deadline first."""
        if not cluster.takes(math.inf):
            return
        for search in sorted(self._native.waiting, key=lambda search: -search.deadline):
            if (
                self._native.cost(search) > 1
                or search.was_lost
                or not cluster.takes(search.thinking_time)
            ):
                continue
            self._native.waiting.remove(search)
            part = search.begin_slice(is_away=True)
            analyse = cluster.analyse(
                search.engine,
                search.position,
                part.limits,
                partial(search.report, part),
                multipv=search.multipv,
                budget=part.budget,
            )
            self._sent[search] = task = asyncio.create_task(analyse)
            task.add_done_callback(partial(self._came_back, search, part))

    def _came_back(
        self, search: ScheduledSearch, part: Slice, task: asyncio.Task[Analysis]
    ) -> None:
        del self._sent[search]
        if task.cancelled():
            search.lose_slice()
        elif (error := task.exception()) is None:
            search.end_slice(part, task.result())
        else:
            log.warning("lost by the cluster fen=%r error=%s", search.position.fen(), error)
            search.lose_slice()
        if search.is_waiting:
            self._native.add(search)
        self._dispatch()


def _search_plainly(
    search: ScheduledSearch,
    part: Slice,
    table: PlainTable,
    on_info: Callable[[AnalysisLine], None],
) -> Analysis:
    """Run a slice of a plain search, or take the answer from the opening book."""
    position, multipv = search.position, search.multipv
    line = search.engine.opening_line(position, search.limits, multipv)
    if line is not None:
        on_info(line)
        return Analysis(line.pv[0], (line,), nodes=0, time=0)
    request = SearchRequest(
        position, part.limits, multipv, part.stop, time.monotonic(), part.budget
    )
    return plain.analyse(backend_of(position.game), request, on_info, table=table)
