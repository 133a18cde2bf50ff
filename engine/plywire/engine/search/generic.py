"""The search for any game, as iterative deepening knows it."""

import hashlib
from functools import cache
from typing import Any

import numpy as np

from plywire.engine.game import Game, Position

from .alphabeta import search_root
from .searcher import Iteration
from .table import TranspositionTable
from .thread_memory import ThreadMemory


class GenericSearcher(ThreadMemory):
    """Searches a position of any game; leaves nothing out, so it is always confident."""

    def __init__(
        self, board: Any, position: Position, table: TranspositionTable, node_limit: int
    ) -> None:
        """Prepare a search that uses that table and visits that many nodes at most."""
        super().__init__(table, salt(position.game), node_limit)
        own, other = position.words()
        self._root = board, self.address, np.uint64(own), np.uint64(other)

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        """Search to a depth between two bounds."""
        return int(search_root(*self._root, iteration.depth, low, high))


@cache
def salt(game: Game) -> int:
    """A number that no other game or board size has, the same in every process."""
    digest = hashlib.blake2b(f"{game.name} {game.size}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
