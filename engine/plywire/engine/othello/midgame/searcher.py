"""The selective search as iterative deepening knows it."""

from plywire.engine.compiled.native import load
from plywire.engine.compiled.program import Program
from plywire.engine.game import Position
from plywire.engine.othello.confidence import CONFIDENCES
from plywire.engine.othello.endgame.memory import Workspace
from plywire.engine.search.generic import salt
from plywire.engine.search.searcher import Iteration
from plywire.engine.search.stop import Stop
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.thread_memory import ThreadMemory

from .probcut import shipped_table

SEARCH = Program("othello", "plywire.engine", "plywire.engine.othello.midgame.pv:entries")
"""The search, and the evaluation by itself."""


class MidgameSearcher(ThreadMemory):
    """Searches an Othello position with the confidence that an iteration asks for."""

    def __init__(self, position: Position, table: TranspositionTable, node_limit: int) -> None:
        """Prepare a search that uses that table and visits that many nodes at most."""
        self._search_root = load(SEARCH).search_root
        self._workspace = Workspace()
        self._workspace.join(table, salt(position.game), shipped_table())
        self._node_limit = min(node_limit, (1 << 62) - 1)
        super().__init__(table, 0, node_limit)
        self._root = self.address, self._workspace.context, *position.words()
        self._empty = 64 - sum(word.bit_count() for word in position.words())
        self._workspace.prepare(self._stop.address, self._node_limit)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return self._workspace.nodes

    @property
    def aborted(self) -> bool:
        """Whether the last search was cut short, so that its score means nothing."""
        return self._workspace.is_halted or self._stop.is_set

    @property
    def remaining(self) -> int:
        """How many squares are empty."""
        return self._empty

    def use_stop(self, stop: Stop) -> None:
        """Let that token end the searches from now on; before the first, none does."""
        super().use_stop(stop)
        self._workspace.use_stop(stop.address)

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        """Search to a depth between two bounds."""
        level = CONFIDENCES.index(iteration.confidence)
        if iteration.depth >= self._empty:
            self._workspace.provide_near()
        score: int = self._search_root(*self._root, iteration.depth, level, low, high)
        return score
