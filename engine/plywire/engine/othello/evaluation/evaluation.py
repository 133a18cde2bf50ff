"""What an Othello position is worth: the sum of its patterns' weights.

For each number of empty squares there is a table with a weight for every index of every pattern, in
the order of the patterns, and at its end what a position with that many empty squares is worth on
average. All are hundredths of a disc for the player to move.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.constants import ONE
from plywire.engine.compiled.intrinsics import load16, popcount, stack_words
from plywire.engine.compiled.kernel import kernel

from .indices import INDEX_BYTES, gather
from .patterns import SIZE, STARTS

#: Bytes of one table, and where in it the average lies.
TABLE_BYTES = 2 * (SIZE + 1)
_AVERAGE = np.uint64(2 * SIZE)

#: No estimate is larger: 64 discs.
_MOST = np.int64(6400)
_INDEX_WORDS = INDEX_BYTES // 8
# Where the patterns' weights begin, in bytes.
_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11 = (np.uint64(2 * start) for start in STARTS)


@kernel
def weight(address: Any) -> Any:
    """The signed 16-bit number at an address, as int64."""
    return np.int64(np.int16(load16(address)))


@kernel
def _images(weights: Any, indices: Any) -> Any:
    """The weights of a pattern's four images."""
    return (
        weight(weights + (load16(indices) << ONE))
        + weight(weights + (load16(indices + np.uint64(2)) << ONE))
        + weight(weights + (load16(indices + np.uint64(4)) << ONE))
        + weight(weights + (load16(indices + np.uint64(6)) << ONE))
    )


@kernel
def weigh(weights: Any, empties: Any, indices: Any) -> Any:
    """The estimate for the player to move from the indices at an address, in hundredths of a disc.

    `weights` is the address of the tables.
    """
    table = weights + empties * np.uint64(TABLE_BYTES)
    total = weight(table + _AVERAGE)
    total += _images(table + _0, indices)
    total += _images(table + _1, indices + np.uint64(8))
    total += _images(table + _2, indices + np.uint64(16))
    total += _images(table + _3, indices + np.uint64(24))
    total += _images(table + _4, indices + np.uint64(32))
    total += _images(table + _5, indices + np.uint64(40))
    total += _images(table + _6, indices + np.uint64(48))
    total += _images(table + _7, indices + np.uint64(56))
    total += _images(table + _8, indices + np.uint64(64))
    total += _images(table + _9, indices + np.uint64(72))
    total += _images(table + _10, indices + np.uint64(80))
    total += _images(table + _11, indices + np.uint64(88))
    return max(-_MOST, min(_MOST, total))


@kernel
def estimate(weights: Any, ternary: Any, own: Any, other: Any) -> Any:
    """The estimate for the player to move, in hundredths of a disc.

    `ternary` is the address of `indices.TERNARY`.
    """
    indices = stack_words(_INDEX_WORDS)
    gather(ternary, own, other, indices)
    return weigh(weights, popcount(~(own | other)), indices)
