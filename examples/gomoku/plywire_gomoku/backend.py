"""What thinks about Gomoku: the search that all games share."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from plywire.engine.search.backend import Backend
from plywire.engine.search.levels import Levels

from .levels import GomokuLevels

if TYPE_CHECKING:
    from .kernels import GomokuBoard


class GomokuBackend(Backend):
    """Gomoku on a 7x7 board."""

    levels: ClassVar[Levels] = GomokuLevels()

    def board(self) -> GomokuBoard:
        """The compiled view of the game."""
        from .kernels import GOMOKU

        return GOMOKU
