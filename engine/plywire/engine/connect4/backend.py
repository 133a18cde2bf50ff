"""What thinks about Connect Four: the search that all games share, and an exact solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from plywire.engine.search.backend import Backend

if TYPE_CHECKING:
    from plywire.engine.search.solver import ExactSolver

    from .kernels import Connect4Board


class Connect4Backend(Backend):
    """Connect Four on a board of any size."""

    can_solve: ClassVar[bool] = True

    def board(self) -> Connect4Board:
        """The compiled view of the game."""
        from .kernels import board_for

        return board_for(self.game.width, self.game.height)

    def solver(self, hash_mb: float, threads: int, *, book: bool = True) -> ExactSolver:
        """A new solver, which knows the opening book of the usual size if wanted."""
        from .solver.analysis import Connect4Solver

        return Connect4Solver(self.game.width, self.game.height, hash_mb, threads, book=book)
