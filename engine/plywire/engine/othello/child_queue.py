"""The queue of a node's children: the one of the highest move score is taken first.

A queue has a word for each child:

    63             62..16       15..8    7..0
    not deferred   move score   square   number

The highest bit is set until the child is deferred, which puts it behind all that never were.
`square` is where the move lands that leads to it, and `number` is the child's place. The word is 0
once the child was taken. Words fill batches of eight: those behind the last child are 0.

Nothing is sorted: often the first child is enough, and of a few words the greatest is found without
a branch that the processor could mispredict.
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

#: Words of a queue, in whole batches: no position has 40 moves.
QUEUE_WORDS = 40

_NOT_DEFERRED = np.uint64(1 << 63)
_MOVE_SCORE = np.uint64(16)
_SQUARE = np.uint64(8)


@inlined
def word_of(number: Word, square: Word, move_score: Word) -> Word:
    """The word of a child, or a vector of those of several."""
    return move_score << _MOVE_SCORE | square << _SQUARE | number | _NOT_DEFERRED


@inlined
def clear(queue: Address, count: Word) -> None:
    """Prepare a queue for so many children, or for fewer."""
    for number in range(NONE, count, BATCH):
        store_vector(queue + number * WORD, u64x8(NONE))


@kernel
def put(queue: Address, number: Word, square: Word, move_score: Word) -> Word:
    """Put a child into the queue and return its word; its move score (uint64) is below 2^47."""
    word = word_of(number, square, move_score)
    store64(queue + number * WORD, word)
    return word


@kernel
def remove(queue: Address, number: Word) -> None:
    """Leave a child out of the queue."""
    store64(queue + number * WORD, NONE)


@kernel
def take(queue: Address, count: Word) -> Word:
    """Take the word of the first of so many children; 0 if none is left."""
    best = NONE
    # Word by word, the compiler would gather single words into vectors, which takes longer.
    for number in range(NONE, count, BATCH):
        best = max(best, max_reduce(load_u64x8(queue + number * WORD)))
    if best != NONE:
        remove(queue, number_of(best))
    return best


@kernel
def defer(queue: Address, word: Word) -> None:
    """Put a child back, behind all that were never deferred."""
    store64(queue + number_of(word) * WORD, word & ~_NOT_DEFERRED)


@kernel
def is_deferred(word: Word) -> Flag:
    """Whether a child was deferred."""
    return word & _NOT_DEFERRED == NONE


@kernel
def square_of(word: Word) -> Word:
    """Where the move to a child lands."""
    return word >> _SQUARE & BYTE


@kernel
def number_of(word: Word) -> Word:
    """The number of a child."""
    return word & BYTE
