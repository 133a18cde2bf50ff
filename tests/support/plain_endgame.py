"""Plain alpha-beta to the end of an Othello game: no table, no ordering, no knowledge."""

from typing import Any

import numpy as np

from plywire.engine.compiled.intrinsics import ctz, popcount
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello.kernels import flips, mobility, shipped_board
from plywire.engine.othello.rules import OthelloPosition


@kernel
def _plain(board: Any, own: Any, other: Any, alpha: Any, beta: Any) -> Any:
    moves = mobility(own, other)
    if moves == np.uint64(0):
        if mobility(other, own) == np.uint64(0):
            lead = np.int64(popcount(own)) - np.int64(popcount(other))
            empty = np.int64(popcount(~(own | other)))
            return lead + empty if lead > 0 else lead - empty if lead < 0 else lead
        return -_plain(board, other, own, -beta, -alpha)
    while moves != np.uint64(0):
        square = ctz(moves)
        moves &= moves - np.uint64(1)
        flipped = flips(board, own, other, square)
        disc = np.uint64(1) << square
        score = -_plain(board, other ^ flipped, own | flipped | disc, -beta, -alpha)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return alpha


def plain_score(position: OthelloPosition) -> int:
    """The exact score for the side to move."""
    own, other = (np.uint64(word) for word in position.words())
    return int(_plain(shipped_board(), own, other, np.int64(-64), np.int64(64)))
