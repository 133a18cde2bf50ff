"""What an Othello position is worth: the sum of its patterns' weights.

For each pair of numbers of empty squares there is a table, laid out in `weights.py`: what a
position with the one and with the other is worth on average, and a weight for every index of every
pattern, in the order of the patterns. Estimates are for the player to move.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.constants import ONE
from plywire.engine.compiled.intrinsics import load8, load16, popcount, stack_words
from plywire.engine.compiled.kernel import kernel

from .indices import INDEX_BYTES, gather
from .patterns import STARTS
from .weights import TABLE, UNIT, WEIGHT_UNIT

_TABLE_BYTES = np.uint64(TABLE.itemsize)
_HUNDREDTHS, _EIGHTHS = np.int64(UNIT), np.int64(WEIGHT_UNIT.bit_length() - 1)

#: No estimate is larger: 64 discs.
_MOST = np.int64(6400)
_INDEX_WORDS = INDEX_BYTES // 8
# Where the patterns' weights begin in a table.
_FIRST = TABLE["averages"].itemsize
_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11 = (np.uint64(_FIRST + start) for start in STARTS)


@kernel
def signed16(address: Any) -> Any:
    """The signed 16-bit number at an address, as int64."""
    return np.int64(np.int16(load16(address)))


@kernel
def _weight(address: Any) -> Any:
    return np.int64(np.int8(load8(address)))


@kernel
def _images(weights: Any, indices: Any) -> Any:
    """The weights of a pattern's four images."""
    return (
        _weight(weights + load16(indices))
        + _weight(weights + load16(indices + np.uint64(2)))
        + _weight(weights + load16(indices + np.uint64(4)))
        + _weight(weights + load16(indices + np.uint64(6)))
    )


@kernel
def weigh(weights: Any, empties: Any, indices: Any) -> Any:
    """The estimate for the player to move from the indices at an address, in hundredths of a disc.

    `weights` is the address of the tables.
    """
    table = weights + (empties >> ONE) * _TABLE_BYTES
    average = signed16(table + ((empties & ONE) << ONE))
    total = _images(table + _0, indices)
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
    return max(-_MOST, min(_MOST, average + (total * _HUNDREDTHS >> _EIGHTHS)))


@kernel
def estimate(weights: Any, shares: Any, own: Any, other: Any) -> Any:
    """The estimate for the player to move, in hundredths of a disc.

    `shares` is the address of `indices.SHARES`.
    """
    indices = stack_words(_INDEX_WORDS)
    gather(shares, own, other, indices)
    return weigh(weights, popcount(~(own | other)), indices)
