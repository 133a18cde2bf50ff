"""The queue of a node's children: the child with the highest move score comes first.

A queue has a word for each child, in batches of eight; unused words and taken children are 0:

    63             62..16       15..8    7..0
    not deferred   move score   square   number

Deferring a child clears the highest bit, so the child comes after all others.

Nothing is sorted, because the first child is often enough. Finding the largest word needs no branch
that the processor could mispredict.
"""

import numpy as np

from plywire.engine.compiled.constants import BYTE, NONE, WORD
from plywire.engine.compiled.intrinsics import (
    load_u64x8,
    max_reduce,
    store64,
    store_vector,
    u64x8,
)
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Flag, Word

from .batch import BATCH

#: The size of a queue in words, which is enough: no position has 40 moves.
QUEUE_WORDS = 40

_NOT_DEFERRED = np.uint64(1 << 63)
_MOVE_SCORE = np.uint64(16)
_SQUARE = np.uint64(8)


@inlined
def word_of(number: Word, square: Word, move_score: Word) -> Word:
    """Return the word of a child, or a vector of words."""
    return move_score << _MOVE_SCORE | square << _SQUARE | number | _NOT_DEFERRED


@inlined
def clear(queue: Address, count: Word) -> None:
    """Prepare a queue for up to `count` children."""
    for number in range(NONE, count, BATCH):
        store_vector(queue + number * WORD, u64x8(NONE))


@kernel
def put(queue: Address, number: Word, square: Word, move_score: Word) -> Word:
    """Put a child into the queue and return its word; the move score is below 2^47."""
    word = word_of(number, square, move_score)
    store64(queue + number * WORD, word)
    return word


@kernel
def remove(queue: Address, number: Word) -> None:
    """Remove a child from the queue."""
    store64(queue + number * WORD, NONE)


@kernel
def take(queue: Address, count: Word) -> Word:
    """Take the first of `count` children; return its word, 0 if none is left."""
    best = NONE
    # Whole vectors are loaded. From single words, the compiler would build vectors, which takes
    # longer.
    for number in range(NONE, count, BATCH):
        best = max(best, max_reduce(load_u64x8(queue + number * WORD)))
    if best != NONE:
        remove(queue, number_of(best))
    return best


@kernel
def defer(queue: Address, word: Word) -> None:
    """Put a child back, after all children that were never deferred."""
    store64(queue + number_of(word) * WORD, word & ~_NOT_DEFERRED)


@kernel
def is_deferred(word: Word) -> Flag:
    """Return whether a child was deferred."""
    return word & _NOT_DEFERRED == NONE


@kernel
def square_of(word: Word) -> Word:
    """Return the square of the move to a child."""
    return word >> _SQUARE & BYTE


@kernel
def number_of(word: Word) -> Word:
    """Return the number of a child."""
    return word & BYTE
