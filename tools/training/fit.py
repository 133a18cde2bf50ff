"""From scored positions to weights, by regularised least squares.

What is minimised is the squared error of the estimates, summed over all positions, plus `PENALTY`
times the sum of the squared weights, as if every weight had been seen that many more times in
positions worth nothing: contents that are rarely seen stay near 0. With a prior it is the squared
differences from its weights: what is rarely seen stays as it was. An estimate is the average of
its stage and the sum of the patterns' weights; these are interpolated between the knots, so that
each position teaches the stages around its own too.

A position counts the less, the more one-sided its score is: games are decided where scores are
near 0, and a sum of weights that is to be right there need not be right where one side has won.

The minimum is approached by conjugate gradients (M. R. Hestenes and E. Stiefel, 1952),
preconditioned with the diagonal: no step sizes to choose, and the same steps in every run. The
positions' indices are gathered anew in every pass, which takes little time; keeping them would take
several times the memory of the positions.
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
#: In discs: a position with such a score counts half as much as a draw.
_HALVED = 14

#: For each image, where its pattern's weights begin.
_STARTS = np.repeat(np.array(STARTS, np.int64), IMAGES)

Floats = NDArray[np.float32]


class Samples:
    """Positions sorted by the number of empty squares, ready for passes over all of them."""

    def __init__(self, positions: Positions) -> None:
        """Sort the positions."""
        empties = positions.empties()
        order = np.argsort(empties, kind="stable")
        self._own, self._other = positions.own[order], positions.other[order]
        self._bounds = np.searchsorted(empties[order], np.arange(STAGES + 1))
        self.scores: Floats = positions.score[order].astype(np.float32)
        """In discs, for the player to move, in the order of all results here."""
        self.counts: Floats = importance(self.scores).astype(np.float32)
        """How much each sample counts."""

    def stages(self) -> list[slice]:
        """For each number of empty squares, which samples have it."""
        return list(map(slice, self._bounds[:-1], self._bounds[1:]))

    def averages(self, values: Floats, otherwise: Floats) -> Floats:
        """The average of a value a sample in each stage; where there is no sample, another."""
        return np.array(
            [
                np.average(values[stage], weights=self.counts[stage])
                if stage.stop > stage.start
                else average
                for stage, average in zip(self.stages(), otherwise, strict=True)
            ],
            np.float32,
        )

    def predict(self, tables: Floats, pool: ThreadPoolExecutor) -> Floats:
        """Each sample's sum of weights, from a row of all weights a stage."""
        sums = np.empty(len(self.scores), np.float32)

        def work(row: int, stage: slice) -> None:
            self._call("predict", stage, tables[row], sums[stage])

        list(pool.map(work, range(STAGES), self.stages()))
        return sums

    def scatter(self, values: Floats, pool: ThreadPoolExecutor) -> Floats:
        """The transpose of `predict`: for each weight, the sum of values where it is used."""
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
    """Where the conjugate gradients are; all arrays have a row a knot, a column a shared weight."""

    values: Floats
    """The weights so far, in discs."""
    rest: Floats
    """What is left of the gradient."""
    direction: Floats
    slope: float
    curve: list[tuple[float, float]] = field(default_factory=list)
    """After each iteration the mean square errors in discs, on training and held-out positions.

    Positions count there as they do in the fit.
    """

    def save(self, path: Path) -> None:
        """Write it to a file; it appears only when it is whole."""
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
    """Fitting weights to training samples, watched on held-out ones."""

    def __init__(
        self,
        training: Samples,
        held_out: Samples,
        threads: int,
        *,
        prior: Weights | None = None,
        state: State | None = None,
    ) -> None:
        """Begin with the weights of a prior or, without one, with 0; or go on from a state.

        Weights are held near those of the prior.
        """
        self._training, self._held_out = training, held_out
        self._pool = ThreadPoolExecutor(threads)
        self._places = shared()
        self._interpolation = interpolation(KNOTS)
        # An index that two images have at once counts twice here, not four times; that is near.
        self._diagonal = (
            self._fold(training.scatter(training.counts, self._pool), self._interpolation**2)
            + PENALTY
        )
        values, averages = np.zeros_like(self._diagonal), np.zeros(STAGES, np.float32)
        if prior is not None:
            values = (prior.values / WEIGHT_UNIT).astype(np.float32)
            averages = (prior.averages / UNIT).astype(np.float32)
        estimates = training.predict(self._expand(values), self._pool)
        self._averages = training.averages(training.scores - estimates, averages)
        if state is None:
            errors = training.counts * self._errors(training, values)
            rest = self._fold(training.scatter(errors, self._pool), self._interpolation)
            direction = rest / self._diagonal
            state = State(values, rest, direction, _dot(rest, direction))
        self.state = state
        """Where the fit is."""
        self._training_errors = self._errors(training, state.values)

    def advance(self) -> None:
        """One iteration."""
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
        """The weights so far."""
        averages = np.rint(self._averages * UNIT).astype(np.int16)
        return Weights(KNOTS, rounded(self.state.values * WEIGHT_UNIT), averages)

    def _errors(self, samples: Samples, values: Floats) -> Floats:
        """The scores less the estimates, in discs."""
        sizes = [stage.stop - stage.start for stage in samples.stages()]
        estimates = samples.predict(self._expand(values), self._pool)
        return samples.scores - estimates - np.repeat(self._averages, sizes)

    def _expand(self, values: Floats) -> Floats:
        """All weights of all stages, from those at the knots."""
        return np.take(self._interpolation @ values, self._places, axis=1)

    def _fold(self, tables: Floats, shares: Floats) -> Floats:
        """The transpose of `_expand`, for the given shares of the knots in the stages."""
        count = int(self._places.max()) + 1
        at_knots = shares.T @ tables
        return np.array([np.bincount(self._places, row, count) for row in at_knots], np.float32)


def importance(scores: NDArray[Any]) -> NDArray[np.float64]:
    """How much positions with such scores, in discs, count: 1 at 0, less to both sides."""
    return 1 / (1 + np.square(scores / _HALVED, dtype=np.float64))


def mean_square(errors: NDArray[Any], counts: NDArray[Any]) -> float:
    """The mean of the squares of errors that count so much each, 0 of none."""
    squares = np.square(errors, dtype=np.float64)
    return float(np.average(squares, weights=counts)) if len(errors) else 0.0


def _dot(first: Floats, second: Floats) -> float:
    return float(np.einsum("ij,ij->", first, second, dtype=np.float64))
