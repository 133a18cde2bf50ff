"""Othello's weights for the page: smaller in a packed file, and hardly different in play.

The weights of a pattern change little from one knot to the next. A row of weights is written as
its difference from the row after it. Differences that matter little in positions of games become 0:
a difference stays only if it makes the squared error smaller by more than its bits cost. Contents
of patterns that hardly ever occur keep their weight of the next knot.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.native import load
from plywire.engine.othello.evaluation.patterns import IMAGES, PATTERNS, STARTS, power, shared
from plywire.engine.othello.evaluation.weights import Weights
from plywire.engine.othello.kernels import board_with
from plywire.engine.othello.midgame.searcher import SEARCH
from plywire.engine.othello.rules import Othello

#: Number of games that are played to see which contents occur, and the temperature of the players'
#: choice of moves, in hundredths of a disc.
_GAMES, _TEMPERATURE = 6000, 250
_SEED = 1
#: The mean squared error, in squared eighths of a disc, that each bit of the file must save.
_PER_BIT = 3.2e-5
#: Added to the frequency of every content, because the games do not show all contents.
_LEAST = 1e-6
#: The number of knots with the fewest empty squares, and the part by which they count. They count
#: less, because such positions are solved and not estimated.
_LATE_KNOTS, _LATE_PART = 2, 0.1
_CHUNK = 20_000


def differences(weights: Weights) -> NDArray[np.int8]:
    """Return rows of differences, the row of the most empty squares first; bytes may overflow."""
    often = _occurrences(weights, _positions(weights)) + _LEAST
    often[:_LATE_KNOTS] *= _LATE_PART
    values = weights.values.astype(np.int64)
    before = np.zeros(values.shape[1], np.int64)
    rows = []
    for wanted, frequency in zip(values[::-1], often[::-1], strict=True):
        difference = wanted - before
        bits = 4 + 1.5 * np.log2(1 + np.abs(difference))
        difference[frequency * difference**2 < _PER_BIT * bits] = 0
        before = before + difference
        rows.append(difference.astype(np.int8))
    return np.stack(rows)


def restored(rows: NDArray[np.int8], weights: Weights) -> Weights:
    """Return the weights that differences stand for; `weights` has the knots and averages."""
    values = np.cumsum(rows, axis=0, dtype=np.int8)[::-1]
    return Weights(weights.knots, np.ascontiguousarray(values), weights.averages)


def _positions(weights: Weights) -> NDArray[np.uint64]:
    """Return positions of games between players who err, and positions after random moves."""
    estimate = load(SEARCH).evaluate_root
    board = tuple(map(int, board_with(tables := weights.tables())))
    chance = np.random.default_rng(_SEED)
    found = []
    for _ in range(_GAMES):
        position = Othello().start()
        while not position.is_over:
            children = [position.play(move) for move in position.moves()]
            found.append(children[chance.integers(len(children))].words())
            worths = np.array([-estimate(*board, *child.words()) for child in children])
            heat = np.exp((worths - worths.max()) / _TEMPERATURE)
            position = children[chance.choice(len(children), p=heat / heat.sum())]
            found.append(position.words())
    # The tables must live until here, because the kernel reads them by their address.
    del tables
    return np.array(found, np.uint64)


def _occurrences(weights: Weights, positions: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return how often each weight counts in a position near each knot."""
    knots, places = weights.knots, shared()
    squares = np.arange(64, dtype=np.uint64)
    counts = np.zeros(weights.values.shape)
    for start in range(0, len(positions), _CHUNK):
        own, other = (
            (words[:, None] >> squares & np.uint64(1)).astype(np.int64)
            for words in positions[start : start + _CHUNK].T
        )
        empty = 64 - (own + other).sum(axis=1)
        after = np.searchsorted(knots, np.clip(empty, 1, 60))
        part = (empty - knots[after - 1]) / (knots[after] - knots[after - 1])
        for pattern, first in zip(PATTERNS, STARTS, strict=True):
            powers = np.array([power(place) for place in range(len(pattern.squares))])
            for turns in range(IMAGES):
                image = list(pattern.image(turns))
                index = places[first + (1 + own - other)[:, image] @ powers]
                np.add.at(counts, (after - 1, index), 1 - part)
                np.add.at(counts, (after, index), part)
    near = counts.sum(axis=1, keepdims=True) / (IMAGES * len(PATTERNS))
    occurrences: NDArray[np.float64] = counts / np.maximum(near, 1)
    return occurrences
