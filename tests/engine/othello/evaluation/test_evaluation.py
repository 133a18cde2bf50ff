"""The evaluation, against its definition."""

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plywire.engine.othello import speed
from plywire.engine.othello.evaluation.patterns import IMAGES, PATTERNS, STARTS, shared
from plywire.engine.othello.evaluation.weights import (
    SHIPPED,
    STAGES,
    Tables,
    Weights,
    interpolation,
    shipped_tables,
)
from plywire.engine.othello.kernels import OthelloBoard, board_with, shipped_board
from plywire.engine.othello.rules import Othello
from tests.kernels import OTHELLO
from tests.support.kernels import Kernels
from tests.support.random_play import random_game
from tests.support.sessions import ROOT

KERNELS = Kernels(OTHELLO)


def by_definition(tables: Tables, own: int, other: int) -> int:
    pair, which = divmod(64 - (own | other).bit_count(), 2)
    eighths = sum(
        int(tables["weights"][pair, start + pattern.index(turns, own, other)])
        for pattern, start in zip(PATTERNS, STARTS, strict=True)
        for turns in range(IMAGES)
    )
    hundredths = int(tables["averages"][pair, which]) + math.floor(12.5 * eighths)
    return max(-6400, min(6400, hundredths))


def compare(board: OthelloBoard, tables: Tables) -> list[int]:
    chance = random.Random("evaluation")
    values = []
    for _ in range(10):
        for position, _move in random_game(Othello(), chance):
            own, other = position.words()
            value = KERNELS.evaluate(*board, own, other)
            assert value == by_definition(tables, own, other)
            values.append(value)
    return values


def test_an_estimate_is_the_average_and_the_patterns_weights() -> None:
    compare(shipped_board(), shipped_tables())


def test_estimates_end_at_64_discs() -> None:
    tables = np.zeros_like(shipped_tables())
    tables["weights"] = np.random.default_rng(1).integers(-127, 128, tables["weights"].shape)
    values = compare(board_with(tables), tables)
    assert min(values) == -6400
    assert max(values) == 6400


def test_weights_between_the_knots_are_interpolated() -> None:
    knots = np.array([0, 10, 60])
    np.testing.assert_allclose(interpolation(knots).sum(axis=1), 1, rtol=1e-6)
    count = int(shared().max()) + 1
    values = np.zeros((3, count), np.int8)
    values[:, 7] = 50, 100, -100
    averages = np.arange(STAGES, dtype=np.int16)
    tables = Weights(knots, values, averages).tables()
    places = np.flatnonzero(shared() == 7)
    # Numbers of empty squares share a table by two: 0 and 1 the one for 0.5.
    for pair, expected in ((0, 52), (2, 72), (4, 92), (15, 18), (25, -62), (30, -100)):
        assert set(tables["weights"][pair, places]) == {expected}
    assert tables["averages"].ravel()[:STAGES].tolist() == averages.tolist()
    others = np.delete(tables["weights"], places, axis=1)
    assert not others.any()


def test_weights_survive_their_file(tmp_path: Any) -> None:
    weights = Weights.load(SHIPPED)
    weights.save(tmp_path / "copy.npz")
    copy = Weights.load(tmp_path / "copy.npz")
    np.testing.assert_array_equal(copy.tables(), weights.tables())


def test_weights_in_another_unit_are_refused(tmp_path: Any) -> None:
    weights = Weights.load(SHIPPED)
    replace(weights, values=weights.values.astype(np.int16)).save(tmp_path / "old.npz")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="eighths of a disc"):
        Weights.load(tmp_path / "old.npz")


def test_the_shipped_weights_are_small_and_the_lab_has_their_command() -> None:
    assert SHIPPED.stat().st_size <= 6_000_000
    entry = ROOT / "docs/lab/othello-evaluation/todays-weights.md"
    assert "python -m tools.training" in entry.read_text("utf-8")


def test_both_ways_to_evaluate_give_the_same_estimates() -> None:
    walk = speed.random_walk(5)
    board = shipped_board()
    assert speed.gathered(board, walk) == speed.advanced(board, walk)


def test_the_measured_speeds_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "_SECONDS", 0.01)
    measured = speed.measure()
    assert list(measured) == ["gathered", "move by move"]
    assert all(per_second > 0 for per_second in measured.values())
