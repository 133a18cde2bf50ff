"""What thinks about Tic-Tac-Toe: the search that all games share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywire.engine.search.backend import Backend

if TYPE_CHECKING:
    from .kernels import TicTacToeBoard


class TicTacToeBackend(Backend):
    """Tic-Tac-Toe, which is searched to its end at once."""

    def board(self) -> TicTacToeBoard:
        """The compiled view of the game."""
        from .kernels import TICTACTOE

        return TICTACTOE
