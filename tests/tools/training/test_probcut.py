"""What multi-ProbCut rests on: how it is fitted, kept and looked up."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from plywire.engine.othello import memory
from plywire.engine.othello.confidence import CERTAIN, deviations
from plywire.engine.othello.midgame.probcut import (
    ALONE,
    DEPTHS,
    GROWTH_BITS,
    HEAD_WORDS,
    LEAN_BITS,
    ROW_WORDS,
)
from plywire.engine.othello.ready_made import ready_made
from tests.kernels import OTHELLO
from tests.support.kernels import Kernels
from tools.training import probcut
from tools.training.batches import Progress
from tools.training.probcut import Pairs, fit, train_probcut
from tools.training.regression import (
    FITTED,
    MOST,
    Regression,
    Relation,
    end_depth,
    middle_depth,
    upright,
)

KNOWN = Relation(((40.0, -15.0), (-60.0, 5.0)), 0.12, (6.0, -0.4, 0.5, -0.01), 0.5)


def quiet(_stage: str) -> Progress:
    return lambda _done, _of: None


def drawn(relation: Relation, count: int) -> Pairs:
    """Pairs that obey a relation."""
    chance = np.random.default_rng(5)
    shallow = chance.integers(0, 7, count)
    deep = shallow + 2 * chance.integers(1, 4, count)
    empty = chance.integers(12, 50, count)
    value = chance.uniform(-5_000, 5_000, count)
    places = list(zip(shallow.tolist(), deep.tolist(), empty.tolist(), strict=True))
    shift = np.array([relation.shift(a, b) for a, b, _ in places])
    deviation = np.array([relation.deviation(*place) for place in places])
    deviation *= 1 + relation.growth * np.abs(value) / MOST
    mean = upright(value, relation.lean_of(shallow, deep)) + shift
    deep_value = mean + deviation * chance.standard_normal(count)
    return Pairs(shallow, deep, empty, value, deep_value)


def test_a_fit_finds_the_relation_that_the_values_obey() -> None:
    found = fit(drawn(KNOWN, 40_000))
    assert found.lean == pytest.approx(KNOWN.lean, abs=0.01)
    assert found.growth == pytest.approx(KNOWN.growth, abs=0.05)
    for shallow, deep, empty in ((0, 2, 12), (1, 7, 20), (4, 8, 30), (6, 12, 48)):
        deviation = KNOWN.deviation(shallow, deep, empty)
        assert found.shift(shallow, deep) == pytest.approx(KNOWN.shift(shallow, deep), abs=10)
        assert found.deviation(shallow, deep, empty) == pytest.approx(deviation, rel=0.05)


def test_what_a_value_leans_from_is_beyond_it_but_at_the_ends() -> None:
    x = np.linspace(-MOST, MOST, 65)
    for lean in (-0.5, 0.0, 0.3, 0.9):
        leaning = x - lean * x * (1 - np.abs(x) / MOST)
        assert upright(leaning, lean) == pytest.approx(x)


def test_a_regression_survives_its_file(tmp_path: Path) -> None:
    regression = Regression(
        KNOWN, Relation(((1.0, 2.0), (3.0, 4.0)), 0.5, (5.0, 0.1, 0.2, 0.3), 0.6)
    )
    regression.save(tmp_path / "probcut.json")
    assert Regression.load(tmp_path / "probcut.json") == regression


def test_the_table_holds_what_the_shipped_regression_says() -> None:
    regression = Regression.load(FITTED)
    table = ready_made("probcut", np.int16)
    for level in range(CERTAIN):
        assert table[level] / 256 == pytest.approx(deviations(level), abs=0.01)
    assert table[ALONE] > table[:CERTAIN].max()
    rows = table[HEAD_WORDS:].reshape(-1, DEPTHS, ROW_WORDS)
    for empty, deep in ((20, 2), (20, 3), (20, 19), (20, 20), (40, 12), (60, 60)):
        is_end = deep == empty
        shallow, shift, deviation, growth, lean = map(int, rows[empty, deep, :5])
        relation = regression.end if is_end else regression.middle
        assert shallow == (end_depth(empty) if is_end else middle_depth(deep))
        assert shift == pytest.approx(relation.shift(shallow, deep), abs=1)
        assert deviation == pytest.approx(relation.deviation(shallow, deep, empty), abs=1)
        largest = MOST * growth / 2**GROWTH_BITS
        assert largest == pytest.approx(relation.growth * deviation, abs=1)
        assert MOST * lean / 2**LEAN_BITS == pytest.approx(
            relation.lean_of(shallow, deep), abs=0.001
        )


def test_a_deep_value_is_beyond_a_bound_as_surely_as_a_level_says() -> None:
    regression = Regression.load(FITTED)
    table = ready_made("probcut", np.int16)
    context = np.zeros(int(memory.OTHELLO.probcut) // 8 + 1, np.uint64)
    context[-1] = table.ctypes.data
    address, threshold = context.ctypes.data, Kernels(OTHELLO).threshold
    for empty, deep in ((20, 20), (33, 33), (30, 8)):
        relation = regression.end if deep == empty else regression.middle
        shallow = end_depth(empty) if deep == empty else middle_depth(deep)
        lean, shift = relation.lean_of(shallow, deep), relation.shift(shallow, deep)
        for level in range(CERTAIN):
            for bound, sign in ((0, 1), (0, -1), (1_800, 1), (1_800, -1), (-3_000, 1)):
                value = threshold(address, empty, deep, level, bound, sign)
                deviation = relation.deviation(shallow, deep, empty)
                deviation *= 1 + relation.growth * abs(bound) / MOST
                beyond = sign * (float(upright(value, lean)) + shift - bound) / deviation
                assert beyond == pytest.approx(deviations(level), abs=0.03)


def test_a_depth_is_judged_by_a_smaller_one_of_the_same_parity() -> None:
    for deep in range(2, DEPTHS):
        for shallow in (middle_depth(deep), end_depth(deep)):
            assert 0 <= shallow < deep
            assert shallow % 2 == deep % 2


def test_training_is_the_same_on_any_number_of_threads_and_leaves_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probcut, "DEEPEST", 5)
    monkeypatch.setattr(probcut, "END_EMPTY", 12)
    cards = [train_probcut(120, 3, tmp_path / str(threads), threads, quiet) for threads in (1, 2)]
    assert cards[0] == cards[1]
    assert "python -m tools.training --probcut 120 --seed 3" in cards[0]
    assert (tmp_path / "1" / "probcut.md").read_text("utf-8") == cards[0]
    ElementTree.parse(tmp_path / "1" / "probcut.svg")
    regression = Regression.load(tmp_path / "1" / "probcut.json")
    # Nearer depths, and deeper ones, tell more of each other.
    near, far = (regression.middle.deviation(1, deep, 30) for deep in (3, 9))
    assert 50 < near < far < 3_000
