"""The indices of all patterns' images: gathered from a board, or kept up move by move.

An index is sixteen bits. The four images of a pattern make a word, the unturned one in its lowest
bits, and the words lie one after another in the order of the patterns. No index ever leaves its
sixteen bits, so words, and vectors of words, may be added and subtracted as one number: each square
has a row of what one more in its digit adds to all indices.
"""

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.constants import NONE, ONE, PASS_SQUARE
from plywire.engine.compiled.intrinsics import ctz, load_u64x4, store_vector
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Word

from .patterns import IMAGES, PATTERNS, power

#: Bytes that all indices of one board take.
INDEX_BYTES = 8 * len(PATTERNS)

_INDEX_BITS = 16
# The twelve words are three vectors.
_THIRD = np.uint64(32)
_THIRDS = np.uint64(64)
#: How many squares' rows are added without a branch.
_UNBRANCHED = 3
# Rows after those of the squares and of the pass.
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


#: For each square, a word a pattern: what one more in that square's digit adds to the indices. Row
#: 64 serves the pass, which adds nothing; rows 65 and 66 are the indices of an empty board, and of
#: one full of own discs.
SHARES = _shares()


@kernel
def _sums(shares: Address, squares: Word) -> tuple[Word, Word, Word]:
    """The sum of some squares' rows.

    The first three are added without a branch, which the processor could mispredict: most moves
    flip no more discs. Where there are fewer, the row of the pass is added.
    """
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
    """Write a position's indices to an address, disc by disc.

    `shares` is the address of `SHARES`. An own disc raises its square's digit by 1, one of the
    other player lowers it.
    """
    row = shares + _EMPTY
    first, second, third = _sums(shares, own)
    less_first, less_second, less_third = _sums(shares, other)
    store_vector(indices, load_u64x4(row) + first - less_first)
    store_vector(indices + _THIRD, load_u64x4(row + _THIRD) + second - less_second)
    store_vector(indices + _THIRDS, load_u64x4(row + _THIRDS) + third - less_third)


@kernel
def exchange(shares: Address, indices: Address) -> tuple[Word, Word, Word]:
    """The indices at an address as the other player sees them, three vectors.

    `shares` is the address of `SHARES`.
    """
    row = shares + _FULL
    first = load_u64x4(row) - load_u64x4(indices)
    second = load_u64x4(row + _THIRD) - load_u64x4(indices + _THIRD)
    third = load_u64x4(row + _THIRDS) - load_u64x4(indices + _THIRDS)
    return first, second, third


@kernel
def advance(
    shares: Address, exchanged: Word, square: Word, flipped: Word, following: Address
) -> None:
    """Write the indices after a move to an address, seen from the next player to move.

    `exchanged` are those of the position before, as that player saw them; a pass is square 64. A
    new disc lowers its square's digit from empty to other, by 1; a flipped one from own to other,
    by 2.
    """
    row = shares + square * np.uint64(INDEX_BYTES)
    first, second, third = _sums(shares, flipped)
    old_first, old_second, old_third = exchanged
    store_vector(following, old_first - load_u64x4(row) - (first << 1))
    store_vector(following + _THIRD, old_second - load_u64x4(row + _THIRD) - (second << 1))
    store_vector(following + _THIRDS, old_third - load_u64x4(row + _THIRDS) - (third << 1))


@kernel
def advance_by_pass(shares: Address, indices: Address, following: Address) -> None:
    """Write the indices after a pass to an address; `shares` is the address of `SHARES`."""
    advance(shares, exchange(shares, indices), PASS_SQUARE, NONE, following)
