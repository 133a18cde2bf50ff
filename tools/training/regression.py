"""How well a shallow search tells the value of a deeper one, and the table that kernels look up.

With a shallow depth d, a deeper one D and e empty squares, the deep value is taken to be normally
distributed around

    x + intercept + slope * (D - d)

with intercept and slope by the parity of d, for whoever moves last is favoured. x is the shallow
value s but for its lean to 0: in hundredths of a disc,

    s = x - lean * ln(D - d) * x * (1 - |x| / 6400)

for who is ahead in the middle of a game is farther ahead at its end, as far as there are discs. The
standard deviation is

    exp(c0 + c1 ln(d + 1) + c2 ln(D - d) + c3 e) * (1 + growth * |s| / 6400)

as one-sided positions are judged less well. There is one such relation between searches that end in
estimates, and one for searches to the end of the game, where D is e. `probcut.py` fits them, and
`tools/kernels.py` makes of `probcut.json` the table that the engine ships.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plywire.engine.othello.confidence import CERTAIN, deviations
from plywire.engine.othello.midgame import node
from plywire.engine.othello.midgame.probcut import (
    ALONE,
    DEPTHS,
    GROWTH_BITS,
    HEAD_WORDS,
    LEAN_BITS,
    ROW_WORDS,
)

FITTED = Path(__file__).with_name("probcut.json")
_EMPTY = 61
_LARGEST = np.iinfo(np.int16).max
#: The value of a game won with all discs.
MOST = int(node.MOST)
#: A lean of 1 would make all values 0.
_MOST_LEAN = 0.9
#: By how many standard deviations a suspicion must be met that no search confirms.
_DEVIATIONS_ALONE = 2.0


@dataclass(frozen=True, slots=True)
class Relation:
    """Between a shallow value and a deep one, in hundredths of a disc."""

    means: tuple[tuple[float, float], tuple[float, float]]
    """Intercept and slope, for even and odd shallow depths."""
    lean: float
    """Of shallow values to 0, for each ln(D - d)."""
    log_deviation: tuple[float, float, float, float]
    """c0 to c3."""
    growth: float
    """By which part the standard deviation is larger with 64 discs than with none."""

    def shift(self, shallow: int, deep: int) -> float:
        """By how much the deep value is larger on average than what the shallow one leans from."""
        intercept, slope = self.means[shallow % 2]
        return intercept + slope * (deep - shallow)

    def lean_of(self, shallow: ArrayLike, deep: ArrayLike) -> NDArray[np.float64]:
        """How much the shallow values of such depths lean to 0."""
        distance = np.log(np.subtract(deep, shallow))
        return np.clip(self.lean * distance, -_MOST_LEAN, _MOST_LEAN)

    def deviation(self, shallow: int, deep: int, empty: int) -> float:
        """The standard deviation of the deep value where the shallow one is 0."""
        return float(np.exp(terms(shallow, deep, empty) @ np.array(self.log_deviation)))


def upright(value: ArrayLike, lean: ArrayLike) -> NDArray[np.float64]:
    """What shallow values lean from: x above."""
    value, lean = np.asarray(value, np.float64), np.asarray(lean, np.float64)
    root = np.sqrt((1 - lean) ** 2 + 4 * lean * np.abs(value) / MOST)
    found: NDArray[np.float64] = 2 * value / (1 - lean + root)
    return found


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

        def read(relation: dict[str, Any]) -> Relation:
            even, odd = (tuple(mean) for mean in relation["means"])
            deviation = tuple(relation["log_deviation"])
            return Relation((even, odd), relation["lean"], deviation, relation["growth"])

        return cls(*map(read, json.loads(path.read_text("utf-8")).values()))

    def table(self) -> NDArray[np.int16]:
        """What `probcut.py` looks up, in the layout described there."""
        head = np.zeros(HEAD_WORDS, np.int16)
        head[:CERTAIN] = [round(256 * deviations(level)) for level in range(CERTAIN)]
        head[ALONE] = round(256 * _DEVIATIONS_ALONE)
        rows = np.zeros((_EMPTY, DEPTHS, ROW_WORDS), np.int16)
        for empty in range(_EMPTY):
            for deep in range(2, empty + 1):
                row = self._row(deep, empty)
                rows[empty, deep, : len(row)] = row
        return np.concatenate([head, rows.reshape(-1)])

    def _row(self, deep: int, empty: int) -> tuple[int, ...]:
        is_end = deep == empty
        relation = self.end if is_end else self.middle
        shallow = end_depth(empty) if is_end else middle_depth(deep)
        deviation = relation.deviation(shallow, deep, empty)
        growth = relation.growth * deviation * 2**GROWTH_BITS / MOST
        lean = relation.lean_of(shallow, deep) * 2**LEAN_BITS / MOST
        row = (shallow, relation.shift(shallow, deep), deviation, growth, lean)
        return tuple(min(round(float(value)), _LARGEST) for value in row)


def middle_depth(deep: int) -> int:
    """The depth that stands for a deeper one: about half of it, and of the same parity."""
    return 2 * (deep // 4) + deep % 2


def end_depth(empty: int) -> int:
    """The depth that stands for a search to the end of the game: some two fifths of it."""
    return 2 * (empty // 5) + empty % 2
