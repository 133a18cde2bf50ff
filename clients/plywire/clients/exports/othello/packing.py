"""Choose the weights that an exported bot contains: those that matter most in games.

A judge's limit leaves about one bit for each weight. Weights are rounded to a coarse unit, and rare
patterns become 0. Games of the engine's evaluation against itself count how often each weight is
used.
"""

import base64
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.evaluation.patterns import shared
from plywire.engine.othello.evaluation.weights import (
    SHIPPED,
    STAGES,
    UNIT,
    WEIGHT_UNIT,
    Weights,
    interpolation,
)

from .agent import FILTERS, Array, Evaluation, children, moves_of

#: _PICKED are the indices of the engine's knots that the bot keeps. _COARSENESS is the bot's unit
#: of weights, in units of the engine. Of all values that were tried, these had the smallest error.
_PICKED = (2, 5, 8)
_COARSENESS = 6
#: The unit of the engine's weights, in centidiscs.
_ENGINES_UNIT = UNIT / WEIGHT_UNIT
#: _GAMES games show how often each weight is used. Their first _RANDOM_PLIES plies are random.
#: Later moves maximise the estimate plus a random number below _LUCK, in centidiscs.
_GAMES = 1000
_RANDOM_PLIES = 8
_LUCK = 1200
_HALVINGS = 8


@dataclass(frozen=True)
class Packed:
    """The evaluation in an exported bot."""

    weights: str
    """The weights of each knot, compressed, in base 85."""
    knots: tuple[int, ...]
    unit: float
    """Unit of a weight, in hundredths of a disc."""
    averages: tuple[int, ...]


def exact() -> Evaluation:
    """Return the agent's evaluation with all weights of the engine."""
    weights = _shipped()
    knots, averages = tuple(weights.knots.tolist()), tuple(weights.averages.tolist())
    return Evaluation(weights.values.tobytes(), knots, _ENGINES_UNIT, averages)


def pack(fits: Callable[[Packed], bool]) -> Packed:
    """Return the evaluation with as many weights as fit."""
    values, worths = _candidates()
    ranked = np.sort(worths[worths > 0])[::-1]
    least, most = 0, len(ranked)
    packed = _packed(np.zeros_like(values))
    for _ in range(_HALVINGS):
        kept = (least + most + 1) // 2
        found = _packed(np.where(worths >= ranked[kept - 1], values, 0))
        if fits(found):
            least, packed = kept, found
        else:
            most = kept
    return packed


def _packed(values: NDArray[np.int8]) -> Packed:
    weights, picked = _shipped(), list(_PICKED)
    text = lzma.compress(values.astype(np.int8).tobytes(), lzma.FORMAT_RAW, filters=FILTERS)
    return Packed(
        base64.b85encode(text).decode(),
        tuple(weights.knots[picked].tolist()),
        _COARSENESS * _ENGINES_UNIT,
        tuple(weights.averages.tolist()),
    )


@cache
def _shipped() -> Weights:
    return Weights.load(SHIPPED)


@cache
def _candidates() -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Return the rounded weights of each knot, and how much each of them lowers the error."""
    weights, picked = _shipped(), list(_PICKED)
    uses = interpolation(weights.knots[picked]).T @ _uses().astype(np.float64)
    values = weights.values[picked].astype(np.float64)
    rounded = np.rint(values / _COARSENESS)
    worths = uses * (values**2 - (values - rounded * _COARSENESS) ** 2)
    return rounded.astype(np.int8), np.where(rounded, worths, 0)


def _uses() -> NDArray[np.int64]:
    """Count how often games use each weight; there is a row for each number of empty squares."""
    places, evaluate = shared(), exact()
    uses = np.zeros((STAGES, places.max() + 1), np.int64)
    for empty, own, other in _boards(evaluate):
        indices = places[evaluate.indices(own, other)]
        uses[empty] = np.bincount(indices.ravel(), minlength=uses.shape[1])
    return uses


def _boards(evaluate: Evaluation) -> Iterator[tuple[int, Array, Array]]:
    """Play all games at once; yield their boards for each number of empty squares.

    The moves depend on integers only, so the games are the same on every machine.
    """
    chance = np.random.default_rng(2026)
    own: Any = np.full(_GAMES, 0x810000000, np.uint64)
    other: Any = np.full(_GAMES, 0x1008000000, np.uint64)
    for empty in range(60, 0, -1):
        passes = moves_of(own, other) == 0
        own, other = np.where(passes, other, own), np.where(passes, own, other)
        goes_on = moves_of(own, other) != 0
        own, other = own[goes_on], other[goes_on]
        if not len(own):
            return
        yield empty, own, other
        parents, _, child_own, child_other = children(own, other)
        worths = chance.integers(_LUCK, size=len(parents))
        if empty <= 60 - _RANDOM_PLIES:
            worths -= evaluate(child_own, child_other)
        best = np.lexsort((-worths, parents))
        chosen = best[np.unique(parents, return_index=True)[1]]
        own, other = child_own[chosen], child_other[chosen]
