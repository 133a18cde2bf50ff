"""What thinks about Othello: a selective search, and an opening book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plywire.engine.search.backend import Backend

from .confidence import iterations, solvable
from .rules import OthelloPosition

if TYPE_CHECKING:
    from random import Random

    from plywire.engine.analysis import AnalysisLine
    from plywire.engine.game import Position
    from plywire.engine.search.searcher import Iteration, Searcher
    from plywire.engine.search.table import TranspositionTable

    from .kernels import OthelloBoard


class OthelloBackend(Backend):
    """Othello."""

    def board(self) -> OthelloBoard:
        """The compiled view of the game."""
        from .kernels import shipped_board

        return shipped_board()

    def searcher(self, position: Position, table: TranspositionTable, node_limit: int) -> Searcher:
        """A selective search."""
        from .midgame.searcher import MidgameSearcher

        return MidgameSearcher(position, table, node_limit)

    def iterations(self, remaining: int, deepest: int) -> Sequence[Iteration]:
        """Depth by depth, then to the end with ever more confidence."""
        return iterations(remaining, deepest)

    def plies_without_thinking(self, plies: int, left: int) -> int:
        """As many as can be searched to the end of the game in a part of the time."""
        return min(solvable(left / 8), plies)

    def opening_line(self, position: Position, chance: Random) -> AnalysisLine | None:
        """A line from the book that comes with the package."""
        from .book.book import shipped_book

        book = shipped_book()
        if book is None or not isinstance(position, OthelloPosition):
            return None
        return book.line(position, chance)
