"""Weights that go on in other patterns."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plywire.engine.othello.evaluation import weights as weights_module
from plywire.engine.othello.evaluation.patterns import IMAGES, Pattern, layout, shared
from plywire.engine.othello.evaluation.weights import SHIPPED, Weights
from tools.training import carrying
from tools.training.carrying import carried_over

LINE = Pattern("line", (8, 9, 10))
BLOCK = Pattern("block", (0, 1, 8))
MIRRORED = Pattern("mirrored block", (56, 57, 48))
OLD = (LINE, BLOCK, MIRRORED)
#: The line stands here as it is seen after a quarter turn.
NEW = (Pattern("edge", (0, 1, 2, 3)), Pattern("lines", (*LINE.image(1), 7)), *OLD[1:])


def sums(patterns: tuple[Pattern, ...], values: np.ndarray, own: int, other: int) -> list[int]:
    """What the weights of a board come to, by row."""
    every = np.take(values, shared(patterns), axis=1)
    starts, _ = layout(patterns)
    return [
        sum(
            int(row[start + pattern.index(turns, own, other)])
            for pattern, start in zip(patterns, starts, strict=True)
            for turns in range(IMAGES)
        )
        for row in every
    ]


def test_estimates_stay_the_same_in_larger_patterns() -> None:
    chance = np.random.default_rng(4)
    values = chance.integers(-30, 30, (2, int(shared(OLD).max()) + 1), np.int8)
    carried = carried_over(values, OLD, NEW)
    assert carried.shape == (2, int(shared(NEW).max()) + 1)
    for _ in range(200):
        discs, own = (int(word) for word in chance.integers(0, 1 << 63, 2, np.uint64))
        board = discs & own, discs & ~own
        assert sums(NEW, carried, *board) == sums(OLD, values, *board)


def test_a_pattern_that_is_no_part_of_another_is_named() -> None:
    values = np.zeros((1, int(shared(OLD).max()) + 1), np.int8)
    with pytest.raises(ValueError, match="no pattern holds the squares of line"):
        carried_over(values, OLD, OLD[1:])


def test_a_file_of_smaller_patterns_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = Weights.load(SHIPPED)
    chance = np.random.default_rng(5)
    values = chance.integers(-30, 30, (len(ours.knots), int(shared(OLD).max()) + 1), np.int8)
    with monkeypatch.context() as patches:
        patches.setattr(weights_module, "PATTERNS", OLD)
        patches.setattr(weights_module, "SQUARES", weights_module._squares())
        replace(ours, values=values).save(tmp_path / "old.npz")
    with pytest.raises(ValueError, match="other patterns"):
        Weights.load(tmp_path / "old.npz")
    monkeypatch.setattr(carrying, "PATTERNS", NEW)
    found = carrying.load(tmp_path / "old.npz")
    np.testing.assert_array_equal(found.values, carried_over(values, OLD, NEW))
    np.testing.assert_array_equal(found.averages, ours.averages)
