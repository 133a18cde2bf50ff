"""Patterns, groups of squares that the evaluation looks at together, and their indices.

A pattern is seen in four images, one for each quarter turn of the board; all images share a table
of weights. The index is a number in base 3. The i-th square is worth 3**i times its digit:

    0  a disc of the opponent
    1  empty
    2  a disc of the player to move

So exchanging the players turns an index into `3**n - 1 - index`.

The patterns come from M. Buro's Logistello ("The evolution of strong Othello programs", 2003):
lines, corners and edges. Some lines here have more squares, at most ten together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IMAGES = 4


def power(place: int) -> int:
    """Return the value of a digit at this place of an index."""
    worth: int = 3**place
    return worth


@dataclass(frozen=True, slots=True)
class Pattern:
    """The squares of a pattern, the least significant digit first."""

    name: str
    squares: tuple[int, ...]

    @property
    def mirror(self) -> tuple[int, ...] | None:
        """The place of each digit in the mirrored pattern; None if no image has this shape."""
        for turns in range(IMAGES):
            mirrored = tuple(square ^ 7 for square in self.image(turns))
            if mirrored != self.squares and set(mirrored) == set(self.squares):
                return tuple(self.squares.index(square) for square in mirrored)
        return None

    @property
    def size(self) -> int:
        """The number of possible contents."""
        return power(len(self.squares))

    def image(self, turns: int) -> tuple[int, ...]:
        """Return the squares after some quarter turns."""
        squares = self.squares
        for _ in range(turns):
            squares = tuple(8 * (square % 8) + 7 - square // 8 for square in squares)
        return squares

    def index(self, turns: int, own: int, other: int) -> int:
        """Return the index of an image, by its definition; `own` is the player to move."""
        return sum(
            (1 + (own >> square & 1) - (other >> square & 1)) * power(place)
            for place, square in enumerate(self.image(turns))
        )

    def mirrored(self) -> NDArray[np.int64]:
        """Return each index's mirrored index, which is the same if the pattern has no mirror."""
        indices = np.arange(self.size, dtype=np.int64)
        mirror = self.mirror
        if mirror is None:
            return indices
        # The array gets an axis for each digit. The last axis is for the digit of place 0.
        last = len(mirror) - 1
        axes = [last - mirror[last - axis] for axis in range(len(mirror))]
        return indices.reshape((3,) * len(mirror)).transpose(axes).reshape(-1)


def _row(rank: int) -> tuple[int, ...]:
    return tuple(range(8 * rank - 8, 8 * rank))


def _diagonal(length: int) -> tuple[int, ...]:
    """Return the diagonal of `length` squares next to the corner h1."""
    return tuple(range(8 - length, 8 * length, 9))


def _squares(names: str) -> tuple[int, ...]:
    return tuple(ord(name[0]) - ord("a") + 8 * int(name[1]) - 8 for name in names.split())


_BLOCK = (*range(8, 13), *range(5))

#: All patterns. The words of indices have the same order.
PATTERNS = (
    Pattern("row 2 and corners", _row(2) + _squares("a1 h1")),
    Pattern("row 3", _row(3)),
    Pattern("row 4", _row(4)),
    Pattern("edge and block", _squares("c1 d1 e1 f1 c2 d2 e2 f2 a1 h1")),
    Pattern("diagonals 5 and 4", _diagonal(5) + _diagonal(4) + _squares("g2")),
    Pattern("diagonal 6", _diagonal(6)),
    Pattern("diagonal 7 and corners", _diagonal(7) + _squares("a1 h1 h8")),
    Pattern("diagonal 8 and C-squares", _diagonal(8) + _squares("b1 a2")),
    Pattern("corner 3x3", _squares("a3 b3 c3 a2 b2 c2 a1 b1 c1")),
    Pattern("corner 2x5", _BLOCK),
    Pattern("corner 2x5, mirrored", tuple(square ^ 56 for square in _BLOCK)),
    Pattern("edge and X-squares", _row(1) + _squares("b2 g2")),
)


def layout(patterns: Iterable[Pattern]) -> tuple[tuple[int, ...], int]:
    """Return the first weight of each pattern and the total; mirrored patterns share weights."""
    starts: list[int] = []
    end = 0
    mirrored: tuple[int, ...] = ()
    for pattern in patterns:
        if pattern.squares == mirrored:
            starts.append(starts[-1])
        else:
            starts.append(end)
            end += pattern.size
        mirrored = tuple(square ^ 56 for square in pattern.squares)
    return tuple(starts), end


STARTS, SIZE = layout(PATTERNS)


def shared(patterns: Sequence[Pattern] = PATTERNS) -> NDArray[np.int64]:
    """Return, for each weight in a table, the number of the stored weight that it copies."""
    starts, size = layout(patterns)
    lowest = np.arange(size, dtype=np.int64)
    for pattern, start in zip(patterns, starts, strict=True):
        indices = np.arange(pattern.size, dtype=np.int64)
        lowest[start : start + pattern.size] = start + np.minimum(indices, pattern.mirrored())
    is_lowest = lowest == np.arange(size)
    found: NDArray[np.int64] = (np.cumsum(is_lowest) - 1)[lowest]
    return found
