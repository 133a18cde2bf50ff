"""Which move first: the better the guess, the smaller the tree.

The move that leaves the opponent the fewest replies ("fastest first"), with corners weighing more,
and quarters with an odd number of empty squares first. Where the tree below is large enough, three
more things count: stable discs about the corners; empty squares beside the move, of which each may
be the opponent's next; and the discs that it flips, as these can mostly be flipped back.

All of that is the same for words and for vectors, in which each lane is another move.
"""

import numpy as np

from plywire.engine.compiled.intrinsics import popcount
from plywire.engine.compiled.kernel import inlined
from plywire.engine.compiled.layout import Word
from plywire.engine.othello.kernels import CORNERS

#: Keeps move scores above 0: no position has as many replies.
_MANY = np.uint64(1 << 18)
# What a reply weighs, what one to a corner weighs more, and what an odd quarter weighs.
_REPLY = np.uint64(28)
_CORNER = np.uint64(24)
_ODD = np.uint64(5)
# What stable discs about the corners weigh, empty squares beside the move, and all discs.
_STABLE = np.uint64(8)
_BESIDE = np.uint64(2)
_DISC = np.uint64(1)

# The corners from which a step along the edge leads to a higher square or to a lower one.
_A_CORNERS, _H_CORNERS = np.uint64(0x0100_0000_0000_0001), np.uint64(0x8000_0000_0000_0080)
_LOW_CORNERS, _HIGH_CORNERS = np.uint64(0x0000_0000_0000_0081), np.uint64(0x8100_0000_0000_0000)
_FILE_A, _FILE_H = np.uint64(0x0101_0101_0101_0101), np.uint64(0x8080_8080_8080_8080)
_FILE_STEP, _RANK_STEP = np.uint64(1), np.uint64(8)


@inlined
def quick_move_score(new: Word, replies: Word, odd: Word) -> Word:
    """How early to try a move that places a new disc and leaves some replies."""
    count = _REPLY * popcount(replies) + _CORNER * popcount(replies & CORNERS)
    return _MANY - count + _ODD * popcount(new & odd)


@inlined
def move_score(new: Word, near: Word, mover: Word, waiter: Word, replies: Word, odd: Word) -> Word:
    """How early to try it if the positions below are many.

    `near` are the squares next to the new disc; `mover` has the replies to `waiter`.
    """
    beside = popcount(near & ~(mover | waiter))
    score = quick_move_score(new, replies, odd) + _STABLE * popcount(_around_corners(waiter))
    return score - _BESIDE * beside - _DISC * popcount(waiter)


@inlined
def neighbours(disc: Word) -> Word:
    """The squares next to a disc, and its own."""
    row = disc | (disc & ~_FILE_H) << _FILE_STEP | (disc & ~_FILE_A) >> _FILE_STEP
    return row | row << _RANK_STEP | row >> _RANK_STEP


@inlined
def _around_corners(own: Word) -> Word:
    """The own discs on corners, and those next to one of them on an edge: all are stable."""
    beside = (own & _A_CORNERS) << _FILE_STEP | (own & _H_CORNERS) >> _FILE_STEP
    beside |= (own & _LOW_CORNERS) << _RANK_STEP | (own & _HIGH_CORNERS) >> _RANK_STEP
    return (beside | CORNERS) & own
