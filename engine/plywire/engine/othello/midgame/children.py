"""The children of a node, made at once and tried in the order of their promise.

A node keeps them on its stack:

    words 0..39   the queue: for each child its promise above its number, 0 once it was taken
    then, for each child, 17 words
                  own, other, square, key, replies, and the 12 words of its pattern indices
"""

from typing import Any

import numpy as np

from plywire.engine.compiled import kernel
from plywire.engine.intrinsics import ctz, load64, popcount, prefetch, store64
from plywire.engine.othello.endgame.memory import BUCKETS, SALT, TABLE, board_of
from plywire.engine.othello.endgame.table import hash_of
from plywire.engine.othello.evaluation import weigh
from plywire.engine.othello.indices import advance
from plywire.engine.othello.kernels import CORNERS, flips, mobility
from plywire.engine.search.table import bucket_address

#: Words on the stack of a node: no position has 40 moves.
NODE_WORDS = 40 + 40 * 17

_CHILDREN = np.uint64(40 * 8)
_CHILD = np.uint64(17 * 8)
_OTHER = np.uint64(8)
_SQUARE = np.uint64(16)
_KEY = np.uint64(24)
_REPLIES = np.uint64(32)
_INDICES = np.uint64(40)
_PROMISE_SHIFT = np.uint64(8)
_NUMBER = np.uint64(0xFF)
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_WORD = np.uint64(8)
#: Keeps promises above 0.
_BIAS = np.int64(1 << 40)
#: Set in a child's word in the queue until it is put off.
_EAGER = np.uint64(1 << 63)
#: Above every promise.
_FIRST = np.int64(1 << 30)
# What a reply weighs, a corner counting twice: beside an estimate, and beside a final score.
_REPLY = np.int64(60)
_REPLY_TO_END = np.int64(400)


@kernel
def own_of(child: Any) -> Any:
    """The discs of who is to move in a child."""
    return load64(child)


@kernel
def other_of(child: Any) -> Any:
    """The discs of who made the move that leads to it."""
    return load64(child + _OTHER)


@kernel
def square_of(child: Any) -> Any:
    """Where that move landed."""
    return load64(child + _SQUARE)


@kernel
def key_of(child: Any) -> Any:
    """The child's key in the table."""
    return load64(child + _KEY)


@kernel
def replies_of(child: Any) -> Any:
    """The moves in the child."""
    return load64(child + _REPLIES)


@kernel
def indices_of(child: Any) -> Any:
    """The address of the child's pattern indices."""
    return child + _INDICES


@kernel
def position_key(context: Any, own: Any, other: Any) -> Any:
    """The key of a position in the search's table."""
    return hash_of(own, other) ^ load64(context + SALT)


@kernel
def bucket_of(context: Any, key: Any) -> Any:
    """The address of a key's bucket in the search's table."""
    return bucket_address(load64(context + TABLE), load64(context + BUCKETS), key)


@kernel
def child_at(node: Any, number: Any) -> Any:
    """The address of a child, by the order in which they were made."""
    return node + _CHILDREN + np.uint64(number) * _CHILD


@kernel
def make_children(context: Any, node: Any, own: Any, other: Any, indices: Any, moves: Any) -> Any:
    """Make the children after a set of moves; returns how many (int64)."""
    board = board_of(context)
    count = np.int64(0)
    while moves != _NONE:
        square = ctz(moves)
        moves &= moves - _ONE
        flipped = flips(board, own, other, square)
        mover = other ^ flipped
        waiter = own | flipped | _ONE << square
        child = child_at(node, count)
        store64(child, mover)
        store64(child + _OTHER, waiter)
        store64(child + _SQUARE, square)
        key = position_key(context, mover, waiter)
        store64(child + _KEY, key)
        prefetch(bucket_of(context, key))
        store64(child + _REPLIES, mobility(mover, waiter))
        advance(board.shares, indices, square, flipped, indices_of(child))
        count += np.int64(1)
    return count


@kernel
def promise(context: Any, child: Any, empty: Any, is_to_end: Any, hint: Any) -> Any:
    """How early to try the move to a child (int64).

    By its estimate, and by how few replies it leaves ("fastest first"), which weighs more where the
    search goes to the end. `empty` is the number of the child's empty squares, `hint` the square to
    try first, or NO_MOVE.
    """
    if square_of(child) == hint:
        return _FIRST
    replies = replies_of(child)
    weight = _REPLY_TO_END if is_to_end else _REPLY
    estimate = weigh(board_of(context).weights, empty, indices_of(child))
    return -estimate - weight * np.int64(popcount(replies) + popcount(replies & CORNERS))


@kernel
def enqueue(node: Any, promise: Any, number: Any) -> Any:
    """Put a child into the queue."""
    word = np.uint64(promise + _BIAS) << _PROMISE_SHIFT | np.uint64(number)
    store64(node + np.uint64(number) * _WORD, _EAGER | word)


@kernel
def leave_out(node: Any, number: Any) -> Any:
    """Leave a child out of the queue."""
    store64(node + np.uint64(number) * _WORD, _NONE)


@kernel
def take(node: Any, count: Any) -> Any:
    """The word of the most promising of so many children, taken from the queue; 0 if none is left.

    Often the first is enough, so they are not sorted.
    """
    best = _NONE
    for number in range(count):
        best = max(best, load64(node + np.uint64(number) * _WORD))
    if best != _NONE:
        leave_out(node, best & _NUMBER)
    return best


@kernel
def child_of(node: Any, word: Any) -> Any:
    """The address of a child that was taken from the queue."""
    return child_at(node, word & _NUMBER)


@kernel
def is_eager(word: Any) -> Any:
    """Whether a child was never put off."""
    return word & _EAGER != _NONE


@kernel
def put_off(node: Any, word: Any) -> Any:
    """Put a child back into the queue, behind all that were never put off."""
    store64(node + (word & _NUMBER) * _WORD, word & ~_EAGER)
