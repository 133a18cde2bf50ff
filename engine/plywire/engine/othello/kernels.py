"""Othello, compiled; the layout is drawn in `rules.py`.

Each lane of a vector works on one of the four lines through a square: 1 bit apart along the rank,
8 along the file, 9 and 7 along the diagonals.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from plywire.engine.compiled.constants import ALL, NONE
from plywire.engine.compiled.contract import (
    ONGOING,
    evaluate,
    implements,
    legal,
    order,
    outcome,
    play,
)
from plywire.engine.compiled.intrinsics import clz, ctz, load_u64x4, or_reduce, popcount, u64x4
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Score, Word
from plywire.engine.compiled.memory import zeroed

from .evaluation.evaluation import estimate
from .evaluation.indices import SHARES
from .evaluation.weights import Tables, shipped_tables

#: The corners, the squares diagonally next to them, and those next to them on the edge.
CORNERS = np.uint64(0x8100_0000_0000_0081)
X_SQUARES = np.uint64(0x0042_0000_0000_4200)
C_SQUARES = np.uint64(0x4281_0000_0000_8142)

#: All but the outer two files.
INNER_FILES = np.uint64(0x7E7E_7E7E_7E7E_7E7E)

_TOP = np.uint64(1 << 63)
_SIZE = np.uint64(64)


class OthelloBoard(NamedTuple):
    """Where the kernels find their tables."""

    rays: np.uint64
    """Address of `_RAYS`."""
    shares: np.uint64
    """Address of `indices.SHARES`."""
    weights: np.uint64
    """Address of the evaluation's tables."""
    rays_both_ways: np.uint64
    """Address of `_RAYS_BOTH_WAYS`."""


def _ray(square: int, right: int, up: int) -> int:
    """The squares that lie in one direction from a square."""
    file, rank = square % 8 + right, square // 8 + up
    squares = 0
    while 0 <= file < 8 and 0 <= rank < 8:
        squares |= 1 << rank * 8 + file
        file, rank = file + right, rank + up
    return squares


_UPWARDS = ((1, 0), (0, 1), (1, 1), (-1, 1))

#: Eight words a square: the rays to higher bits along the four lines, then those to lower bits.
#: The last row serves the pass, which has no square and thus no rays.
_RAYS = np.array(
    [
        [_ray(square, sign * right, sign * up) for sign in (1, -1) for right, up in _UPWARDS]
        for square in range(64)
    ]
    + [[0] * 8],
    dtype=np.uint64,
)
#: The same for boards that are reversed in the upper four lanes, see `batch.py`: there, all rays
#: lead to higher bits. A row is as long as a cache line and begins where one does.
_RAYS_BOTH_WAYS = zeroed(_RAYS.nbytes).reshape(_RAYS.shape)
_RAYS_BOTH_WAYS[:64] = np.hstack([_RAYS[:64, :4], _RAYS[63::-1, :4]])


@cache
def shipped_board() -> OthelloBoard:
    """The board, with the evaluation that the package ships."""
    return board_with(shipped_tables())


def board_with(tables: Tables) -> OthelloBoard:
    """The board with an evaluation by the given tables, which must outlive it."""
    addresses = (array.ctypes.data for array in (_RAYS, SHARES, tables, _RAYS_BOTH_WAYS))
    return OthelloBoard(*map(np.uint64, addresses))


@kernel
def mobility(own: Word, other: Word) -> Word:
    """The empty squares on which a disc would flip at least one of the other's.

    Floods from all own discs over the other's, in parallel-prefix steps after Kogge and Stone.
    """
    step = u64x4(1, 8, 9, 7)
    double = u64x4(2, 16, 18, 14)
    starts = u64x4(own)
    inner = other & u64x4(INNER_FILES, ALL, INNER_FILES, INNER_FILES)
    pairs_up = inner & inner << step
    pairs_down = pairs_up >> step
    up = inner & starts << step
    down = inner & starts >> step
    up |= inner & up << step
    down |= inner & down >> step
    up |= pairs_up & up << double
    down |= pairs_down & down >> double
    up |= pairs_up & up << double
    down |= pairs_down & down >> double
    return or_reduce(up << step | down >> step) & ~(own | other)


@kernel
def flips(board: OthelloBoard, own: Word, other: Word, square: Word) -> Word:
    """The discs of the other that a new disc encloses, none for a pass (square 64).

    Upwards, adding one to the ray carries through the other's discs to the first square that is
    not theirs; downwards, that square is the highest bit of the ray without theirs. If an own disc
    stands there, what lies between is flipped.
    """
    row = board.rays + square * _SIZE
    up = load_u64x4(row)
    down = load_u64x4(row + np.uint64(32))
    end_up = ((other | ~up) + 1) & up & own
    flipped = (end_up - 1 - (end_up == 0)) & up
    # The set bit 0 keeps the count below 64; where it is not of the ray, the mask drops it.
    end_down = (u64x4(_TOP) >> clz(~other & down | 1)) & down & own
    flipped |= ((0 - end_down) << 1) & down
    return or_reduce(flipped)


@kernel
def final_score(own: Word, other: Word) -> Score:
    """The score of a finished game in discs (int64): empty squares count for the winner."""
    mine = np.int64(popcount(own))
    theirs = np.int64(popcount(other))
    if mine > theirs:
        return np.int64(64) - np.int64(2) * theirs
    if mine < theirs:
        return np.int64(2) * mine - np.int64(64)
    return np.int64(0)


@implements(legal, OthelloBoard)
def _legal(board: OthelloBoard, own: Word, other: Word) -> Word:
    return mobility(own, other)


@implements(play, OthelloBoard)
def _play(board: OthelloBoard, own: Word, other: Word, move: Word) -> tuple[Word, Word]:
    flipped = flips(board, own, other, ctz(move))
    return other ^ flipped, own | flipped | move


@implements(outcome, OthelloBoard)
def _outcome(board: OthelloBoard, own: Word, other: Word) -> Score:
    if mobility(own, other) != NONE or mobility(other, own) != NONE:
        return np.int64(ONGOING)
    return np.int64(100) * final_score(own, other)


@implements(evaluate, OthelloBoard)
def _evaluate(board: OthelloBoard, own: Word, other: Word) -> Score:
    return estimate(board.weights, board.shares, own, other)


@implements(order, OthelloBoard)
def _order(board: OthelloBoard, own: Word, other: Word, move: Word) -> Word:
    """The fewer replies, the earlier; corners first of all, the squares beside them last."""
    next_own, next_other = play(board, own, other, move)
    replies = mobility(next_own, next_other)
    value = np.uint64(128) - popcount(replies) - popcount(replies & CORNERS)
    value += popcount(move & CORNERS) << np.uint64(5)
    value -= popcount(move & X_SQUARES) << np.uint64(3)
    return value - (popcount(move & C_SQUARES) << np.uint64(1))
