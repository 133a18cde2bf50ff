"""How well a shallow search predicts a deeper one, and the table that kernels look up.

With a shallow depth d, a deeper one D and e empty squares, the deep value has a normal distribution
around

    x + intercept + slope * (D - d)

Intercept and slope depend on the parity of d, because the player who moves last looks better. x is
the shallow value s without its lean to 0. In hundredths of a disc,

    s = x - lean * ln(D - d) * x * (1 - |x| / 6400)

because a player who is ahead in the middle of a game is farther ahead at its end, up to 64 discs.
The standard deviation is

    exp(c0 + c1 ln(d + 1) + c2 ln(D - d) + c3 e) * (1 + growth * |s| / 6400)

because one-sided positions are harder to predict. There are two such relations: one between
searches that end in estimates, and one for searches to the end of the game, where D is e.
`probcut.py` fits them, and `tools/kernels.py` converts `probcut.json` to the table that the engine
ships.
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
#: The value of a game that is won with all discs, in hundredths of a disc.
MOST = int(node.MOST)
#: The largest lean; a lean of 1 would make all values 0.
_MOST_LEAN = 0.9
#: Minimum distance between an estimate and a bound, in standard deviations, for a cut without a
#: shallow search.
_DEVIATIONS_ALONE = 2.0


@dataclass(frozen=True, slots=True)
class Relation:
    """The relation between shallow and deep values, in hundredths of a disc."""

    means: tuple[tuple[float, float], tuple[float, float]]
    """Intercept and slope, for even and odd shallow depths."""
    lean: float
    """The lean of shallow values to 0, for each ln(D - d)."""
    log_deviation: tuple[float, float, float, float]
    """c0 to c3."""
    growth: float
    """The share by which the standard deviation is larger at 64 discs than at 0."""

    def shift(self, shallow: int, deep: int) -> float:
        """Return the mean of the deep value minus x."""
        intercept, slope = self.means[shallow % 2]
        return intercept + slope * (deep - shallow)

    def lean_of(self, shallow: ArrayLike, deep: ArrayLike) -> NDArray[np.float64]:
        """Return the lean to 0 of shallow values at these depths."""
        distance = np.log(np.subtract(deep, shallow))
        return np.clip(self.lean * distance, -_MOST_LEAN, _MOST_LEAN)

    def deviation(self, shallow: int, deep: int, empty: int) -> float:
        """Return the standard deviation of the deep value if the shallow one is 0."""
        return float(np.exp(terms(shallow, deep, empty) @ np.array(self.log_deviation)))


def upright(value: ArrayLike, lean: ArrayLike) -> NDArray[np.float64]:
    """Return x above for shallow values."""
    value, lean = np.asarray(value, np.float64), np.asarray(lean, np.float64)
    root = np.sqrt((1 - lean) ** 2 + 4 * lean * np.abs(value) / MOST)
    found: NDArray[np.float64] = 2 * value / (1 - lean + root)
    return found


def terms(shallow: ArrayLike, deep: ArrayLike, empty: ArrayLike) -> NDArray[np.float64]:
    """Return the factors of c0 to c3: of shape (4,) for numbers, (n, 4) for arrays of n."""
    depth, distance = np.log(np.add(shallow, 1)), np.log(np.subtract(deep, shallow))
    return np.stack(np.broadcast_arrays(1.0, depth, distance, empty), axis=-1)


@dataclass(frozen=True, slots=True)
class Regression:
    """Both relations, as they are stored."""

    middle: Relation
    end: Relation

    def save(self, path: Path) -> None:
        """Write a file."""
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
        """Make the table that the engine's `othello/midgame/probcut.py` describes."""
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
    """Return the depth that predicts a deeper one: about half of it, of the same parity."""
    return 2 * (deep // 4) + deep % 2


def end_depth(empty: int) -> int:
    """Return the depth that predicts a search to the end: some two fifths, of the same parity."""
    return 2 * (empty // 5) + empty % 2
