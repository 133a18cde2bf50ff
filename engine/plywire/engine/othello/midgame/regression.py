"""How well a shallow search tells the value of a deeper one, and the table that kernels look up.

With a shallow depth d, a deeper one D and e empty squares, the deep value is taken to be normally
distributed around

    shallow value + intercept + slope * (D - d)

with intercept and slope by the parity of d, for whoever moves last is favoured, and with

    ln(standard deviation) = c0 + c1 ln(d + 1) + c2 ln(D - d) + c3 e

There is one such relation between searches that end in estimates, and one for searches to the end
of the game, where D is e. `training/probcut.py` fits them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plywire.engine.othello.confidence import CERTAIN, deviations

from .probcut import ALONE, DEPTHS, HEAD_WORDS

SHIPPED = Path(__file__).with_name("probcut.json")
_EMPTY = 61
_MOST = np.iinfo(np.int16).max
#: By how many standard deviations a suspicion must be met that no search confirms.
_DEVIATIONS_ALONE = 2.0


@dataclass(frozen=True, slots=True)
class Relation:
    """Between a shallow value and a deep one, in hundredths of a disc."""

    means: tuple[tuple[float, float], tuple[float, float]]
    """Intercept and slope, for even and odd shallow depths."""
    log_deviation: tuple[float, float, float, float]
    """c0 to c3."""

    def mean(self, shallow: int, deep: int) -> float:
        """By how much the deep value is larger than the shallow one on average."""
        intercept, slope = self.means[shallow % 2]
        return intercept + slope * (deep - shallow)

    def deviation(self, shallow: int, deep: int, empty: int) -> float:
        """The standard deviation of the deep value around that."""
        return float(np.exp(terms(shallow, deep, empty) @ np.array(self.log_deviation)))


def terms(shallow: ArrayLike, deep: ArrayLike, empty: ArrayLike) -> NDArray[np.float64]:
    """What c0 to c3 are multiplied by: numbers give shape (4,), arrays of n give (n, 4)."""
    depth, distance = np.log(np.add(shallow, 1)), np.log(np.subtract(deep, shallow))
    return np.stack(np.broadcast_arrays(1.0, depth, distance, empty), axis=-1)


@dataclass(frozen=True, slots=True)
class Regression:
    """Both relations."""

    middle: Relation
    end: Relation

    def save(self, path: Path) -> None:
        """Write it to a file."""
        path.write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path) -> Regression:
        """Read a file that `save` wrote."""

        def read(relation: dict[str, list[list[float]]]) -> Relation:
            even, odd = (tuple(mean) for mean in relation["means"])
            return Relation((even, odd), tuple(relation["log_deviation"]))  # type: ignore[arg-type]

        return cls(*map(read, json.loads(path.read_text("utf-8")).values()))

    def table(self) -> NDArray[np.int16]:
        """What `probcut.py` looks up, in the layout described there."""
        head = np.zeros(HEAD_WORDS, np.int16)
        head[:CERTAIN] = [round(256 * deviations(level)) for level in range(CERTAIN)]
        head[ALONE] = round(256 * _DEVIATIONS_ALONE)
        rows = np.zeros((_EMPTY, DEPTHS, 3), np.int16)
        for empty in range(_EMPTY):
            for deep in range(2, empty + 1):
                rows[empty, deep] = self._row(deep, empty)
        return np.concatenate([head, rows.reshape(-1)])

    def _row(self, deep: int, empty: int) -> tuple[int, int, int]:
        is_end = deep == empty
        relation = self.end if is_end else self.middle
        shallow = end_depth(empty) if is_end else middle_depth(deep)
        deviation = relation.deviation(shallow, deep, empty)
        return shallow, round(relation.mean(shallow, deep)), min(round(deviation), _MOST)


def middle_depth(deep: int) -> int:
    """The depth that stands for a deeper one: about half of it, and of the same parity."""
    return 2 * (deep // 4) + deep % 2


def end_depth(empty: int) -> int:
    """The depth that stands for a search to the end of the game."""
    return 2 * (empty // 8) + empty % 2


@cache
def shipped_table() -> NDArray[np.int16]:
    """The table of the regression that the package ships."""
    return Regression.load(SHIPPED).table()
