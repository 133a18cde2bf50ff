"""The children of a node, made at once and tried in the order of their promise.

A node keeps them on its stack:

    words 0..39   the queue: promise above the child's number, best first
    then, for each child, 16 words
                  own, other, square, key, and the 12 words of its pattern indices
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
NODE_WORDS = 40 + 40 * 16

_CHILDREN = np.uint64(40 * 8)
_CHILD_SHIFT = np.uint64(7)
_OTHER = np.uint64(8)
_SQUARE = np.uint64(16)
_KEY = np.uint64(24)
_INDICES = np.uint64(32)
_PROMISE_SHIFT = np.uint64(8)
_NUMBER = np.uint64(0xFF)
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_WORD = np.uint64(8)
#: Keeps promises above 0.
_BIAS = np.int64(1 << 40)
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
    return node + _CHILDREN + (np.uint64(number) << _CHILD_SHIFT)


@kernel
def make_children(context: Any, node: Any, own: Any, other: Any, indices: Any, moves: Any) -> Any:
    """Make the children after a set of moves; returns how many (int64)."""
    board = board_of(context)
    count = np.int64(0)
    while moves != _NONE:
        square = ctz(moves)
        moves &= moves - _ONE
        flipped = flips(board, own, other, square)
        child = child_at(node, count)
        store64(child, other ^ flipped)
        store64(child + _OTHER, own | flipped | _ONE << square)
        store64(child + _SQUARE, square)
        key = position_key(context, other ^ flipped, own | flipped | _ONE << square)
        store64(child + _KEY, key)
        prefetch(bucket_of(context, key))
        advance(board.shares, indices, square, flipped, indices_of(child))
        count += np.int64(1)
    return count


@kernel
def promise(context: Any, child: Any, is_to_end: Any, hint: Any) -> Any:
    """How early to try the move to a child (int64).

    By its estimate, and by how few replies it leaves ("fastest first"), which weighs more where the
    search goes to the end. `hint` is the square to try first, or NO_MOVE.
    """
    if square_of(child) == hint:
        return _FIRST
    own, other = own_of(child), other_of(child)
    replies = mobility(own, other)
    weight = _REPLY_TO_END if is_to_end else _REPLY
    estimate = weigh(board_of(context).weights, popcount(~(own | other)), indices_of(child))
    return -estimate - weight * np.int64(popcount(replies) + popcount(replies & CORNERS))


@kernel
def enqueue(node: Any, queued: Any, promise: Any, number: Any) -> Any:
    """Insert a child into the queue of so many, behind those of higher promise (int64)."""
    word = np.uint64(promise + _BIAS) << _PROMISE_SHIFT | np.uint64(number)
    slot = node + np.uint64(queued) * _WORD
    while slot > node:
        before = load64(slot - _WORD)
        if before >= word:
            break
        store64(slot, before)
        slot -= _WORD
    store64(slot, word)


@kernel
def queued_child(node: Any, place: Any) -> Any:
    """The address of the child at a place of the queue, 0 if it was dropped."""
    word = load64(node + np.uint64(place) * _WORD)
    return child_at(node, word & _NUMBER) if word != _NONE else _NONE


@kernel
def drop(node: Any, place: Any) -> Any:
    """Take a child from its place of the queue."""
    store64(node + np.uint64(place) * _WORD, _NONE)
