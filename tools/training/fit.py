"""From scored positions to weights, by regularised least squares.

The fit minimises the squared errors of all estimates plus `PENALTY` times the squared weights. The
penalty acts like `PENALTY` more positions with a score of 0 for each weight, so rare contents keep
a weight near 0. With a prior, the penalty is for the difference from the prior's weight, so rare
contents keep the prior's weight.

An estimate is the average of its stage plus the weights of all patterns. Weights are interpolated
between the knots, so each position also teaches the stages near its own.

A one-sided position counts less than an even one, because games are decided in even positions. A
sum of weights cannot be right in both.

The minimum is found by conjugate gradients (M. R. Hestenes and E. Stiefel, 1952) with the diagonal
as preconditioner. They need no step size, and each run takes the same steps. Every pass gathers the
indices of the positions again. This takes little time, and storing them would take several times
the memory of the positions.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.evaluation.indices import SHARES
from plywire.engine.othello.evaluation.patterns import IMAGES, SIZE, STARTS, shared
from plywire.engine.othello.evaluation.weights import (
    STAGES,
    UNIT,
    WEIGHT_UNIT,
    Weights,
    interpolation,
    rounded,
)

from .kernels import call
from .positions import Positions

#: Numbers of empty squares at which weights are fitted.
KNOTS = np.arange(0, STAGES, 5)
PENALTY = np.float32(10)
#: A position with this score, in discs, counts half as much as a draw.
_HALVED = 14

#: For each image of each pattern, the index of the first weight of the pattern.
_STARTS = np.repeat(np.array(STARTS, np.int64), IMAGES)

Floats = NDArray[np.float32]


class Samples:
    """Positions sorted by their number of empty squares, their stage."""

    def __init__(self, positions: Positions) -> None:
        empties = positions.empties()
        order = np.argsort(empties, kind="stable")
        self._own, self._other = positions.own[order], positions.other[order]
        self._bounds = np.searchsorted(empties[order], np.arange(STAGES + 1))
        self.scores: Floats = positions.score[order].astype(np.float32)
        """Scores in discs, for the player to move. The methods' results have the same order."""
        self.counts: Floats = importance(self.scores).astype(np.float32)
        """The weight of each sample in the fit."""

    def stages(self) -> list[slice]:
        """Return the samples of each stage."""
        return list(map(slice, self._bounds[:-1], self._bounds[1:]))

    def averages(self, values: Floats, otherwise: Floats) -> Floats:
        """Average `values` in each stage; a stage without samples gets its entry of `otherwise`."""
        return np.array(
            [
                np.average(values[stage], weights=self.counts[stage])
                if stage.stop > stage.start
                else average
                for stage, average in zip(self.stages(), otherwise, strict=True)
            ],
            np.float32,
        )

    def spread(self, averages: Floats) -> Floats:
        """Return the average of each sample's stage."""
        return np.repeat(averages, np.diff(self._bounds))

    def predict(self, tables: Floats, pool: ThreadPoolExecutor) -> Floats:
        """Sum the weights of each sample; `tables` has a row of all weights for each stage."""
        sums = np.empty(len(self.scores), np.float32)

        def work(row: int, stage: slice) -> None:
            self._call("predict", stage, tables[row], sums[stage])

        list(pool.map(work, range(STAGES), self.stages()))
        return sums

    def scatter(self, values: Floats, pool: ThreadPoolExecutor) -> Floats:
        """Sum values for each weight, over the samples that use it: the transpose of `predict`."""
        tables = np.zeros((STAGES, SIZE), np.float32)

        def work(row: int, stage: slice) -> None:
            self._call("scatter", stage, values[stage], tables[row])

        list(pool.map(work, range(STAGES), self.stages()))
        return tables

    def _call(self, entry: str, stage: slice, *arrays: Floats) -> None:
        if any(array.dtype != np.float32 for array in arrays):
            raise TypeError("kernels take numbers of 32 bits")
        boards = self._own[stage], self._other[stage]
        call(entry, SHARES, _STARTS, *boards, *arrays, stage.stop - stage.start)


@dataclass(slots=True)
class State:
    """The state of the conjugate gradients. Arrays have a row a knot, a column a shared weight."""

    values: Floats
    """The weights so far, in discs."""
    rest: Floats
    """The residual: the negative gradient, halved."""
    direction: Floats
    slope: float
    curve: list[tuple[float, float]] = field(default_factory=list)
    """The mean square errors on training and held-out positions after each iteration.

    Positions count as they do in the fit.
    """

    def save(self, path: Path) -> None:
        """Write a file, which appears only when it is whole."""
        unfinished = path.with_suffix(".part.npz")
        np.savez(
            unfinished,
            values=self.values,
            rest=self.rest,
            direction=self.direction,
            slope=self.slope,
            curve=np.array(self.curve),
        )
        unfinished.replace(path)

    @classmethod
    def load(cls, path: Path) -> State:
        """Read a file that `save` wrote."""
        with np.load(path) as arrays:
            curve = [(float(training), float(held)) for training, held in arrays["curve"]]
            return cls(
                arrays["values"], arrays["rest"], arrays["direction"], float(arrays["slope"]), curve
            )


class Fit:
    """A fit of weights to training samples, measured on held-out ones."""

    def __init__(
        self,
        training: Samples,
        held_out: Samples,
        threads: int,
        *,
        prior: Weights | None = None,
        state: State | None = None,
    ) -> None:
        """Go on from `state`. Without it, begin with the weights of the prior, or with 0.

        The penalty holds weights near those of the prior.
        """
        self._training, self._held_out = training, held_out
        self._pool = ThreadPoolExecutor(threads)
        self._places = shared()
        self._interpolation = interpolation(KNOTS)
        # If two images of a position have the same index, its weight counts twice here. Four times
        # would be exact, but twice is near enough.
        self._diagonal = (
            self._fold(training.scatter(training.counts, self._pool), self._interpolation**2)
            + PENALTY
        )
        values, averages = np.zeros_like(self._diagonal), np.zeros(STAGES, np.float32)
        if prior is not None:
            values = (prior.values / WEIGHT_UNIT).astype(np.float32)
            averages = (prior.averages / UNIT).astype(np.float32)
        rests = training.scores - training.predict(self._expand(values), self._pool)
        self._averages = training.averages(rests, averages)
        if state is None:
            self._training_errors = rests - training.spread(self._averages)
            errors = training.counts * self._training_errors
            rest = self._fold(training.scatter(errors, self._pool), self._interpolation)
            direction = rest / self._diagonal
            self.state = State(values, rest, direction, _dot(rest, direction))
        else:
            self._training_errors = self._errors(training, state.values)
            self.state = state

    def advance(self) -> None:
        """Do one iteration."""
        state = self.state
        training = self._training
        effect = training.predict(self._expand(state.direction), self._pool)
        curved = self._fold(
            training.scatter(training.counts * effect, self._pool), self._interpolation
        )
        curved += PENALTY * state.direction
        step = np.float32(state.slope / _dot(state.direction, curved))
        state.values += step * state.direction
        state.rest -= step * curved
        direction = state.rest / self._diagonal
        slope = _dot(state.rest, direction)
        state.direction = direction + np.float32(slope / state.slope) * state.direction
        state.slope = slope
        self._training_errors -= step * effect
        held_out = self._errors(self._held_out, state.values)
        state.curve.append(
            (
                mean_square(self._training_errors, training.counts),
                mean_square(held_out, self._held_out.counts),
            )
        )

    def weights(self) -> Weights:
        """Return the weights as they are stored."""
        averages = np.rint(self._averages * UNIT).astype(np.int16)
        return Weights(KNOTS, rounded(self.state.values * WEIGHT_UNIT), averages)

    def _errors(self, samples: Samples, values: Floats) -> Floats:
        """Return the scores minus the estimates, in discs."""
        estimates = samples.predict(self._expand(values), self._pool)
        return samples.scores - estimates - samples.spread(self._averages)

    def _expand(self, values: Floats) -> Floats:
        """Return all weights of all stages, from the weights at the knots."""
        # NumPy's check that all places exist would take half of the time.
        return np.take(self._interpolation @ values, self._places, axis=1, mode="clip")

    def _fold(self, tables: Floats, shares: Floats) -> Floats:
        """Apply the transpose of `_expand`; `shares` are the shares of the knots in each stage."""
        count = int(self._places.max()) + 1
        at_knots = shares.T @ tables
        return np.array([np.bincount(self._places, row, count) for row in at_knots], np.float32)


def importance(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return how much positions count in the fit: 1 with a score of 0 discs, else less."""
    return 1 / (1 + np.square(scores / _HALVED, dtype=np.float64))


def mean_square(errors: NDArray[Any], counts: NDArray[Any]) -> float:
    """Average the squared errors, weighted by `counts`. Without any error, return 0."""
    squares = np.square(errors, dtype=np.float64)
    return float(np.average(squares, weights=counts)) if len(errors) else 0.0


def _dot(first: Floats, second: Floats) -> float:
    return float(np.einsum("ij,ij->", first, second, dtype=np.float64))
