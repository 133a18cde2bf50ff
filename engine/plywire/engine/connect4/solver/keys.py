"""The key of a position in the table."""

import numpy as np

from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Word

from .geometry import Geometry, full
from .lines import lined_up, mirrored

#: With more empty squares than this, a position and its mirror image share a key.
_MIRROR_CELLS = np.int64(28)


@kernel
def _mix(mover: Word, other: Word) -> Word:
    # The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), which also adds the second word
    # after its first step.
    key = mover * np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ key >> np.uint64(29)) + other
    key = key * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ key >> np.uint64(32)) * np.uint64(0x94D049BB133111EB)
    return key ^ key >> np.uint64(29)


@kernel
def _colourless(geometry: Geometry, mover: Word, other: Word) -> Word:
    """Return the stones that can no longer be part of a four of either player."""
    board = full(geometry)
    return mover & ~lined_up(geometry, board & ~other) | other & ~lined_up(geometry, board & ~mover)


@kernel
def key_of(geometry: Geometry, mover: Word, other: Word, empty: Word) -> Word:
    """Return the key of a position; some positions of equal value share a key.

    A stone that can no longer be part of a four counts as both colours. Above `_MIRROR_CELLS` empty
    squares, a position and its mirror image share a key.

    A look-up finds a wrong position with a probability of 2**-43. Above 16 MB, the signature and
    the bucket's index share bits of the key. The probability grows to 2**-41 for 64 MB and 2**-35
    for 4 GB.
    """
    colourless = _colourless(geometry, mover, other)
    mover |= colourless
    other |= colourless
    key = _mix(mover, other)
    if empty > _MIRROR_CELLS:
        image = _mix(mirrored(geometry, mover), mirrored(geometry, other))
        key = key + image
    return key
