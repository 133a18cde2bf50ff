"""The children of a midgame node.

A node keeps them on its stack:

    the queue
    for each child, one word: its estimate
    for each child, 16 words: own, other, replies, key, and 12 words of pattern indices
"""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import ctz, load64, popcount, prefetch, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Flag, Score, Word
from plywire.engine.othello.child_queue import QUEUE_WORDS
from plywire.engine.othello.evaluation.evaluation import weigh
from plywire.engine.othello.evaluation.indices import advance, exchange
from plywire.engine.othello.kernels import CORNERS, flips, mobility
from plywire.engine.othello.memory import board_of
from plywire.engine.othello.near_table import hash_of
from plywire.engine.search.table import bucket_of
from plywire.engine.search.thread_memory import ROOT

#: The size of a node on the stack, in words.
NODE_WORDS = QUEUE_WORDS * (1 + 1 + 16)

_ESTIMATES = np.uint64(QUEUE_WORDS * 8)
_CHILDREN = np.uint64(2 * QUEUE_WORDS * 8)
_CHILD_SHIFT = np.uint64(7)
_OTHER = np.uint64(8)
_REPLIES = np.uint64(16)
_KEY = np.uint64(24)
_INDICES = np.uint64(32)
#: Added to each move score, to keep it positive.
_BIAS = np.int64(1 << 30)
#: The move score of the hint, which is above all other move scores.
_FIRST = np.uint64(1 << 32)
# The weights of a reply: in searches that end in estimates, and in searches to the end of the game.
# Replies in corners count twice.
_REPLY = np.int64(60)
_REPLY_TO_END = np.int64(400)


@kernel
def own_of(child: Address) -> Word:
    """Return the discs of the player to move in a child."""
    return load64(child)


@kernel
def other_of(child: Address) -> Word:
    """Return the discs of the opponent in a child."""
    return load64(child + _OTHER)


@kernel
def key_of(child: Address) -> Word:
    """Return the child's key in the table."""
    return load64(child + _KEY)


@kernel
def replies_of(child: Address) -> Word:
    """Return the moves in a child."""
    return load64(child + _REPLIES)


@kernel
def indices_of(child: Address) -> Address:
    """Return the address of a child's pattern indices."""
    return child + _INDICES


@kernel
def position_key(context: Address, own: Word, other: Word) -> Word:
    """Return the key of a position in the search's table."""
    return hash_of(own, other) ^ load64(context + ROOT.salt)


@kernel
def child_at(node: Address, number: Word) -> Address:
    """Return the address of a child; children are numbered as they are made."""
    return node + _CHILDREN + (number << _CHILD_SHIFT)


@kernel
def make_children(
    context: Address, node: Address, own: Word, other: Word, indices: Address, moves: Word
) -> Word:
    """Make the children after a set of moves; return their number."""
    board = board_of(context)
    count = NONE
    rest = moves
    # First, the table entries of all children are requested, so that the processor loads them at
    # the same time.
    while rest != NONE:
        square = ctz(rest)
        rest &= rest - ONE
        flipped = flips(board, own, other, square)
        mover = other ^ flipped
        waiter = own | flipped | ONE << square
        key = position_key(context, mover, waiter)
        prefetch(bucket_of(context, key))
        child = child_at(node, count)
        store64(child, mover)
        store64(child + _OTHER, waiter)
        store64(child + _KEY, key)
        count += ONE
    left = popcount(~(own | other)) - ONE
    exchanged = exchange(board.shares, indices)
    for number in range(count):
        child = child_at(node, number)
        mover, waiter = own_of(child), other_of(child)
        store64(child + _REPLIES, mobility(mover, waiter))
        advance(board.shares, exchanged, ctz(moves), mover ^ other, indices_of(child))
        moves &= moves - ONE
        estimate = weigh(board.weights, left, indices_of(child))
        store64(node + _ESTIMATES + number * WORD, np.uint64(estimate))
    return count


@kernel
def estimate_of(node: Address, number: Word) -> Score:
    """Return the estimate of a child, for the player to move in the child (int64)."""
    return np.int64(load64(node + _ESTIMATES + number * WORD))


@kernel
def move_score(node: Address, number: Word, is_to_end: Flag, is_hint: Flag) -> Word:
    """Return the move score (uint64): a low estimate and few replies ("fastest first") are best."""
    if is_hint:
        return _FIRST
    replies = replies_of(child_at(node, number))
    weight = _REPLY_TO_END if is_to_end else _REPLY
    count = np.int64(popcount(replies) + popcount(replies & CORNERS))
    return np.uint64(_BIAS - estimate_of(node, number) - weight * count)
