"""The indices of all pattern images, computed from a board or updated by each move.

An index has 16 bits. The four images of a pattern form a word, the unturned image in its lowest
bits; the words have the order of the patterns. No index overflows its 16 bits, so whole words and
vectors can be added and subtracted.
"""

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.constants import NONE, ONE, PASS_SQUARE
from plywire.engine.compiled.intrinsics import ctz, load_u64x4, store_vector
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Word

from .patterns import IMAGES, PATTERNS, power

INDEX_BYTES = 8 * len(PATTERNS)

_INDEX_BITS = 16
# Three vectors hold the twelve words of indices. These are the offsets of the second and of the
# third vector, in bytes.
_THIRD = np.uint64(32)
_THIRDS = np.uint64(64)
#: The number of rows that are always added, without a branch, which the processor could mispredict.
#: If there are fewer squares, row 64 is added, which has only zeros.
_UNBRANCHED = 3
# The numbers of the last two rows, after the rows of the squares and of the pass.
_EMPTY_ROW, _FULL_ROW = 65, 66
_EMPTY = np.uint64(_EMPTY_ROW * INDEX_BYTES)
_FULL = np.uint64(_FULL_ROW * INDEX_BYTES)


def _shares() -> NDArray[np.uint64]:
    shares = np.zeros((_FULL_ROW + 1, len(PATTERNS)), np.uint64)
    for word, pattern in enumerate(PATTERNS):
        for turns in range(IMAGES):
            for place, square in enumerate(pattern.image(turns)):
                shares[square, word] += np.uint64(power(place) << _INDEX_BITS * turns)
    shares[_EMPTY_ROW] = shares.sum(axis=0)
    shares[_FULL_ROW] = 2 * shares[_EMPTY_ROW]
    return shares


#: Row s says how the indices in each pattern's word change when the digit of square s grows by 1.
#: Row 64, for the pass, has only zeros. Row 65 has the indices of an empty board. Row 66 has the
#: indices of a board full of own discs.
SHARES = _shares()


@kernel
def _sums(shares: Address, squares: Word) -> tuple[Word, Word, Word]:
    """Return the sum of the rows in `shares` of some squares, as three vectors."""
    row = shares + ctz(squares) * np.uint64(INDEX_BYTES)
    first, second, third = load_u64x4(row), load_u64x4(row + _THIRD), load_u64x4(row + _THIRDS)
    for _ in range(_UNBRANCHED - 1):
        squares &= squares - ONE
        row = shares + ctz(squares) * np.uint64(INDEX_BYTES)
        first += load_u64x4(row)
        second += load_u64x4(row + _THIRD)
        third += load_u64x4(row + _THIRDS)
    squares &= squares - ONE
    while squares != NONE:
        row = shares + ctz(squares) * np.uint64(INDEX_BYTES)
        squares &= squares - ONE
        first += load_u64x4(row)
        second += load_u64x4(row + _THIRD)
        third += load_u64x4(row + _THIRDS)
    return first, second, third


@kernel
def gather(shares: Address, own: Word, other: Word, indices: Address) -> None:
    """Write a position's indices to an address, disc by disc."""
    row = shares + _EMPTY
    first, second, third = _sums(shares, own)
    less_first, less_second, less_third = _sums(shares, other)
    store_vector(indices, load_u64x4(row) + first - less_first)
    store_vector(indices + _THIRD, load_u64x4(row + _THIRD) + second - less_second)
    store_vector(indices + _THIRDS, load_u64x4(row + _THIRDS) + third - less_third)


@kernel
def exchange(shares: Address, indices: Address) -> tuple[Word, Word, Word]:
    """Return the indices at an address as the opponent sees them, as three vectors."""
    row = shares + _FULL
    first = load_u64x4(row) - load_u64x4(indices)
    second = load_u64x4(row + _THIRD) - load_u64x4(indices + _THIRD)
    third = load_u64x4(row + _THIRDS) - load_u64x4(indices + _THIRDS)
    return first, second, third


@kernel
def advance(
    shares: Address, exchanged: Word, square: Word, flipped: Word, following: Address
) -> None:
    """Write the indices after a move, for the next player to move, to `following`.

    `exchanged` are the indices before the move, for the same player; `square` is 64 for a pass. For
    this player, the new disc lowers its digit by 1, and a flipped disc lowers it by 2.
    """
    row = shares + square * np.uint64(INDEX_BYTES)
    first, second, third = _sums(shares, flipped)
    old_first, old_second, old_third = exchanged
    store_vector(following, old_first - load_u64x4(row) - (first << 1))
    store_vector(following + _THIRD, old_second - load_u64x4(row + _THIRD) - (second << 1))
    store_vector(following + _THIRDS, old_third - load_u64x4(row + _THIRDS) - (third << 1))


@kernel
def advance_by_pass(shares: Address, indices: Address, following: Address) -> None:
    """Write the indices after a pass to `following`."""
    advance(shares, exchange(shares, indices), PASS_SQUARE, NONE, following)
