"""Which squares the evaluation looks at together, and how what stands there becomes a number.

A pattern is a few squares in a fixed order. It is seen in four images, from each side of the board
(by quarter turns), and all images share one table of weights. What stands on the squares is read as
a number in base 3, the index: the digit of the i-th square, worth 3**i, is

    0  a disc of the player who waits
    1  empty
    2  a disc of the player to move

so an empty pattern has the middle index, and exchanging the players turns an index into
`3**n - 1 - index`.

The patterns began as those of M. Buro's Logistello ("The evolution of strong Othello programs",
2003): every line of four squares and more, and three shapes where games are decided, the corners
and the edges. A line along the edge is part of the edge pattern. Some lines were since given other
squares that tell what the line is worth, up to ten together: corners, or the line beside it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: How many images of a pattern there are, one a quarter turn.
IMAGES = 4


def power(place: int) -> int:
    """What a digit at that place of an index is worth."""
    worth: int = 3**place
    return worth


@dataclass(frozen=True, slots=True)
class Pattern:
    """Squares that are looked at together, the least significant digit first."""

    name: str
    squares: tuple[int, ...]

    @property
    def mirror(self) -> tuple[int, ...] | None:
        """For each digit its place in the mirrored pattern; None if no mirror gives the same shape.

        Mirrored contents have the same weight.
        """
        for turns in range(IMAGES):
            mirrored = tuple(square ^ 7 for square in self.image(turns))
            if mirrored != self.squares and set(mirrored) == set(self.squares):
                return tuple(self.squares.index(square) for square in mirrored)
        return None

    @property
    def size(self) -> int:
        """How many contents there are."""
        return power(len(self.squares))

    def image(self, turns: int) -> tuple[int, ...]:
        """The squares after so many quarter turns."""
        squares = self.squares
        for _ in range(turns):
            squares = tuple(8 * (square % 8) + 7 - square // 8 for square in squares)
        return squares

    def index(self, turns: int, own: int, other: int) -> int:
        """The index of an image, by its definition; `own` are the discs of the player to move."""
        return sum(
            (1 + (own >> square & 1) - (other >> square & 1)) * power(place)
            for place, square in enumerate(self.image(turns))
        )

    def mirrored(self) -> NDArray[np.int64]:
        """For each index that of the mirrored contents, or itself."""
        indices = np.arange(self.size, dtype=np.int64)
        mirror = self.mirror
        if mirror is None:
            return indices
        # An axis a digit: the last is the digit of place 0.
        last = len(mirror) - 1
        axes = [last - mirror[last - axis] for axis in range(len(mirror))]
        return indices.reshape((3,) * len(mirror)).transpose(axes).reshape(-1)


def _row(rank: int) -> tuple[int, ...]:
    return tuple(range(8 * rank - 8, 8 * rank))


def _diagonal(length: int) -> tuple[int, ...]:
    """The diagonal of that many squares beside the corner h1."""
    return tuple(range(8 - length, 8 * length, 9))


def _squares(names: str) -> tuple[int, ...]:
    """Squares by their names, as in `a1 h1`."""
    return tuple(ord(name[0]) - ord("a") + 8 * int(name[1]) - 8 for name in names.split())


_BLOCK = (*range(8, 13), *range(5))

#: All patterns, in the order of their indices.
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
    """Where each pattern's weights begin, and how many there are: one after another.

    A pattern that is the mirror image of the one before has the same weights.
    """
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


#: Where each pattern's weights begin, and how many weights all patterns have.
STARTS, SIZE = layout(PATTERNS)


def shared(patterns: Sequence[Pattern] = PATTERNS) -> NDArray[np.int64]:
    """For each weight of a table the one, counted from 0 without gaps, that it is a copy of."""
    starts, size = layout(patterns)
    lowest = np.arange(size, dtype=np.int64)
    for pattern, start in zip(patterns, starts, strict=True):
        indices = np.arange(pattern.size, dtype=np.int64)
        lowest[start : start + pattern.size] = start + np.minimum(indices, pattern.mirrored())
    is_lowest = lowest == np.arange(size)
    found: NDArray[np.int64] = (np.cumsum(is_lowest) - 1)[lowest]
    return found
