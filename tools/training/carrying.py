"""Carry weights over to larger patterns.

Each old pattern must be a part of a new one. The new pattern begins with the weights of the old
patterns whose squares it holds; its other squares make no difference yet. So estimates stay the
same, and a training can go on from them.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.evaluation.patterns import (
    IMAGES,
    PATTERNS,
    Pattern,
    layout,
    power,
    shared,
)
from plywire.engine.othello.evaluation.weights import NO_SQUARE, SQUARES, Weights, rounded


def load(path: Path) -> Weights:
    """Read weights of our patterns, or of smaller ones.

    Raises ValueError if an old pattern is no part of a new one, or for weights in another unit.
    """
    with np.load(path) as arrays:
        squares, values = arrays["squares"], arrays["values"]
        if np.array_equal(squares, SQUARES) or values.dtype != np.int8:
            return Weights.load(path)  # `Weights.load` refuses other units
        old = [
            Pattern(f"pattern {number}", tuple(int(it) for it in row if it != NO_SQUARE))
            for number, row in enumerate(squares)
        ]
        values = rounded(carried_over(values, old, PATTERNS))
        return Weights(arrays["knots"], values, arrays["averages"])


def carried_over(
    values: NDArray[np.int8], old: Sequence[Pattern], new: Sequence[Pattern]
) -> NDArray[np.int16]:
    """Convert rows of weights, one a knot, from old patterns to new ones.

    Both have one weight for contents that are equal by symmetry. The results are sums, and few of
    them do not fit into a byte. Raises ValueError if an old pattern is no part of a new one.
    """
    every = np.take(values, shared(old), axis=1)
    starts, size = layout(new)
    carried = np.zeros((len(values), size), np.int16)
    places = zip(new, starts, strict=True)
    homes = [(pattern, start, starts.count(start)) for pattern, start in places]
    old_starts, _ = layout(old)
    for number, (pattern, old_start) in enumerate(zip(old, old_starts, strict=True)):
        if old_start in old_starts[:number]:
            # The pattern is the mirror image of an earlier one, and shares its weights.
            continue
        home, start, part = _home(pattern, old_starts.count(old_start), homes)
        indices = np.arange(home.size)
        inner = np.zeros_like(indices)
        for place, square in enumerate(part):
            inner += indices // power(home.squares.index(square)) % 3 * power(place)
        carried[:, start : start + home.size] += every[:, old_start + inner]
    _, firsts = np.unique(shared(new), return_index=True)
    return carried[:, firsts]


def _home(
    pattern: Pattern, count: int, homes: Sequence[tuple[Pattern, int, int]]
) -> tuple[Pattern, int, tuple[int, ...]]:
    """Find the new pattern that holds the squares of an old one.

    Returns the new pattern, the index of its first weight, and the image of the old pattern that is
    a part of it. Both patterns have the same number of images.
    """
    for home, start, times in homes:
        for turns in range(IMAGES):
            part = pattern.image(turns)
            if times == count and set(part) <= set(home.squares):
                return home, start, part
    raise ValueError(f"no pattern holds the squares of {pattern.name}")
