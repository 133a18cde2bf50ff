"""Benchmarks that ended wrongly, or not at all."""

import importlib
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from benchmarks import managers
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


def test_no_program_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    app = typer.Typer()
    app.command()(managers.main)
    result = CliRunner().invoke(app, [])
    assert result.exit_code == 1
    assert "cutechess-cli was not found" in result.stderr
    assert result.stdout == ""
