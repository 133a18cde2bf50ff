"""Which squares the evaluation looks at together, and how what stands there becomes a number.

A pattern is a few squares in a fixed order. It is seen in four images, from each side of the board
(by quarter turns), and all images share one table of weights. What stands on the squares is read as
a number in base 3, the index: the digit of the i-th square, worth 3**i, is

    0  a disc of the player who waits
    1  empty
    2  a disc of the player to move

so an empty pattern has the middle index, and exchanging the players turns an index into
`3**n - 1 - index`.

The patterns are those of M. Buro's Logistello ("The evolution of strong Othello programs", 2003):
every line of four squares and more, and three shapes where games are decided, the corners and the
edges. A line along the edge is part of the edge pattern. The main diagonals turn into themselves,
reversed, so two of their images count twice; nothing comes of that but a weight half as large.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: How many images of a pattern there are, one a quarter turn.
IMAGES = 4


def power(place: int) -> int:
    """What a digit at that place of an index is worth."""
    worth: int = 3**place
    return worth


def middle(length: int) -> int:
    """The index of an empty pattern of that many squares."""
    return (power(length) - 1) // 2


@dataclass(frozen=True, slots=True)
class Pattern:
    """Squares that are looked at together, the least significant digit first."""

    name: str
    squares: tuple[int, ...]
    mirror: tuple[int, ...] | None
    """For each digit its place in the mirrored pattern; None if no mirroring gives the same shape.

    Mirrored contents have the same weight.
    """

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
        if self.mirror is None:
            return indices
        images = np.zeros_like(indices)
        for place, image in enumerate(self.mirror):
            images += indices // power(place) % 3 * power(image)
        return images


def _line(name: str, squares: Iterable[int]) -> Pattern:
    line = tuple(squares)
    return Pattern(name, line, tuple(reversed(range(len(line)))))


ROWS = tuple(_line(f"row {row + 1}", range(8 * row, 8 * row + 8)) for row in (1, 2, 3))
DIAGONALS = tuple(
    _line(f"diagonal {length}", range(8 - length, 8 * length, 9)) for length in range(4, 9)
)
CORNER = Pattern("corner 3x3", (16, 17, 18, 8, 9, 10, 0, 1, 2), (8, 5, 2, 7, 4, 1, 6, 3, 0))
BLOCK = Pattern("corner 2x5", (*range(8, 13), *range(5)), None)
MIRRORED_BLOCK = Pattern(
    "corner 2x5, mirrored", tuple(square ^ 56 for square in BLOCK.squares), None
)
EDGE = Pattern("edge and X-squares", (*range(8), 9, 14), (7, 6, 5, 4, 3, 2, 1, 0, 9, 8))

#: All patterns, in the order of their indices.
PATTERNS = (*ROWS, *DIAGONALS, CORNER, BLOCK, MIRRORED_BLOCK, EDGE)


def _starts() -> tuple[int, ...]:
    """Where each pattern's weights begin: one after another, but the two blocks share theirs."""
    starts: list[int] = []
    end = 0
    for pattern in PATTERNS:
        if pattern is MIRRORED_BLOCK:
            starts.append(starts[PATTERNS.index(BLOCK)])
        else:
            starts.append(end)
            end += pattern.size
    return tuple(starts)


STARTS = _starts()
#: How many weights all patterns have.
SIZE = STARTS[-1] + PATTERNS[-1].size


def shared() -> NDArray[np.int64]:
    """For each weight of a table the one, counted from 0 without gaps, that it is a copy of."""
    lowest = np.arange(SIZE, dtype=np.int64)
    for pattern, start in zip(PATTERNS, STARTS, strict=True):
        indices = np.arange(pattern.size, dtype=np.int64)
        lowest[start : start + pattern.size] = start + np.minimum(indices, pattern.mirrored())
    _, numbers = np.unique(lowest, return_inverse=True)
    return numbers.astype(np.int64)
