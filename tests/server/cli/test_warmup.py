from typer.testing import CliRunner

from plywire.server.cli import app


def test_it_says_when_each_game_is_ready() -> None:
    result = CliRunner().invoke(app, ["warmup", "tictactoe", "connect4"])
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["tictactoe", "ready"],
        ["connect4", "ready"],
    ]


def test_an_unknown_game_is_refused_by_name() -> None:
    result = CliRunner().invoke(app, ["warmup", "chess"])
    assert result.exit_code == 2
    assert "unknown game 'chess'" in result.stderr
