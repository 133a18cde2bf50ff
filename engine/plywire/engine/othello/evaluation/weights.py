"""The evaluation's weights: how they are kept in a file, and laid out in memory for the kernels.

The weights of a pattern change smoothly as the board fills. They are kept at a few numbers of empty
squares, the knots; in between they are interpolated. Weights that are the same by symmetry are kept
once. A file tells the patterns' squares, so that weights of smaller patterns can be read still.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .carrying import carried_over
from .patterns import PATTERNS, SIZE, Pattern, shared

#: Numbers of empty squares that a position can have.
STAGES = 61
#: How the averages and weights are stored: in hundredths of a disc, the unit of all scores.
UNIT = 100

SHIPPED = Path(__file__).with_name("weights.npz")
_LOADING = threading.Lock()


def _squares() -> NDArray[np.uint8]:
    rows = np.full((len(PATTERNS), max(len(it.squares) for it in PATTERNS)), _NONE, np.uint8)
    for row, pattern in zip(rows, PATTERNS, strict=True):
        row[: len(pattern.squares)] = pattern.squares
    return rows


def _patterns(rows: NDArray[np.uint8]) -> list[Pattern]:
    return [
        Pattern(f"pattern {number}", tuple(int(square) for square in row if square != _NONE))
        for number, row in enumerate(rows)
    ]


#: The squares of each pattern, a row each, filled up with 64.
_NONE = 64
_SQUARES = _squares()


def interpolation(knots: NDArray[np.int64]) -> NDArray[np.float32]:
    """For each number of empty squares the shares of the knots, shape (STAGES, knots)."""
    corners = np.eye(len(knots))
    stages = np.arange(STAGES)
    shares = [np.interp(stages, knots, corner) for corner in corners]
    return np.stack(shares, axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights at the knots."""

    knots: NDArray[np.int64]
    """Numbers of empty squares, ascending, the first 0 and the last 60."""
    values: NDArray[np.int16]
    """A row a knot: the weights that are not the same by symmetry, in hundredths of a disc."""
    averages: NDArray[np.int16]
    """For each number of empty squares, what a position is worth on average."""

    def save(self, path: Path) -> None:
        """Write them to a file, compressed."""
        np.savez_compressed(
            path,
            squares=_SQUARES,
            knots=self.knots,
            values=self.values,
            averages=self.averages,
        )

    @classmethod
    def load(cls, path: Path) -> Weights:
        """Read a file that `save` wrote.

        Raises ValueError if it has other patterns, which are no parts of ours.
        """
        with np.load(path) as arrays:
            values, squares = arrays["values"], arrays["squares"]
            if not np.array_equal(squares, _SQUARES):
                values = carried_over(values, _patterns(squares), PATTERNS)
            return cls(arrays["knots"], values, arrays["averages"])

    def tables(self) -> NDArray[np.int16]:
        """A row for each number of empty squares: all weights, then the average."""
        tables = np.empty((STAGES, SIZE + 1), np.int16)
        stages = np.rint(interpolation(self.knots) @ self.values.astype(np.float32)).astype(
            np.int16
        )
        places = shared()
        for table, values in zip(tables, stages, strict=True):
            np.take(values, places, out=table[:SIZE])
        tables[:, SIZE] = self.averages
        return tables


def shipped_tables() -> NDArray[np.int16]:
    """The tables that the package ships, loaded when first asked for and kept.

    Kernels know them by their address alone, so there must never be others: of two threads that
    ask first, one waits for the other.
    """
    with _LOADING:
        return _load_shipped()


@cache
def _load_shipped() -> NDArray[np.int16]:
    return Weights.load(SHIPPED).tables()
