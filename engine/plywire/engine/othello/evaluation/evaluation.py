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
_ROW_2, _ROW_3, _ROW_4 = (np.uint64(2 * start) for start in STARTS[:3])
_D_4, _D_5, _D_6, _D_7, _D_8 = (np.uint64(2 * start) for start in STARTS[3:8])
_CORNER, _BLOCK, _MIRRORED_BLOCK, _EDGE = (np.uint64(2 * start) for start in STARTS[8:])


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
    total += _images(table + _ROW_2, indices)
    total += _images(table + _ROW_3, indices + np.uint64(8))
    total += _images(table + _ROW_4, indices + np.uint64(16))
    total += _images(table + _D_4, indices + np.uint64(24))
    total += _images(table + _D_5, indices + np.uint64(32))
    total += _images(table + _D_6, indices + np.uint64(40))
    total += _images(table + _D_7, indices + np.uint64(48))
    total += _images(table + _D_8, indices + np.uint64(56))
    total += _images(table + _CORNER, indices + np.uint64(64))
    total += _images(table + _BLOCK, indices + np.uint64(72))
    total += _images(table + _MIRRORED_BLOCK, indices + np.uint64(80))
    total += _images(table + _EDGE, indices + np.uint64(88))
    return max(-_MOST, min(_MOST, total))


@kernel
def estimate(weights: Any, ternary: Any, own: Any, other: Any) -> Any:
    """The estimate for the player to move, in hundredths of a disc.

    `ternary` is the address of `indices.TERNARY`.
    """
    indices = stack_words(_INDEX_WORDS)
    gather(ternary, own, other, indices)
    return weigh(weights, popcount(~(own | other)), indices)
