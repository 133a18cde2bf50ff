"""The common search of all games, for iterative deepening."""

import hashlib
from functools import cache
from typing import Any

from plywire.engine.compiled.native import load
from plywire.engine.compiled.program import Program
from plywire.engine.game import Game, Position

from .alphabeta import OWN_ARRAYS
from .searcher import Iteration
from .table import TranspositionTable
from .thread_memory import ThreadMemory


class GenericSearcher(ThreadMemory):
    """Searches a position of any game; prunes nothing without proof."""

    def __init__(
        self,
        program: Program,
        board: Any,
        position: Position,
        table: TranspositionTable,
        node_limit: int,
    ) -> None:
        """`program` has the entries of `alphabeta.py`; `node_limit` is the maximum of nodes."""
        super().__init__(table, salt(position.game), node_limit, OWN_ARRAYS)
        self._search_root = load(program).search_root
        self._root = (*map(int, board), self.address, *position.words())

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        score: int = self._search_root(*self._root, iteration.depth, low, high)
        return score


@cache
def salt(game: Game) -> int:
    """Return a number that is unique to a game and board size, the same in every process."""
    digest = hashlib.blake2b(f"{game.name} {game.size}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
