"""The tables of one engine, which share a memory limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .time_management import Budget

if TYPE_CHECKING:
    from plywire.engine.game import Game

    from .backend import Backend, OpeningBook
    from .solver import ExactSolver
    from .table import TranspositionTable

#: MB of a table that one thread can fill in a ms. A table that a search cannot fill would only take
#: time to allocate.
_FILLED_PER_MS = 1 / 6
_LEAST_MB = 1
#: The part of the memory that a search for estimates gets next to a solver, and its maximum in MB.
ESTIMATE_PART = 1 / 16
MOST_FOR_ESTIMATES = 1


class Tables:
    """Makes tables and a solver on demand, and drops those whose memory is needed."""

    def __init__(self, hash_mb: int, threads: int) -> None:
        """Make no table yet; use at most `hash_mb` MB."""
        self.hash_mb = hash_mb
        self.threads = threads
        self.drop()

    def drop(self, megabytes: float = 0) -> None:
        """Drop all tables; the next ones take `megabytes` together."""
        self._mb = megabytes
        self._table: TranspositionTable | None = None
        self._small_table: TranspositionTable | None = None
        self.drop_solver()

    def drop_solver(self) -> None:
        self._solver: ExactSolver | None = None
        self._solved_game: Game | None = None

    def fit(self, budget: Budget) -> None:
        """Drop tables that are much smaller than a search can fill in its time."""
        filled = max(budget.hard * self.threads * _FILLED_PER_MS, _LEAST_MB)
        fitting = min(filled, self.hash_mb)
        if self._mb < fitting / 2:
            self.drop(fitting)

    def clear(self) -> None:
        """Forget all results, but keep the memory."""
        for holder in (self._table, self._small_table, self._solver):
            if holder is not None:
                holder.clear()

    def table(self) -> TranspositionTable:
        """Return the table that takes all memory, for a game without a solver."""
        if self._solver is not None:
            self._small_table = None
            self.drop_solver()
        if self._table is None:
            self._table = _new_table(self._mb)
        return self._table

    def small_table(self) -> TranspositionTable:
        """Return the small table for searches in a game whose solver takes most of the memory."""
        if self._small_table is None:
            self._small_table = _new_table(self._estimate_mb)
        return self._small_table

    def solver(self, backend: Backend, book: bool | OpeningBook) -> ExactSolver | None:
        """Return the solver of a game, kept until another game or a table needs the memory."""
        if self._solved_game != backend.game:
            self.drop_solver()
            memory = self._mb - self._estimate_mb
            self._solver = backend.solver(memory, self.threads, book=book)
            self._solved_game = backend.game
            if self._solver is not None:
                self._table = None
        return self._solver

    @property
    def _estimate_mb(self) -> float:
        return min(self._mb * ESTIMATE_PART, MOST_FOR_ESTIMATES)


def _new_table(megabytes: float) -> TranspositionTable:
    from .table import TranspositionTable

    return TranspositionTable(megabytes)
