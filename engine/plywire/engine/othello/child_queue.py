"""The queue of a node's children: the most promising is taken first.

A queue has a word for each child:

    63      62..16    15..8    7..0
    eager   promise   square   number

`eager` is set until the child is put off, `square` is where the move lands that leads to it, and
`number` is the child's place. The word is 0 once the child was taken.

Nothing is sorted: often the first child is enough, and of a few words the greatest is found without
a branch that the processor could mispredict.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.intrinsics import load64, store64
from plywire.engine.compiled.kernel import kernel

#: Words of a queue: no position has 40 moves.
QUEUE_WORDS = 40

_NONE = np.uint64(0)
_WORD = np.uint64(8)
_EAGER = np.uint64(1 << 63)
_PROMISE = np.uint64(16)
_SQUARE = np.uint64(8)
_BYTE = np.uint64(0xFF)


@kernel
def put(queue: Any, number: Any, square: Any, promise: Any) -> Any:
    """Put a child into the queue; the promise (uint64) is below 2^47."""
    word = _EAGER | promise << _PROMISE | square << _SQUARE | number
    store64(queue + number * _WORD, word)


@kernel
def leave_out(queue: Any, number: Any) -> Any:
    """Leave a child out of the queue."""
    store64(queue + number * _WORD, _NONE)


@kernel
def take(queue: Any, count: Any) -> Any:
    """Take the word of the most promising of so many children; 0 if none is left."""
    best = _NONE
    for number in range(count):
        best = max(best, load64(queue + np.uint64(number) * _WORD))
    if best != _NONE:
        leave_out(queue, number_of(best))
    return best


@kernel
def defer(queue: Any, word: Any) -> Any:
    """Put a child back, behind all that were never put off."""
    store64(queue + number_of(word) * _WORD, word & ~_EAGER)


@kernel
def is_eager(word: Any) -> Any:
    """Whether a child was never put off."""
    return word & _EAGER != _NONE


@kernel
def square_of(word: Any) -> Any:
    """Where the move to a child lands."""
    return word >> _SQUARE & _BYTE


@kernel
def number_of(word: Any) -> Any:
    """The number of a child."""
    return word & _BYTE
