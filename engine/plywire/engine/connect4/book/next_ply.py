"""Positions with one stone more than a book's last ply, stored as moves from that ply.

Keys would take most of the space. The book has all positions of its last ply in order, except those
that are won at once. The columns of all these positions are numbered consecutively. A position with
one stone more is stored as the number of a column that leads to it. If several columns do, the one
of the position with the smallest key is stored.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.rules import Connect4, Connect4Position

from .before import is_won_at_once, positions_before
from .blocks import KEPT_BLOCKS, Block, Blocks, Bytes, Pieces
from .keys import Words, book_key, least_keys, sides_of, squares_of_columns, stones_of

#: The number that is added to a score to store it as a byte.
SCORE_BIAS = 64
#: Steps from one place to the next are stored as bytes. A longer step begins with this byte and
#: continues in the byte after it.
LONG_STEP = 255


class NextPly:
    """Finds the positions of one ply, with their scores and columns."""

    def __init__(self, game: Connect4, plies: int, before: Blocks, pieces: Pieces) -> None:
        """Raise ValueError unless `pieces` has a piece for each block of `before`."""
        if len(pieces.ends) != len(before.packed.firsts):
            raise ValueError("each block has a piece of the next ply")
        self.pieces = pieces
        self._game = game
        self._plies = plies
        self._before = before
        self._block = lru_cache(KEPT_BLOCKS)(lambda number: Block.of(*self.arrays(number)))

    def find(self, position: Connect4Position, key: int) -> tuple[int, int] | None:
        """Return the score and column of the position with this key, None if it is not held."""
        before = [book_key(each) for each in positions_before(position) if not is_won_at_once(each)]
        for least in sorted(before):
            # The book lacks a position that no game reaches. The first position that it has leads
            # to the block.
            if self._before.find(least) is not None:
                block = self._block(self._before.number_of(least))
                index = block.place_of(key)
                if index is None:
                    return None
                return block.values[index] - SCORE_BIAS, block.values[len(block.keys) + index]
        return None

    def arrays(self, number: int) -> tuple[Words, Bytes]:
        """Return the keys of a block in order; then the bytes of their scores and columns."""
        keys = np.asarray(self._before.block(number).keys)
        keys = keys[np.bitwise_count(stones_of(self._game, keys)) == self._plies]
        content = self.pieces.content(number)
        steps, scores, moves = (np.frombuffer(kind, np.uint8) for kind in content)
        parents, columns = np.divmod(_places_at(steps), self._game.width)
        _, reached = after(self._game, keys[parents], squares_of_columns(self._game)[columns])
        moves_of_all = np.zeros_like(scores)
        moves_of_all[can_have(scores)] = moves
        order = np.argsort(reached)
        return reached[order], np.concatenate((scores[order], moves_of_all[order]))


def can_have(scores: Bytes) -> NDArray[np.bool_]:
    """Return which positions can have a move that keeps the value: those that are not lost."""
    return scores >= SCORE_BIAS


def _places_at(steps: Bytes) -> NDArray[np.int64]:
    places: NDArray[np.int64] = np.cumsum(steps, dtype=np.int64)[steps != LONG_STEP] - 1
    return places


def after(game: Connect4, keys: Words, squares: Words) -> tuple[NDArray[np.bool_], Words]:
    """Return which positions have room for a stone on `squares`, and the keys after the stone."""
    own, other = sides_of(game, keys)
    landing = (own | other) + np.uint64(game.bottom) & squares
    fits: NDArray[np.bool_] = landing != 0
    return fits, least_keys(game, other, own | landing)
