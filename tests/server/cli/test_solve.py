"""`plywire solve`."""

import pytest
from typer.testing import CliRunner

from plywire.server.cli import app


@pytest.mark.parametrize(
    ("arguments", "score"),
    [
        (["tictactoe"], "draw 0"),
        (["tictactoe", "a1", "b1", "a2", "b2"], "win 1"),
        (["connect4", "--size", "4x4"], "draw 0"),
    ],
)
def test_proves_the_result(arguments: list[str], score: str) -> None:
    done = CliRunner().invoke(app, ["solve", *arguments])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == f"score    {score}"


def test_tells_of_a_game_that_is_over() -> None:
    done = CliRunner().invoke(app, ["solve", "tictactoe", *["a1", "b1", "a2", "b2", "a3"]])
    assert done.stdout == "over     three in a row, 1 for X\n"


def test_refuses_moves_that_are_not_legal() -> None:
    done = CliRunner().invoke(app, ["solve", "tictactoe", "z9"])
    assert done.exit_code == 2
