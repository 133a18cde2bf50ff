"""The indices of all patterns' images: gathered from a board, or kept up move by move.

An index is sixteen bits. The four images of a pattern make a word, the unturned one in its lowest
bits, and the words lie one after another in the order of the patterns. No index ever leaves its
sixteen bits, so words, and vectors of words, may be added and subtracted as one number.

Gathering masks a pattern's squares out of a player's discs and brings them together by one
multiplication: each bit of the multiplier moves all squares up by its place, and those that are
wanted meet at the top of the word, where a shift to the right fetches them. If neighbouring squares
are far enough apart, the multiplier's terms can be powers of three instead of bits, and what comes
out is the base-3 number itself. It must not reach up to where the next square's share ends: the
squares of a diagonal, 9 bits apart, can be six, for 364, which is 111111 in base 3, has nine bits;
7 bits apart they can be five. The longer lines and the blocks are gathered as bits and looked up.
Squares beside a line are taken one by one.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.constants import NONE, ONE
from plywire.engine.compiled.intrinsics import (
    byteswap,
    ctz,
    load16,
    load_u64x4,
    reverse_bits,
    store16,
    store_vector,
)
from plywire.engine.compiled.kernel import kernel

from .patterns import IMAGES, PATTERNS, middle, power

#: Bytes that all indices of one board take.
INDEX_BYTES = 8 * len(PATTERNS)

_INDEX_BITS = 16
_FULL_ROW = 65
# The twelve words are three vectors.
_THIRD = np.uint64(32)
_THIRDS = np.uint64(64)


class Gathering(NamedTuple):
    """What brings squares together: `(board & mask) * multiplier >> shift`."""

    mask: np.uint64
    multiplier: np.uint64
    shift: np.uint64


def packed(squares: tuple[int, ...]) -> Gathering:
    """Gather the i-th square to bit i."""
    shift = 64 - len(squares)
    moves = {shift + place - square for place, square in enumerate(squares)}
    return _gathering(squares, sum(1 << move for move in moves), shift)


def folded(squares: tuple[int, ...]) -> Gathering:
    """Gather to a number in base 3, whose i-th digit is 1 where the i-th square is occupied.

    The squares ascend. Raises ValueError if they are too close for the number's bits.
    """
    width = middle(len(squares)).bit_length()
    if any(after - before < width for before, after in pairwise(squares)):
        raise ValueError(f"squares {squares} are less than {width} bits apart")
    shift = 64 - width
    terms = (power(place) << shift - square for place, square in enumerate(squares))
    return _gathering(squares, sum(terms), shift)


def _gathering(squares: tuple[int, ...], multiplier: int, shift: int) -> Gathering:
    mask = sum(1 << square for square in squares)
    return Gathering(np.uint64(mask), np.uint64(multiplier), np.uint64(shift))


def _of(word: int, first: int, last: int) -> tuple[int, ...]:
    """Some of a pattern's squares."""
    return PATTERNS[word].squares[first:last]


_ROW_2, _ROW_3, _ROW_4 = (packed(_of(word, 0, 8)) for word in (0, 1, 2))
_EDGE_BLOCK = packed(_of(3, 0, 8))
_DIAGONAL_5, _DIAGONAL_4 = folded(_of(4, 0, 5)), folded(_of(4, 5, 9))
_DIAGONAL_6 = folded(_of(5, 0, 6))
_DIAGONAL_7, _DIAGONAL_8 = packed(_of(6, 0, 7)), packed(_of(7, 0, 8))
_CORNER, _BLOCK = packed(_of(8, 0, 9)), packed(_of(9, 0, 10))
_ROW_1 = packed(_of(11, 0, 8))
#: What the later digits of an index are worth.
_FIFTH, _SEVENTH, _EIGHTH, _NINTH = (np.uint64(power(place)) for place in (5, 7, 8, 9))
_A1, _B1, _H1, _A2, _B2, _G2, _H8 = (np.uint64(square) for square in (0, 1, 7, 8, 9, 14, 63))

#: The index of the empty pattern, by the number of its squares.
_EMPTY_6, _EMPTY_8, _EMPTY_9, _EMPTY_10 = (np.uint64(middle(length)) for length in (6, 8, 9, 10))


def _ternary() -> NDArray[np.uint16]:
    bits = np.arange(1 << 10)
    numbers = np.zeros(len(bits), np.uint16)
    for place in range(10):
        numbers += ((bits >> place & 1) * power(place)).astype(np.uint16)
    return numbers


def _shares() -> NDArray[np.uint64]:
    shares = np.zeros((_FULL_ROW + 1, len(PATTERNS)), np.uint64)
    for word, pattern in enumerate(PATTERNS):
        for turns in range(IMAGES):
            for place, square in enumerate(pattern.image(turns)):
                shares[square, word] += np.uint64(power(place) << _INDEX_BITS * turns)
    shares[_FULL_ROW] = 2 * shares.sum(axis=0)
    return shares


#: For each set of up to ten digits, as bits, the base-3 number with ones there.
TERNARY = _ternary()
#: For each square, a word a pattern: what one more in that square's digit adds to the indices. Row
#: 64 serves the pass, which adds nothing; row 65 is the indices of a board full of own discs.
SHARES = _shares()


# ---- from a board --------------------------------------------------------------------------------


@kernel
def _images(board: Any) -> Any:
    """The board as seen after each number of quarter turns.

    The first is a reflection at the diagonal a1-h8, by swapping ever larger blocks (H. S. Warren,
    "Hacker's Delight", 7-3), and one that turns the rows' order around.
    """
    swapped = (board ^ (board >> 7)) & 0x00AA_00AA_00AA_00AA
    reflected = board ^ swapped ^ (swapped << 7)
    swapped = (reflected ^ (reflected >> 14)) & 0x0000_CCCC_0000_CCCC
    reflected ^= swapped ^ (swapped << 14)
    swapped = (reflected ^ (reflected >> 28)) & 0x0000_0000_F0F0_F0F0
    turned = byteswap(reflected ^ swapped ^ (swapped << 28))
    return board, turned, reverse_bits(board), reverse_bits(turned)


@kernel
def _gather(board: Any, gathering: Any) -> Any:
    return ((board & gathering.mask) * gathering.multiplier) >> gathering.shift


@kernel
def _convert(ternary: Any, board: Any, gathering: Any) -> Any:
    return load16(ternary + (_gather(board, gathering) << ONE))


@kernel
def _folded_index(own: Any, other: Any, gathering: Any) -> Any:
    return _gather(own, gathering) - _gather(other, gathering)


@kernel
def _packed_index(ternary: Any, own: Any, other: Any, gathering: Any) -> Any:
    return _convert(ternary, own, gathering) - _convert(ternary, other, gathering)


@kernel
def _digit(own: Any, other: Any, square: Any) -> Any:
    """What a square's digit is more than that of an empty one."""
    return ((own >> square) & ONE) - ((other >> square) & ONE)


@kernel
def _gather_image(ternary: Any, own: Any, other: Any, place: Any) -> Any:
    """Write one image's indices, eight bytes apart; both boards are turned already."""
    a1, h1 = _digit(own, other, _A1), _digit(own, other, _H1)
    g2 = _digit(own, other, _G2)
    corners = _EIGHTH * a1 + _NINTH * h1
    row_2 = corners + _packed_index(ternary, own, other, _ROW_2)
    edge_block = corners + _packed_index(ternary, own, other, _EDGE_BLOCK)
    diagonals = _folded_index(own, other, _DIAGONAL_5) + _NINTH * g2
    diagonals += _FIFTH * _folded_index(own, other, _DIAGONAL_4)
    diagonal_7 = _packed_index(ternary, own, other, _DIAGONAL_7) + _SEVENTH * a1
    diagonal_7 += _EIGHTH * h1 + _NINTH * _digit(own, other, _H8)
    diagonal_8 = _packed_index(ternary, own, other, _DIAGONAL_8)
    diagonal_8 += _EIGHTH * _digit(own, other, _B1) + _NINTH * _digit(own, other, _A2)
    mirrored = _packed_index(ternary, byteswap(own), byteswap(other), _BLOCK)
    edge = _packed_index(ternary, own, other, _ROW_1) + _NINTH * g2
    edge += _EIGHTH * _digit(own, other, _B2)
    store16(place, _EMPTY_10 + row_2)
    store16(place + np.uint64(8), _EMPTY_8 + _packed_index(ternary, own, other, _ROW_3))
    store16(place + np.uint64(16), _EMPTY_8 + _packed_index(ternary, own, other, _ROW_4))
    store16(place + np.uint64(24), _EMPTY_10 + edge_block)
    store16(place + np.uint64(32), _EMPTY_10 + diagonals)
    store16(place + np.uint64(40), _EMPTY_6 + _folded_index(own, other, _DIAGONAL_6))
    store16(place + np.uint64(48), _EMPTY_10 + diagonal_7)
    store16(place + np.uint64(56), _EMPTY_10 + diagonal_8)
    store16(place + np.uint64(64), _EMPTY_9 + _packed_index(ternary, own, other, _CORNER))
    store16(place + np.uint64(72), _EMPTY_10 + _packed_index(ternary, own, other, _BLOCK))
    store16(place + np.uint64(80), _EMPTY_10 + mirrored)
    store16(place + np.uint64(88), _EMPTY_10 + edge)


@kernel
def gather(ternary: Any, own: Any, other: Any, indices: Any) -> Any:
    """Write a position's indices to an address, by masks and multiplications.

    `ternary` is the address of `TERNARY`.
    """
    own_0, own_1, own_2, own_3 = _images(own)
    other_0, other_1, other_2, other_3 = _images(other)
    _gather_image(ternary, own_0, other_0, indices)
    _gather_image(ternary, own_1, other_1, indices + np.uint64(2))
    _gather_image(ternary, own_2, other_2, indices + np.uint64(4))
    _gather_image(ternary, own_3, other_3, indices + np.uint64(6))


# ---- move by move --------------------------------------------------------------------------------


@kernel
def advance(shares: Any, indices: Any, square: Any, flipped: Any, following: Any) -> Any:
    """Write the indices after a move to another address, seen from the next player to move.

    `shares` is the address of `SHARES`; a pass is square 64. A new disc raises its square's digit
    from empty to own, by 1; a flipped one from other to own, by 2. Then the players change places.
    """
    row = shares + square * np.uint64(INDEX_BYTES)
    first = load_u64x4(indices) + load_u64x4(row)
    second = load_u64x4(indices + _THIRD) + load_u64x4(row + _THIRD)
    third = load_u64x4(indices + _THIRDS) + load_u64x4(row + _THIRDS)
    while flipped != NONE:
        row = shares + ctz(flipped) * np.uint64(INDEX_BYTES)
        flipped &= flipped - ONE
        first += load_u64x4(row) << 1
        second += load_u64x4(row + _THIRD) << 1
        third += load_u64x4(row + _THIRDS) << 1
    full = shares + np.uint64(_FULL_ROW * INDEX_BYTES)
    store_vector(following, load_u64x4(full) - first)
    store_vector(following + _THIRD, load_u64x4(full + _THIRD) - second)
    store_vector(following + _THIRDS, load_u64x4(full + _THIRDS) - third)
