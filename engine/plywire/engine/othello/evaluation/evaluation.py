"""The evaluation of positions for the player to move; `weights.py` describes its tables."""

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

#: The largest estimate: 64 discs, in hundredths of a disc.
_MOST = np.int64(6400)
_INDEX_WORDS = INDEX_BYTES // 8
# The offset of the weights in a table, in bytes.
_FIRST = TABLE["averages"].itemsize
_sum_of_weights = BytesAdder([_FIRST + start for start in STARTS for _ in range(IMAGES)])


@kernel
def signed16(address: Address) -> Score:
    """Return the signed 16-bit number at an address, as int64."""
    return np.int64(np.int16(load16(address)))


@inlined
def weigh(weights: Address, empties: Word, indices: Address) -> Score:
    """Return the estimate from the indices at an address, in hundredths of a disc."""
    table = weights + (empties >> ONE) * _TABLE_BYTES
    average = signed16(table + ((empties & ONE) << ONE))
    total = _sum_of_weights(table, indices)
    return max(-_MOST, min(_MOST, average + (total * _HUNDREDTHS >> _EIGHTHS)))


@kernel
def estimate(weights: Address, shares: Address, own: Word, other: Word) -> Score:
    """Return the estimate of a position in hundredths of a disc; `shares` points to `SHARES`."""
    indices = stack_words(_INDEX_WORDS)
    gather(shares, own, other, indices)
    return weigh(weights, popcount(~(own | other)), indices)
