"""The order of moves; better orders make smaller trees.

The first move is the one with the fewest replies ("fastest first"), where corners count more.
Quarters with an odd number of empty squares come early. Large trees use three more terms. Stable
discs around the corners are good. Empty squares next to the move are bad, because the opponent may
play there. Flipped discs are bad, because most can be flipped back.

The functions take words, or vectors with a move in each lane.
"""

import numpy as np

from plywire.engine.compiled.intrinsics import popcount
from plywire.engine.compiled.kernel import inlined
from plywire.engine.compiled.layout import Word
from plywire.engine.othello.kernels import CORNERS

#: Added to each move score, to keep it positive.
_MANY = np.uint64(1 << 18)
# The weights of three terms for all trees. `_REPLY` counts each reply, and `_CORNER` counts replies
# in corners again. `_ODD` counts if the move is in a quarter with an odd number of empty squares.
_REPLY = np.uint64(28)
_CORNER = np.uint64(24)
_ODD = np.uint64(5)
# The weights of three terms for large trees: stable discs around corners, empty squares next to the
# move, and all discs of the player.
_STABLE = np.uint64(8)
_BESIDE = np.uint64(2)
_DISC = np.uint64(1)

# From the corners on file a, the next square along the rank is one bit higher. From the corners on
# file h, it is one bit lower.
_A_CORNERS, _H_CORNERS = np.uint64(0x0100_0000_0000_0001), np.uint64(0x8000_0000_0000_0080)
# From the low corners, the next square along the file is eight bits higher. From the high corners,
# it is eight bits lower.
_LOW_CORNERS, _HIGH_CORNERS = np.uint64(0x0000_0000_0000_0081), np.uint64(0x8100_0000_0000_0000)
_FILE_A, _FILE_H = np.uint64(0x0101_0101_0101_0101), np.uint64(0x8080_8080_8080_8080)
_FILE_STEP, _RANK_STEP = np.uint64(1), np.uint64(8)


@inlined
def quick_move_score(new: Word, replies: Word, odd: Word) -> Word:
    """Return the move score of a new disc that leaves `replies`."""
    count = _REPLY * popcount(replies) + _CORNER * popcount(replies & CORNERS)
    return _MANY - count + _ODD * popcount(new & odd)


@inlined
def move_score(new: Word, near: Word, mover: Word, waiter: Word, replies: Word, odd: Word) -> Word:
    """Return the move score for large trees; `near` are the squares next to the new disc."""
    beside = popcount(near & ~(mover | waiter))
    score = quick_move_score(new, replies, odd) + _STABLE * popcount(_around_corners(waiter))
    return score - _BESIDE * beside - _DISC * popcount(waiter)


@inlined
def neighbours(disc: Word) -> Word:
    """Return the squares next to a disc, and its own square."""
    row = disc | (disc & ~_FILE_H) << _FILE_STEP | (disc & ~_FILE_A) >> _FILE_STEP
    return row | row << _RANK_STEP | row >> _RANK_STEP


@inlined
def _around_corners(own: Word) -> Word:
    """Return the own discs on corners and next to them on an edge; all of them are stable."""
    beside = (own & _A_CORNERS) << _FILE_STEP | (own & _H_CORNERS) >> _FILE_STEP
    beside |= (own & _LOW_CORNERS) << _RANK_STEP | (own & _HIGH_CORNERS) >> _RANK_STEP
    return (beside | CORNERS) & own
