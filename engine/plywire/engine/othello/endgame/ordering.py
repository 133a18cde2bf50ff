"""Which move first: the better the guess, the smaller the tree.

With few squares left, the move that leaves the opponent the fewest replies ("fastest first"), with
corners weighing more, and quarters with an odd number of empty squares first. With more, the
estimate after a shallow search as well.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled import kernel
from plywire.engine.intrinsics import ctz, load64, popcount, store64
from plywire.engine.kernels import evaluate
from plywire.engine.othello.endgame.last import final_score
from plywire.engine.othello.endgame.memory import QUEUE, board_of, is_stopped
from plywire.engine.othello.kernels import CORNERS, flips, mobility

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_WORD = np.uint64(8)
# A child in the queue is one word: its promise above the square above its place in the frame.
_PROMISE = np.uint64(16)
_SQUARE = np.uint64(8)
_BYTE = np.uint64(0xFF)

#: Estimates are in hundredths of a disc, below this.
_FAR = np.int64(10_000)
#: Above every promise.
FIRST = np.uint64(1 << 20)
#: Keeps promises above 0: no position has as many replies.
_MANY = np.uint64(1 << 18)
# How much a reply, and an odd quarter, weigh: by themselves, and beside an estimate.
_REPLY = np.uint64(8)
_ODD = np.uint64(4)
_REPLY_BESIDE_ESTIMATE = np.uint64(400)
#: Squares left for which a shallow search has depth 0; and how many more add a ply to it.
ESTIMATED_EMPTY = np.uint64(14)
_EMPTY_A_PLY = np.uint64(3)
#: More plies than this cost more than they save.
_DEEPEST = np.uint64(4)


@kernel
def _replies(own: Any, other: Any) -> Any:
    """How many moves there are, a corner counting as three."""
    moves = mobility(own, other)
    return popcount(moves) + _TWO * popcount(moves & CORNERS)


@kernel
def promise(own: Any, other: Any, is_odd: Any) -> Any:
    """How early to try the move that leads to a position."""
    return _MANY - _REPLY * _replies(own, other) + (_ODD if is_odd else _NONE)


@kernel
def estimated_promise(context: Any, own: Any, other: Any, empty: Any) -> Any:
    """The same where the parent has that many empty squares, enough for a shallow search."""
    depth = np.int64(min((empty - ESTIMATED_EMPTY) // _EMPTY_A_PLY, _DEEPEST))
    score = -shallow(context, own, other, depth, -_FAR, _FAR)
    return np.uint64(np.int64(_MANY) + score) - _REPLY_BESIDE_ESTIMATE * _replies(own, other)


@kernel
def shallow(context: Any, own: Any, other: Any, depth: Any, alpha: Any, beta: Any) -> Any:
    """The estimate after a fail-soft alpha-beta search, in hundredths of a disc.

    Means nothing once the search is stopped.
    """
    if depth > np.int64(0) and is_stopped(context):
        return alpha
    board = board_of(context)
    moves = mobility(own, other)
    if moves == _NONE:
        if mobility(other, own) == _NONE:
            return np.int64(100) * final_score(own, other)
        if depth > np.int64(0):
            return -shallow(context, other, own, depth, -beta, -alpha)
    if depth <= np.int64(0):
        return evaluate(board, own, other)
    best = -_FAR
    while moves != _NONE:
        square = ctz(moves)
        moves &= moves - _ONE
        flipped = flips(board, own, other, square)
        child = own | flipped | _ONE << square
        score = -shallow(context, other ^ flipped, child, depth - np.int64(1), -beta, -alpha)
        best = max(best, score)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return best


@kernel
def enqueue(frame: Any, queued: Any, value: Any, square: Any, index: Any) -> Any:
    """Insert a child into the queue of a frame, behind those of higher promise."""
    word = value << _PROMISE | square << _SQUARE | index
    start = frame + QUEUE
    slot = start + queued * _WORD
    while slot > start:
        before = load64(slot - _WORD)
        if before >= word:
            break
        store64(slot, before)
        slot -= _WORD
    store64(slot, word)


@kernel
def square_of(word: Any) -> Any:
    """The square of the move to a queued child."""
    return word >> _SQUARE & _BYTE


@kernel
def child_of(frame: Any, word: Any) -> Any:
    """The address of a queued child."""
    return frame + (word & _BYTE) * _WORD
