"""The selective search, for iterative deepening."""

from plywire.engine.compiled.native import load
from plywire.engine.compiled.program import Program
from plywire.engine.game import Position
from plywire.engine.othello.confidence import CONFIDENCES
from plywire.engine.othello.memory import OthelloMemory
from plywire.engine.search.generic import salt
from plywire.engine.search.searcher import Iteration
from plywire.engine.search.table import TranspositionTable

SEARCH = Program("othello", "plywire.engine", "plywire.engine.othello.midgame.pv:entries")
"""The search and the static evaluation."""


class MidgameSearcher(OthelloMemory):
    """Searches an Othello position with the confidence of an iteration."""

    def __init__(self, position: Position, table: TranspositionTable, node_limit: int) -> None:
        """The search visits at most `node_limit` nodes."""
        super().__init__(table, salt(position.game), node_limit)
        self._search_root = load(SEARCH).search_root
        self._root = self.address, *position.words()
        self._remaining = position.plies_left

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        level = CONFIDENCES.index(iteration.confidence)
        if iteration.depth >= self._remaining:
            self.provide_near()
        score: int = self._search_root(*self._root, iteration.depth, level, low, high)
        return score
