"""The facade: one call analyses a position of any game.

Importing this module loads neither Numba nor the search; the first analysis does.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from . import readiness, stand_in
from .analysis import Analysis, AnalysisLine, EngineScore
from .game import Game, Position
from .limits import SearchLimits
from .registry import backend_of, read_book
from .search.request import SearchRequest
from .search.stop import Stop as Stop
from .search.time_management import UNLIMITED, Budget, time_budget

if TYPE_CHECKING:
    from .search.backend import Backend, OpeningBook
    from .search.solver import ExactSolver
    from .search.table import TranspositionTable

#: Of the transposition table.
DEFAULT_HASH_MB = 64
MAX_HASH_MB = 1 << 18
#: Of a table, what a thread can fill in a ms, in MB: more would only take time to provide.
_FILLED_PER_MS = 1 / 6
_LEAST_TABLES_MB = 1
#: Of the memory for tables, what a search for estimates takes beside a solver: this part...
_ESTIMATE_PART = 1 / 16
#: ...but no more MB than that.
_MOST_FOR_ESTIMATES = 1
MAX_THREADS = 1024
#: What engines share that are given no seed: a generator takes 3 KB, as much as a whole session.
_CHANCE = random.Random()


class EngineBusyError(RuntimeError):
    """The engine is searching already; it does one thing at a time."""


class Engine:
    """Searches positions of any game, one at a time, with tables that share one bound of memory.

    Where a game brings a solver along, that is asked for exact scores unless a depth is given that
    does not reach the end of the game. Where a game brings an opening book along, that is asked
    first if all that counts is one good move in time. While a game is not ready (`readiness.py`), a
    plain search stands in (`stand_in.py`).

    No two engines share anything but compiled code.
    """

    def __init__(
        self,
        *,
        hash_mb: int = DEFAULT_HASH_MB,
        threads: int = 1,
        book: bool | Path = True,
        seed: int | None = None,
    ) -> None:
        """An engine with `hash_mb` MB of transposition tables that searches with so many threads.

        The opening `book` is that of each game, or none, or that in a file for the game and board
        size whose it is. Which of several equally good moves of it is played is left to chance;
        engines of the same `seed` play the same.

        Raises ValueError if the size of the table or the number of threads is out of range or the
        file is no book, and OSError if it cannot be read.
        """
        self._hash_mb = _in_range("hash", hash_mb, MAX_HASH_MB)
        self._threads = _in_range("threads", threads, MAX_THREADS)
        self._book = book
        self._opened_book = read_book(book) if isinstance(book, Path) else None
        self._chance = _CHANCE if seed is None else random.Random(seed)
        self._tables_mb = 0.0
        self._table: TranspositionTable | None = None
        self._small_table: TranspositionTable | None = None
        self._solver: ExactSolver | None = None
        self._solved_game: Game | None = None
        self._busy = threading.Lock()
        self._stop: Stop | None = None

    def __reduce__(self) -> tuple[Callable[..., Engine], tuple[()]]:
        """What is pickled are the options, but for the seed, and nothing of what was learnt."""
        book = self._book
        return partial(Engine, hash_mb=self._hash_mb, threads=self._threads, book=book), ()

    @property
    def hash_mb(self) -> int:
        """Size of all transposition tables together, in MB; setting it forgets what was learnt.

        Raises ValueError if out of range, EngineBusyError during a search.
        """
        return self._hash_mb

    @hash_mb.setter
    def hash_mb(self, megabytes: int) -> None:
        _in_range("hash", megabytes, MAX_HASH_MB)
        with self._alone():
            self._hash_mb = megabytes
            self._drop_tables(0)

    @property
    def threads(self) -> int:
        """How many threads search; with one, equal searches visit equal nodes.

        Raises ValueError if out of range, EngineBusyError during a search.
        """
        return self._threads

    @threads.setter
    def threads(self, count: int) -> None:
        _in_range("threads", count, MAX_THREADS)
        with self._alone():
            if count != self._threads:
                self._solver = self._solved_game = None
            self._threads = count

    def analyse(
        self,
        position: Position,
        limits: SearchLimits | None = None,
        on_info: Callable[[AnalysisLine], None] | None = None,
        *,
        multipv: int = 1,
        stop: Stop | None = None,
        budget: Budget | None = None,
    ) -> Analysis:
        """Search a position in the calling thread; callable from any thread, one search at a time.

        Without limits the search ends when the result is proven or it is stopped; `movetime` and
        `clock` also end it at once where there is but one legal move, and, without other limits or
        more than one line, where an opening book has the move. `on_info` is called in the calling
        thread with each of the `multipv` best lines of each finished iteration.

        `budget` is the time for this search where the caller has computed it from the limits, and
        perhaps spent a part of it; otherwise it is computed here.

        Raises EngineBusyError if a search is running already, and ValueError if `multipv` is less
        than 1, `stop` was given to an earlier search, or there is no memory for the table.
        """
        began = time.monotonic()
        if multipv < 1:
            raise ValueError(f"multipv must be at least 1, not {multipv}")
        with self._alone():
            if position.is_over:
                return Analysis(best=None, lines=(), nodes=0, time=0)
            stop = Stop() if stop is None else stop
            stop.claim()
            self._stop = stop
            try:
                limits = SearchLimits() if limits is None else limits
                backend = backend_of(position.game)
                if (line := self.opening_line(position, limits, multipv)) is not None:
                    if on_info:
                        on_info(line)
                    return Analysis(line.pv[0], (line,), nodes=0, time=_since(began))
                if budget is None:
                    budget = time_budget(limits, position, backend.plies_without_thinking)
                request = SearchRequest(position, limits, multipv, stop, began, budget)
                tell = on_info or (lambda info: None)
                if readiness.is_ready(position.game):
                    return self._search_natively(request, tell)
                return stand_in.search(backend, request, self._search_natively, tell)
            finally:
                self._stop = None

    def opening_line(
        self, position: Position, limits: SearchLimits, multipv: int = 1
    ) -> AnalysisLine | None:
        """What an opening book answers to such a search, None if the position has to be searched.

        No machine code is needed; callable from any thread.
        """
        book = self._book_of(position.game)
        if book is False or not limits.is_for_play or multipv != 1:
            return None
        backend = backend_of(position.game)
        if readiness.is_ready(position.game):
            return backend.opening_line(position, self._chance, book)
        return backend.line_without_kernels(position, self._chance, book)

    def stop(self) -> None:
        """End the running search, if there is one, at once; callable from any thread.

        To stop a search that may not have begun yet, give it a `Stop` and set that.
        """
        running = self._stop
        if running is not None:
            running.set()

    def clear(self) -> None:
        """Forget what was learnt from earlier searches.

        Raises EngineBusyError during a search.
        """
        with self._alone():
            for table in (self._table, self._small_table):
                if table is not None:
                    table.clear()
            if self._solver is not None:
                self._solver.clear()

    def evaluate(self, position: Position) -> EngineScore:
        """The static evaluation of a position, without searching: callable from any thread."""
        from .search.iterative_deepening import evaluate

        return evaluate(backend_of(position.game), position)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise EngineBusyError("the engine is searching: stop it first")
        try:
            yield
        finally:
            self._busy.release()

    def _search_natively(
        self, request: SearchRequest, on_info: Callable[[AnalysisLine], None]
    ) -> Analysis:
        """Search a position of a game that is ready."""
        backend = backend_of(request.position.game)
        self._fit_tables(request.budget)
        is_whole = _reaches_the_end(request.position, request.limits)
        solver = self._open_solver(request.position.game) if is_whole else None
        if solver is None:
            return _search(backend, request, self._open_table(), self._threads, on_info)
        estimate = partial(self._estimate, backend, request)
        return solver.analyse(request, estimate, on_info)

    def _estimate(self, backend: Backend, request: SearchRequest, nodes: int) -> Analysis:
        """A search beside the solver, which has most of the memory for tables."""
        if self._small_table is None:
            self._small_table = _new_table(self._estimate_mb)
        request = replace(
            request, limits=SearchLimits(nodes=nodes), budget=UNLIMITED, began=time.monotonic()
        )
        return _search(backend, request, self._small_table, 1, None)

    def _book_of(self, game: Game) -> bool | OpeningBook:
        """The book for a game: the one in the file, if it is of that game, or the game's own."""
        opened = self._opened_book
        return opened if opened is not None and opened.game == game else self._book is not False

    @property
    def _estimate_mb(self) -> float:
        return min(self._tables_mb * _ESTIMATE_PART, _MOST_FOR_ESTIMATES)

    def _fit_tables(self, budget: Budget) -> None:
        """Drop tables that are much smaller than what a search can fill in its time."""
        filled = max(budget.hard * self._threads * _FILLED_PER_MS, _LEAST_TABLES_MB)
        fitting = min(filled, self._hash_mb)
        if self._tables_mb < fitting / 2:
            self._drop_tables(fitting)

    def _drop_tables(self, megabytes: float) -> None:
        """Forget what was learnt; the tables to come are of that many MB together."""
        self._tables_mb = megabytes
        self._table = self._small_table = None
        self._solver = self._solved_game = None

    def _open_table(self) -> TranspositionTable:
        """The table of a search without a solver: it has all the memory, and a solver goes."""
        if self._solver is not None:
            self._solver = self._solved_game = self._small_table = None
        if self._table is None:
            self._table = _new_table(self._tables_mb)
        return self._table

    def _open_solver(self, game: Game) -> ExactSolver | None:
        """The solver of a game, kept until the memory is needed for another's or for a table."""
        if self._solved_game != game:
            self._solver = self._solved_game = None
            memory = self._tables_mb - self._estimate_mb
            book = self._book_of(game)
            self._solver = backend_of(game).solver(memory, self._threads, book=book)
            self._solved_game = game
            if self._solver is not None:
                self._table = None
        return self._solver


def _since(began: float) -> int:
    return int((time.monotonic() - began) * 1000)


def _new_table(megabytes: float) -> TranspositionTable:
    from .search.table import TranspositionTable

    return TranspositionTable(megabytes)


def _search(
    backend: Backend,
    request: SearchRequest,
    table: TranspositionTable,
    threads: int,
    on_info: Callable[[AnalysisLine], None] | None,
) -> Analysis:
    from .search.iterative_deepening import IterativeDeepening

    return IterativeDeepening(backend, request, table, threads=threads).run(on_info)


def _reaches_the_end(position: Position, limits: SearchLimits) -> bool:
    """Whether a search may look to the end of the game."""
    return limits.depth is None or limits.depth >= position.plies_left


def _in_range(name: str, value: int, most: int) -> int:
    if not 1 <= value <= most:
        raise ValueError(f"{name} must be from 1 to {most}, not {value}")
    return value
