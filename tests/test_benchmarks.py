"""Benchmarks that ended wrongly, or not at all."""

import importlib
from pathlib import Path

import pytest

from plywire.engine.registry import load, names

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.parametrize("game", names())
def test_movetime_asks_about_positions_of_every_game(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a board of nine squares nobody plays twelve plies."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    questions = importlib.import_module("movetime")._questions(game, 10)
    assert len(set(questions)) > 100
    for question in set(questions):
        position, go, end = question.decode().split("\n")
        assert not load(game).parse(position.removeprefix("position ")).is_over
        assert (go, end) == ("go movetime 10", "")
