"""Counting the tree of games: the usual check of a game's rules, and of their speed."""

from typing import Any

import numpy as np

from .compiled import kernel
from .intrinsics import popcount
from .kernels import ONGOING, legal, outcome, play

_NONE = np.uint64(0)
_ONE = np.uint64(1)


@kernel
def count(board: Any, own: Any, other: Any, depth: Any):  # type: ignore[no-untyped-def]
    """The leaves of the tree at that depth, and the games finished earlier, as a pair.

    A leaf is a position that many plies on, whether the game is over there or not; a pass is a ply.
    The last ply is counted, not played.
    """
    if depth == 0:
        return _ONE, _NONE
    if outcome(board, own, other) != ONGOING:
        return _NONE, _ONE
    moves = legal(board, own, other)
    if depth == 1:
        return max(popcount(moves), _ONE), _NONE
    if moves == _NONE:
        next_own, next_other = play(board, own, other, _NONE)
        return count(board, next_own, next_other, depth - 1)
    leaves = finished = _NONE
    while moves != _NONE:
        move = moves & (_NONE - moves)
        moves ^= move
        next_own, next_other = play(board, own, other, move)
        below = count(board, next_own, next_other, depth - 1)
        leaves += below[0]
        finished += below[1]
    return leaves, finished
