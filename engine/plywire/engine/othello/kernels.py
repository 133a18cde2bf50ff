"""Othello's kernels; `rules.py` draws the layout.

Each lane of a vector works on one of the four lines through a square. Neighbours are 1 bit apart
along the rank, 8 along the file, 9 and 7 along the diagonals.
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

#: Three sets of squares: the corners, the squares diagonally next to corners, and the squares next
#: to corners on an edge.
CORNERS = np.uint64(0x8100_0000_0000_0081)
X_SQUARES = np.uint64(0x0042_0000_0000_4200)
C_SQUARES = np.uint64(0x4281_0000_0000_8142)

#: The squares of the files b to g.
INNER_FILES = np.uint64(0x7E7E_7E7E_7E7E_7E7E)

_TOP = np.uint64(1 << 63)
_SIZE = np.uint64(64)


class OthelloBoard(NamedTuple):
    """The addresses of the kernels' tables."""

    rays: np.uint64
    shares: np.uint64
    weights: np.uint64
    rays_both_ways: np.uint64


def _ray(square: int, right: int, up: int) -> int:
    file, rank = square % 8 + right, square // 8 + up
    squares = 0
    while 0 <= file < 8 and 0 <= rank < 8:
        squares |= 1 << rank * 8 + file
        file, rank = file + right, rank + up
    return squares


_UPWARDS = ((1, 0), (0, 1), (1, 1), (-1, 1))

#: A row for each square: its four rays to higher bits, then its four rays to lower bits. The last
#: row is for the pass, which has no rays.
RAYS = np.array(
    [
        [_ray(square, sign * right, sign * up) for sign in (1, -1) for right, up in _UPWARDS]
        for square in range(64)
    ]
    + [[0] * 8],
    dtype=np.uint64,
)
#: The rays for `batch.py`, which reverses the boards in the upper four lanes. So all eight rays of
#: a square lead to higher bits. Each row fills a cache line.
RAYS_BOTH_WAYS = zeroed(RAYS.nbytes).reshape(RAYS.shape)
RAYS_BOTH_WAYS[:64] = np.hstack([RAYS[:64, :4], RAYS[63::-1, :4]])


@cache
def shipped_board() -> OthelloBoard:
    """Return the board with the shipped evaluation."""
    return board_with(shipped_tables())


def board_with(tables: Tables) -> OthelloBoard:
    """Return the board with the evaluation by `tables`, which must outlive it."""
    addresses = (array.ctypes.data for array in (RAYS, SHARES, tables, RAYS_BOTH_WAYS))
    return OthelloBoard(*map(np.uint64, addresses))


@kernel
def mobility(own: Word, other: Word) -> Word:
    """Return the squares where a disc flips something, by parallel prefixes (Kogge and Stone)."""
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
    """Return the opponent's discs that a new disc encloses, none for a pass (square 64).

    Upwards, adding 1 to a ray carries through the opponent's discs to the first other square.
    Downwards, this square is the highest bit of the ray without the opponent's discs. If it holds
    an own disc, the discs before it are flipped.
    """
    row = board.rays + square * _SIZE
    up = load_u64x4(row)
    down = load_u64x4(row + np.uint64(32))
    end_up = ((other | ~up) + 1) & up & own
    flipped = (end_up - 1 - (end_up == 0)) & up
    # `| 1` keeps the count of `clz` below 64. If bit 0 is not in the ray, `& down` removes it.
    end_down = (u64x4(_TOP) >> clz(~other & down | 1)) & down & own
    flipped |= ((0 - end_down) << 1) & down
    return or_reduce(flipped)


@kernel
def final_score(own: Word, other: Word) -> Score:
    """Return the score of a finished game in discs (int64); the winner gets the empty squares."""
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
    """Rate moves: few replies are best, corners come first, squares next to them last."""
    next_own, next_other = play(board, own, other, move)
    replies = mobility(next_own, next_other)
    value = np.uint64(128) - popcount(replies) - popcount(replies & CORNERS)
    value += popcount(move & CORNERS) << np.uint64(5)
    value -= popcount(move & X_SQUARES) << np.uint64(3)
    return value - (popcount(move & C_SQUARES) << np.uint64(1))
