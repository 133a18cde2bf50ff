"""The key under which the table keeps a position."""

import numpy as np

from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Word

from .geometry import Geometry, full
from .lines import lined_up, mirrored

#: With more empty squares than that, a position and its mirror image share a key.
_MIRROR_CELLS = np.int64(28)


@kernel
def _mix(mover: Word, other: Word) -> Word:
    # The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), one word fed in after the other.
    key = mover * np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ key >> np.uint64(29)) + other
    key = key * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ key >> np.uint64(32)) * np.uint64(0x94D049BB133111EB)
    return key ^ key >> np.uint64(29)


@kernel
def _colourless(geometry: Geometry, mover: Word, other: Word) -> Word:
    """The stones that can be part of no four any more, for either side."""
    board = full(geometry)
    return mover & ~lined_up(geometry, board & ~other) | other & ~lined_up(geometry, board & ~mover)


@kernel
def key_of(geometry: Geometry, mover: Word, other: Word, empty: Word) -> Word:
    """The key of a position with that many empty squares: equal for positions of equal value.

    Stones that can be part of no four count for neither side (they are added to both), and while
    the board is fairly empty a position and its mirror image share a key.

    A look-up takes another position for this one with a probability of 2**-43: it compares the 44
    bits of the signature of two entries. The signature is the upper bits of the key, and the index
    of the bucket the lower bits. In tables of more than 16 MB (2**20 buckets) the two overlap, and
    twice the table has twice the probability: 2**-41 with 64 MB and 2**-35 with 4 GB.
    """
    colourless = _colourless(geometry, mover, other)
    mover |= colourless
    other |= colourless
    key = _mix(mover, other)
    if empty > _MIRROR_CELLS:
        image = _mix(mirrored(geometry, mover), mirrored(geometry, other))
        key = key + image
    return key
