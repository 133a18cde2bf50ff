"""Small tables that every node reads; each thread has its own copy in its context."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.intrinsics import load64
from plywire.engine.compiled.kernel import inlined
from plywire.engine.compiled.layout import Address, Word
from plywire.engine.search.thread_memory import OWN_BYTES

#: The offset of the tables in a context, in bytes. They follow the words of `memory.py`.
LOOKUPS_START = OWN_BYTES + 128
_SQUARE_TABLE = 64 * 8

# The offset of each table from a context's address, in bytes.
DIAGONALS = np.uint64(LOOKUPS_START)  # for each square, its diagonals without the square
NEIGHBOURS = np.uint64(LOOKUPS_START + 2 * _SQUARE_TABLE)  # for each square, its neighbours
QUARTERS = np.uint64(LOOKUPS_START + 3 * _SQUARE_TABLE)  # for each square, its quarter
FLIPS = np.uint64(LOOKUPS_START + 4 * _SQUARE_TABLE)  # a byte for each place and each line content

_WORD_SHIFT = np.uint64(3)

#: The squares of file a. The product of discs on file a with `FILE_TO_BYTE` has these discs in its
#: top byte.
FILE, FILE_TO_BYTE = np.uint64(0x0101_0101_0101_0101), np.uint64(0x0102_0408_1020_4080)
TOP_BYTE = np.uint64(56)


@inlined
def neighbours_of(context: Address, square: Word) -> Word:
    """Return the squares next to a square."""
    return load64(context + NEIGHBOURS + (square << _WORD_SHIFT))


@inlined
def quarter_of(context: Address, square: Word) -> Word:
    """Return the 16 squares of the quarter of the board that contains a square."""
    return load64(context + QUARTERS + (square << _WORD_SHIFT))


def _diagonal(square: int, right: int) -> int:
    squares = 0
    for step in (1, -1):
        file, rank = square % 8 + step * right, square // 8 + step
        while 0 <= file < 8 and 0 <= rank < 8:
            squares |= 1 << rank * 8 + file
            file, rank = file + step * right, rank + step
    return squares


def _neighbours(square: int) -> int:
    file, rank = square % 8, square // 8
    return sum(
        1 << y * 8 + x
        for y in range(max(rank - 1, 0), min(rank + 2, 8))
        for x in range(max(file - 1, 0), min(file + 2, 8))
        if (x, y) != (file, rank)
    )


def _quarter(square: int) -> int:
    file, rank = square % 8 & 4, square // 8 & 4
    return sum(1 << (rank + y) * 8 + file + x for y in range(4) for x in range(4))


def _flips(place: int, own: int) -> int:
    """Return twice the number of discs that a disc at `place` flips in an otherwise full line."""
    count = 0
    for step in (1, -1):
        run = 0
        at = place + step
        while 0 <= at < 8 and not own >> at & 1:
            run += 1
            at += step
        if 0 <= at < 8:
            count += run
    return 2 * count


@cache
def lookups() -> NDArray[np.uint64]:
    """Return all tables, one after the other."""
    squares = range(64)
    words = [_diagonal(square, right) for square in squares for right in (1, -1)]
    words += [_neighbours(square) for square in squares]
    words += [_quarter(square) for square in squares]
    flips = np.array([_flips(place, own) for place in range(8) for own in range(256)], np.uint8)
    return np.concatenate([np.array(words, np.uint64), flips.view(np.uint64)])
