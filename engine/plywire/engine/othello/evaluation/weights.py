"""The evaluation's weights: their file, and the tables that the kernels read.

Weights change smoothly as the board fills. A file has them for a few numbers of empty squares, the
knots; weights for other numbers are interpolated. The file has symmetric weights once. It names the
squares of the patterns, so that weights of other patterns are rejected.

In memory, a weight takes one byte, and two numbers of empty squares share a table, so that more
weights fit into the processor's caches.
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

#: The number of stages, one for each number of empty squares from 0 to 60.
STAGES = 61
#: Units in a disc for averages, which are in hundredths of a disc like all scores.
UNIT = 100
#: Units in a disc for weights. Eighths of a disc make the error of an estimate 0.1 % larger.
WEIGHT_UNIT = 8

#: A table serves two numbers of empty squares. It has the two averages, the even number's first,
#: and then all weights. At least three spare bytes follow, which kernels may read.
TABLE = np.dtype([("averages", np.int16, 2), ("weights", np.int8, -(-(SIZE + 3) // 4) * 4)])
#: An array of tables: for 0 and 1 empty squares, for 2 and 3, and so on.
Tables = np.ndarray[tuple[int], np.dtype[np.void]]

SHIPPED = Path(__file__).with_name("weights.npz")
_LOADING = threading.Lock()


def _squares() -> NDArray[np.uint8]:
    rows = np.full((len(PATTERNS), max(len(it.squares) for it in PATTERNS)), NO_SQUARE, np.uint8)
    for row, pattern in zip(rows, PATTERNS, strict=True):
        row[: len(pattern.squares)] = pattern.squares
    return rows


NO_SQUARE = 64
#: A row for each pattern: its squares, filled up with `NO_SQUARE`.
SQUARES = _squares()


def interpolation(knots: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the shares of the knots for each number of empty squares, shape (STAGES, knots)."""
    corners = np.eye(len(knots))
    stages = np.arange(STAGES)
    shares = [np.interp(stages, knots, corner) for corner in corners]
    return np.stack(shares, axis=1).astype(np.float32)


def table_shares(knots: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the shares of the knots in each table: the mean for its two numbers."""
    shares = interpolation(knots)
    both = shares[0::2] + np.append(shares[1::2], shares[-1:], axis=0)
    return (both / 2).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights at the knots."""

    knots: NDArray[np.int64]
    """Numbers of empty squares, from 0 up to 60."""
    values: NDArray[np.int8]
    """A row for each knot: the weights without symmetric copies, in eighths of a disc."""
    averages: NDArray[np.int16]
    """The average score for each number of empty squares, in hundredths of a disc."""

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path,
            squares=SQUARES,
            knots=self.knots,
            values=self.values,
            averages=self.averages,
        )

    @classmethod
    def load(cls, path: Path) -> Weights:
        """Read a file that `save` wrote; raise ValueError for other patterns or another unit."""
        with np.load(path) as arrays:
            if arrays["values"].dtype != np.int8:
                raise ValueError("weights are expected in eighths of a disc, a byte each")
            if not np.array_equal(arrays["squares"], SQUARES):
                raise ValueError("these weights are of other patterns than ours")
            return cls(arrays["knots"], arrays["values"], arrays["averages"])

    def tables(self) -> Tables:
        between = table_shares(self.knots)
        tables = np.zeros(len(between), TABLE)
        tables["averages"] = np.append(self.averages, self.averages[-1]).reshape(-1, 2)
        places = shared()
        for table, parts in zip(tables["weights"], between, strict=True):
            np.take(rounded(self._mixed(parts)), places, out=table[:SIZE])
        return tables

    def _mixed(self, parts: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the sum of the knots' weights times their shares, with fixed rounding.

        Each step is a fused multiply-add. A matrix product could add in another order on another
        processor; then weights could round differently, and searches would visit other nodes.
        """
        mixed = np.zeros(self.values.shape[1], np.float32)
        for part, values in zip(parts, self.values, strict=True):
            if part:
                mixed = (mixed + np.float64(part) * values).astype(np.float32)
        return mixed


def rounded(eighths: NDArray[Any]) -> NDArray[np.int8]:
    """Return weights as they are stored; the few beyond 16 discs are clipped."""
    found: NDArray[np.int8] = np.clip(np.rint(eighths), -127, 127).astype(np.int8)
    return found


def shipped_tables() -> Tables:
    """Return the tables of the shipped weights; they stay, because kernels know their address."""
    with _LOADING:
        return _load_shipped()


@cache
def _load_shipped() -> Tables:
    return Weights.load(SHIPPED).tables()
