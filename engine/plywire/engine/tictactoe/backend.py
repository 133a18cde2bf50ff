"""The backend of Tic-Tac-Toe: the common search of all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from plywire.engine.search.backend import Backend

if TYPE_CHECKING:
    from .kernels import TicTacToeBoard


class TicTacToeBackend(Backend):
    """Tic-Tac-Toe, which is searched to its end at once."""

    bench: ClassVar[Sequence[tuple[int, str]]] = (
        (9, ""),
        (9, "b2"),
        (9, "a1"),
        (9, "b1"),
        (9, "a1 b2"),
        (9, "b1 a1"),
    )

    def exam_plies(self) -> tuple[int, int]:
        """Choose all positions with more than one move."""
        return 1, 6

    def board(self) -> TicTacToeBoard:
        from .kernels import TICTACTOE

        return TICTACTOE
