"""What thinks about Gomoku: the search that all games share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plywire.engine.search.backend import Backend

if TYPE_CHECKING:
    from .kernels import GomokuBoard


class GomokuBackend(Backend):
    """Gomoku on a 7x7 board."""

    def board(self) -> GomokuBoard:
        """The compiled view of the game."""
        from .kernels import GOMOKU

        return GOMOKU
