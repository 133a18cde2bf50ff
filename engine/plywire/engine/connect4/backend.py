"""The backend of Connect Four: the common search of all games, and an exact solver."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from plywire.engine.search.backend import Backend, OpeningBook
from plywire.engine.search.levels import Levels

from .levels import Connect4Levels
from .rules import Connect4Position

if TYPE_CHECKING:
    from random import Random

    from plywire.engine.analysis import AnalysisLine
    from plywire.engine.compiled.native import Wanted
    from plywire.engine.game import Position
    from plywire.engine.search.solver import ExactSolver
    from plywire.engine.search.suite import Suite

    from .kernels import Connect4Board
    from .plain_rules import Connect4PlainRules
    from .solver.solver import Solver


class Connect4Backend(Backend):
    """Connect Four on a board of any size."""

    can_solve: ClassVar[bool] = True
    levels: ClassVar[Levels] = Connect4Levels()
    bench: ClassVar[Sequence[tuple[int, str]]] = (
        (16, ""),
        (16, "4 4"),
        (16, "5 3 3 1"),
        (16, "4 6 3 2 2 2"),
        (16, "3 5 3 4 5 4 4 3"),
        (16, "4 6 2 1 4 4 3 5 4 3"),
        (18, "5 3 3 5 6 3 4 7 6 3 5 3"),
        (42, "2 1 7 4 3 4 3 3 7 5 4 3 4 7 4 4"),
    )

    def exam_plies(self) -> tuple[int, int]:
        """Choose the opening, which the solver and its book know, and the middle game."""
        return 8, 24

    def board(self) -> Connect4Board:
        from .kernels import board_for

        return board_for(self.game.width, self.game.height)

    def plain_rules(self) -> Connect4PlainRules:
        from .plain_rules import Connect4PlainRules

        return Connect4PlainRules(self.game.width, self.game.height)

    def wanted(self) -> Sequence[Wanted]:
        """Return the search, and the solvers for one thread and for several threads."""
        from .solver.solver import solver_wanted

        size = self.game.width, self.game.height
        solvers = (solver_wanted(*size, is_shared=is_shared) for is_shared in (False, True))
        return (*super().wanted(), *solvers)

    @classmethod
    def read_book(cls, file: Path) -> OpeningBook:
        from .book.book import Book

        return Book.load(file)

    def solver(
        self, hash_mb: float, threads: int, *, book: bool | OpeningBook = True
    ) -> ExactSolver:
        from .solver.analysis import Connect4Solver

        return Connect4Solver(self.game.width, self.game.height, hash_mb, threads, book=book)

    def position_solver(self, *, table_mb: int, threads: int, book: bool) -> Solver:
        """Return a solver; a score of k or -k means a win with the winner's k-th last stone."""
        from .book.book import shipped_book
        from .solver.solver import Solver

        size = self.game.width, self.game.height
        known = shipped_book(*size) if book else None
        return Solver(*size, table_mb=table_mb, threads=threads, book=known)

    def suite(self) -> type[Suite]:
        from .solver.suite import Connect4Suite

        return Connect4Suite

    def line_without_kernels(
        self, position: Position, chance: Random, book: bool | OpeningBook = True
    ) -> AnalysisLine | None:
        """Return a line with a best move, None unless the book holds the scores of all moves."""
        from .book.book import Book, shipped_book
        from .book.line import best_line

        known = shipped_book(self.game.width, self.game.height) if book is True else book
        if not isinstance(known, Book) or not isinstance(position, Connect4Position):
            return None
        return best_line(known, position, chance)
