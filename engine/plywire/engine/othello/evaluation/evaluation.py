"""What an Othello position is worth: the sum of its patterns' weights.

For each pair of numbers of empty squares there is a table, laid out in `weights.py`: what a
position with the one and with the other is worth on average, and a weight for every index of every
pattern, in the order of the patterns. Estimates are for the player to move.
"""

import numpy as np

from plywire.engine.compiled.constants import ONE
from plywire.engine.compiled.gather import BytesAdder
from plywire.engine.compiled.intrinsics import load16, popcount, stack_words
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Score, Word

from .indices import INDEX_BYTES, gather
from .patterns import IMAGES, STARTS
from .weights import TABLE, UNIT, WEIGHT_UNIT

_TABLE_BYTES = np.uint64(TABLE.itemsize)
_HUNDREDTHS, _EIGHTHS = np.int64(UNIT), np.int64(WEIGHT_UNIT.bit_length() - 1)

#: No estimate is larger: 64 discs.
_MOST = np.int64(6400)
_INDEX_WORDS = INDEX_BYTES // 8
# Where weights begin in a table.
_FIRST = TABLE["averages"].itemsize
_sum_of_weights = BytesAdder([_FIRST + start for start in STARTS for _ in range(IMAGES)])


@kernel
def signed16(address: Address) -> Score:
    """The signed 16-bit number at an address, as int64."""
    return np.int64(np.int16(load16(address)))


@inlined
def weigh(weights: Address, empties: Word, indices: Address) -> Score:
    """The estimate for the player to move from the indices at an address, in hundredths of a disc.

    `weights` is the address of the tables.
    """
    table = weights + (empties >> ONE) * _TABLE_BYTES
    average = signed16(table + ((empties & ONE) << ONE))
    total = _sum_of_weights(table, indices)
    return max(-_MOST, min(_MOST, average + (total * _HUNDREDTHS >> _EIGHTHS)))


@kernel
def estimate(weights: Address, shares: Address, own: Word, other: Word) -> Score:
    """The estimate for the player to move, in hundredths of a disc.

    `shares` is the address of `indices.SHARES`.
    """
    indices = stack_words(_INDEX_WORDS)
    gather(shares, own, other, indices)
    return weigh(weights, popcount(~(own | other)), indices)
