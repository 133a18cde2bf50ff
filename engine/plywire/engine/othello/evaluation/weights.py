"""The evaluation's weights: how they are kept in a file, and laid out in memory for the kernels.

The weights of a pattern change smoothly as the board fills. They are kept at a few numbers of empty
squares, the knots; in between they are interpolated. Weights that are the same by symmetry are kept
once. A file names the patterns' squares, so that weights of other patterns are never read as ours.

A weight takes one byte, and in memory two numbers of empty squares share a table: a search looks
weights up all the time, and the less they take, the more of them are in the processor's caches.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .patterns import PATTERNS, SIZE, shared

#: Numbers of empty squares that a position can have.
STAGES = 61
#: How averages are stored: in hundredths of a disc, the unit of all scores.
UNIT = 100
#: How weights are stored: in eighths of a disc. The error of an estimate grows by 0.1 %.
WEIGHT_UNIT = 8

#: A table: the averages of two numbers of empty squares, the even one first, and all weights; the
#: kernels may read three bytes more.
TABLE = np.dtype([("averages", np.int16, 2), ("weights", np.int8, -(-(SIZE + 3) // 4) * 4)])
#: One a pair of numbers of empty squares: 0 and 1, 2 and 3, ...
Tables = np.ndarray[tuple[int], np.dtype[np.void]]

SHIPPED = Path(__file__).with_name("weights.npz")
_LOADING = threading.Lock()


def _squares() -> NDArray[np.uint8]:
    rows = np.full((len(PATTERNS), max(len(it.squares) for it in PATTERNS)), NO_SQUARE, np.uint8)
    for row, pattern in zip(rows, PATTERNS, strict=True):
        row[: len(pattern.squares)] = pattern.squares
    return rows


NO_SQUARE = 64
#: The squares of each pattern, a row each, filled up with `NO_SQUARE`.
SQUARES = _squares()


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
    values: NDArray[np.int8]
    """A row a knot: the weights that are not the same by symmetry, in eighths of a disc."""
    averages: NDArray[np.int16]
    """For each number of empty squares, what a position is worth on average, in hundredths."""

    def save(self, path: Path) -> None:
        """Write them to a file, compressed."""
        np.savez_compressed(
            path,
            squares=SQUARES,
            knots=self.knots,
            values=self.values,
            averages=self.averages,
        )

    @classmethod
    def load(cls, path: Path) -> Weights:
        """Read a file that `save` wrote.

        Raises ValueError if the weights are of other patterns or in another unit.
        """
        with np.load(path) as arrays:
            if arrays["values"].dtype != np.int8:
                raise ValueError("weights are expected in eighths of a disc, a byte each")
            if not np.array_equal(arrays["squares"], SQUARES):
                raise ValueError("these weights are of other patterns than ours")
            return cls(arrays["knots"], arrays["values"], arrays["averages"])

    def tables(self) -> Tables:
        """All weights and averages, as the kernels look them up."""
        shares = interpolation(self.knots)
        between = (shares[0::2] + np.append(shares[1::2], shares[-1:], axis=0)) / 2
        tables = np.zeros(len(between), TABLE)
        tables["averages"] = np.append(self.averages, self.averages[-1]).reshape(-1, 2)
        places = shared()
        for table, parts in zip(tables["weights"], between, strict=True):
            np.take(rounded(self._mixed(parts)), places, out=table[:SIZE])
        return tables

    def _mixed(self, parts: NDArray[np.float32]) -> NDArray[np.float32]:
        """Weights of which the knots have such parts, with every rounding laid down.

        Each step is a fused multiply-add. A product of matrices would leave the order of the sums
        to the library, and with it weights that lie halfway between two whole numbers: searches
        would visit other nodes on another processor.
        """
        mixed = np.zeros(self.values.shape[1], np.float32)
        for part, values in zip(parts, self.values, strict=True):
            if part:
                mixed = (mixed + np.float64(part) * values).astype(np.float32)
        return mixed


def rounded(eighths: NDArray[Any]) -> NDArray[np.int8]:
    """Weights in eighths of a disc as they are stored; very few would be beyond 16 discs."""
    found: NDArray[np.int8] = np.clip(np.rint(eighths), -127, 127).astype(np.int8)
    return found


def shipped_tables() -> Tables:
    """The tables that the package ships, loaded when first asked for and kept.

    Kernels know them by their address alone, so there must never be others: of two threads that
    ask first, one waits for the other.
    """
    with _LOADING:
        return _load_shipped()


@cache
def _load_shipped() -> Tables:
    return Weights.load(SHIPPED).tables()
