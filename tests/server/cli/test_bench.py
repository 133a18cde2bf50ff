import json

from typer.testing import CliRunner

from plywire.server.cli import app


def test_the_table_has_a_row_a_game() -> None:
    result = CliRunner().invoke(app, ["bench", "tictactoe"])
    assert result.exit_code == 0
    heading, row = result.stdout.splitlines()
    assert heading.split() == ["Game", "Positions", "Nodes", "Seconds", "Nodes/s", "Signature"]
    assert row.split()[:2] == ["tictactoe", "6"]


def test_json_is_one_object_a_line() -> None:
    run = [CliRunner().invoke(app, ["bench", "tictactoe", "--json"]) for _ in range(2)]
    first, second = (json.loads(result.stdout) for result in run)
    assert first["game"] == "tictactoe"
    assert first["nodes"] == second["nodes"]
    assert first["signature"] == second["signature"]


def test_an_unknown_game_is_refused_by_name() -> None:
    result = CliRunner().invoke(app, ["bench", "chess"])
    assert result.exit_code == 2
    assert "no bench for 'chess'" in result.stderr
