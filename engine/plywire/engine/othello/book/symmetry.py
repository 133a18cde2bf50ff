"""The eight symmetries of the board, which leave what a position is worth as it is.

All functions take a word as a Python integer, or many as an array of uint64.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Word = TypeVar("_Word", int, NDArray[Any])

#: Single squares change places, then blocks of four, of sixteen: how far apart the bits are that
#: do, and which are the lower of them.
_DIAGONAL_STEPS = (
    (7, 0x00AA_00AA_00AA_00AA),
    (14, 0x0000_CCCC_0000_CCCC),
    (28, 0x0000_0000_F0F0_F0F0),
)


def flipped(word: _Word) -> _Word:
    """The board upside down: the rows change places."""
    word = word >> 8 & 0x00FF_00FF_00FF_00FF | (word & 0x00FF_00FF_00FF_00FF) << 8
    word = word >> 16 & 0x0000_FFFF_0000_FFFF | (word & 0x0000_FFFF_0000_FFFF) << 16
    return word >> 32 | (word & 0xFFFF_FFFF) << 32


def mirrored(word: _Word) -> _Word:
    """The board in a mirror: the files change places."""
    word = word >> 1 & 0x5555_5555_5555_5555 | (word & 0x5555_5555_5555_5555) << 1
    word = word >> 2 & 0x3333_3333_3333_3333 | (word & 0x3333_3333_3333_3333) << 2
    return word >> 4 & 0x0F0F_0F0F_0F0F_0F0F | (word & 0x0F0F_0F0F_0F0F_0F0F) << 4


def transposed(word: _Word) -> _Word:
    """Rows become files: a2 and b1 change places."""
    for step, lower in _DIAGONAL_STEPS:
        change = (word ^ word >> step) & lower
        word = word ^ change ^ change << step
    return word


def images(word: _Word) -> Iterator[_Word]:
    """The eight images of a board, the board itself first."""
    for turned in (word, transposed(word)):
        for upright in (turned, flipped(turned)):
            yield upright
            yield mirrored(upright)


def canonical(own: int, other: int) -> tuple[int, int]:
    """The least of a position's images, which all of them share."""
    return min(zip(images(own), images(other), strict=True))


def all_canonical(
    own: NDArray[np.uint64], other: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The same for many positions at once."""
    least_own, least_other = own, other
    for image, opposite in zip(images(own), images(other), strict=True):
        is_less = (image < least_own) | (image == least_own) & (opposite < least_other)
        least_own = np.where(is_less, image, least_own)
        least_other = np.where(is_less, opposite, least_other)
    return least_own, least_other
