"""Which move first: the better the guess, the smaller the tree.

The move that leaves the opponent the fewest replies ("fastest first"), with corners weighing more,
and quarters with an odd number of empty squares first.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled import kernel
from plywire.engine.intrinsics import load64, popcount, store64
from plywire.engine.othello.endgame.memory import QUEUE
from plywire.engine.othello.kernels import CORNERS

_NONE = np.uint64(0)
_TWO = np.uint64(2)
_WORD = np.uint64(8)
# A child in the queue is one word: its promise above the square above its place in the frame.
_PROMISE = np.uint64(16)
_SQUARE = np.uint64(8)
_BYTE = np.uint64(0xFF)

#: Above every promise.
FIRST = np.uint64(1 << 20)
#: Keeps promises above 0: no position has as many replies.
_MANY = np.uint64(1 << 18)
# How much a reply, and an odd quarter, weigh.
_REPLY = np.uint64(8)
_ODD = np.uint64(4)


@kernel
def promise(replies: Any, is_odd: Any) -> Any:
    """How early to try a move that leaves some replies, a corner counting as three of them."""
    count = popcount(replies) + _TWO * popcount(replies & CORNERS)
    return _MANY - _REPLY * count + (_ODD if is_odd else _NONE)


@kernel
def enqueue(frame: Any, value: Any, square: Any, index: Any) -> Any:
    """Put a child of a frame into its queue."""
    word = value << _PROMISE | square << _SQUARE | index
    store64(frame + QUEUE + index * _WORD, word)


@kernel
def leave_out(frame: Any, index: Any) -> Any:
    """Leave a child of a frame out of its queue."""
    store64(frame + QUEUE + index * _WORD, _NONE)


@kernel
def take(frame: Any, count: Any) -> Any:
    """The child of the highest promise of so many, taken from the queue; 0 if none is left.

    Of few children the best is found sooner than all are sorted, and often the first is enough.
    """
    best = _NONE
    for index in range(count):
        best = max(best, load64(frame + QUEUE + np.uint64(index) * _WORD))
    if best != _NONE:
        leave_out(frame, best & _BYTE)
    return best


@kernel
def square_of(word: Any) -> Any:
    """The square of the move to a queued child."""
    return word >> _SQUARE & _BYTE


@kernel
def child_of(frame: Any, word: Any) -> Any:
    """The address of a queued child."""
    return frame + (word & _BYTE) * _WORD
