"""The facade of the engine: importing it loads neither Numba nor the search."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from . import stand_in
from .analysis import Analysis, AnalysisLine, EngineScore
from .game import Game, Position
from .limits import SearchLimits
from .registry import backend_of, read_book
from .search.request import SearchRequest
from .search.stop import Stop as Stop
from .search.tables import Tables
from .search.time_management import Budget, time_budget
from .stages import Opening, Searching, Solving, Stage, analyse

if TYPE_CHECKING:
    from .search.backend import Backend, OpeningBook

DEFAULT_HASH_MB = 64
MAX_HASH_MB = 1 << 18
MAX_THREADS = 1024
#: The random generator that all engines without a seed share. One for each would take 3 KB, as much
#: as the rest of a session.
_CHANCE = random.Random()


class EngineBusyError(RuntimeError):
    """The engine is searching; an engine runs one search at a time."""


class LocalEngine:
    """Searches positions of any game, one at a time, with tables that share a memory limit.

    `stages.py` lists the parts that answer. Engines share only compiled code.
    """

    def __init__(
        self,
        *,
        hash_mb: int = DEFAULT_HASH_MB,
        threads: int = 1,
        book: bool | Path = True,
        seed: int | None = None,
    ) -> None:
        """Make an engine with `hash_mb` MB for all transposition tables together.

        `book` is True for each game's own opening book, False for none, or a file. Chance chooses
        among good book moves; engines with the same `seed` play the same. Raises ValueError if a
        number is out of range or the file is no book, OSError if it is unreadable.
        """
        _in_range("hash", hash_mb, MAX_HASH_MB)
        _in_range("threads", threads, MAX_THREADS)
        self._tables = Tables(hash_mb, threads)
        self._book = book
        self._opened_book = read_book(book) if isinstance(book, Path) else None
        self._chance = _CHANCE if seed is None else random.Random(seed)
        self._staged_game: Game | None = None
        self._stages: Sequence[Stage] = ()
        self._busy = threading.Lock()
        self._stop: Stop | None = None

    def __reduce__(self) -> tuple[Callable[..., LocalEngine], tuple[()]]:
        """Pickle the options, without the seed and without results."""
        options = partial(LocalEngine, hash_mb=self.hash_mb, threads=self.threads, book=self._book)
        return options, ()

    @property
    def hash_mb(self) -> int:
        """The size of all transposition tables together, in MB; setting it drops all results.

        Raises ValueError if out of range, EngineBusyError during a search.
        """
        return self._tables.hash_mb

    @hash_mb.setter
    def hash_mb(self, megabytes: int) -> None:
        _in_range("hash", megabytes, MAX_HASH_MB)
        with self._alone():
            self._tables.hash_mb = megabytes
            self._tables.drop()

    @property
    def threads(self) -> int:
        """The number of search threads; with one thread, equal searches visit equal nodes.

        Raises ValueError if out of range, EngineBusyError during a search.
        """
        return self._tables.threads

    @threads.setter
    def threads(self, count: int) -> None:
        _in_range("threads", count, MAX_THREADS)
        with self._alone():
            if count != self._tables.threads:
                self._tables.drop_solver()
            self._tables.threads = count

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

        Without limits, the search ends when the result is proven or the search is stopped. With
        `movetime` or `clock`, the search also ends at once in two cases:

        * There is only one legal move.
        * An opening book has a move, there are no other limits, and `multipv` is 1.

        `on_info` is called in the calling thread with each of the `multipv` best lines of each
        finished iteration. `budget` replaces the time that follows from the limits.

        Raises EngineBusyError if a search is running. Raises ValueError if `multipv` is below 1, an
        earlier search had the same `stop`, or there is no memory for the table.
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
                if budget is None:
                    budget = time_budget(limits, position, backend.plies_without_thinking)
                request = SearchRequest(position, limits, multipv, stop, began, budget)
                return analyse(self._stages_of(backend), request, on_info or (lambda info: None))
            finally:
                self._stop = None

    def opening_line(
        self, position: Position, limits: SearchLimits, multipv: int = 1
    ) -> AnalysisLine | None:
        """Return the opening book's answer, None if the position must be searched.

        No machine code is needed; callable from any thread.
        """
        backend = backend_of(position.game)
        opening = Opening(backend, self._book_for(backend.game), self._chance)
        return opening.line(position, limits, multipv)

    def stop(self) -> None:
        """End the running search, if there is one, at once; callable from any thread.

        To stop a search that may not have begun, set its `Stop`.
        """
        running = self._stop
        if running is not None:
            running.set()

    def clear(self) -> None:
        """Forget the results of earlier searches; raise EngineBusyError during a search."""
        with self._alone():
            self._tables.clear()

    def evaluate(self, position: Position) -> EngineScore:
        """Return the static evaluation of a position; callable from any thread."""
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

    def _stages_of(self, backend: Backend) -> Sequence[Stage]:
        if self._staged_game != backend.game:
            book, tables = self._book_for(backend.game), self._tables
            self._staged_game = backend.game
            self._stages = (
                Opening(backend, book, self._chance),
                stand_in.search,
                *([Solving(backend, book, tables)] if backend.can_solve else []),
                Searching(backend, tables),
            )
        return self._stages

    def _book_for(self, game: Game) -> bool | OpeningBook:
        """Return the opened book if it is of that game, else whether to use the game's own book."""
        opened = self._opened_book
        return opened if opened is not None and opened.game == game else self._book is not False


def _in_range(name: str, value: int, most: int) -> int:
    if not 1 <= value <= most:
        raise ValueError(f"{name} must be from 1 to {most}, not {value}")
    return value
