"""What thinks about Tic-Tac-Toe: the search that all games share."""

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
        """Wherever there is a choice."""
        return 1, 6

    def board(self) -> TicTacToeBoard:
        """The compiled view of the game."""
        from .kernels import TICTACTOE

        return TICTACTOE
