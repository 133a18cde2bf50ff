import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plywire.server.cli import app


def test_the_table_has_a_row_a_game() -> None:
    result = CliRunner().invoke(app, ["bench", "tictactoe"])
    assert result.exit_code == 0
    heading, row, second_heading, second = result.stdout.splitlines()
    assert heading.split() == ["Game", "Positions", "Nodes", "Seconds", "Nodes/s", "Signature"]
    assert row.split()[:2] == ["tictactoe", "6"]
    assert second_heading.split() == [
        "In",
        "a",
        "second",
        "from",
        "the",
        "start",
        "Depth",
        "Nodes/s",
    ]
    assert second.split()[:2] == ["tictactoe", "9"]


def test_json_is_one_object_a_line() -> None:
    run = [CliRunner().invoke(app, ["bench", "tictactoe", "--json"]) for _ in range(2)]
    first, second = (json.loads(result.stdout) for result in run)
    assert first["game"] == "tictactoe"
    assert first["nodes"] == second["nodes"]
    assert first["signature"] == second["signature"]
    assert (first["second"]["depth"], first["second"]["confidence"]) == (9, 100)


def test_an_unknown_game_is_refused_by_name() -> None:
    result = CliRunner().invoke(app, ["bench", "chess"])
    assert result.exit_code == 2
    assert "no bench for 'chess'" in result.stderr


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Three positions and their scores, of which the last is wrong."""
    file = tmp_path / "suite.txt"
    file.write_text("121212 18\n1212124 -3\n343434 17\n")
    return file


def test_a_suite_is_solved_and_compared(suite: Path) -> None:
    result = CliRunner().invoke(app, ["bench", "connect4", "--suite", str(suite), "--json"])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert (found["positions"], found["mismatches"]) == (3, 2)
    assert set(found) == {
        "positions",
        "mean_ms",
        "max_ms",
        "mean_nodes",
        "knps",
        "mismatches",
    }


def test_a_suite_may_be_cut_short(suite: Path) -> None:
    options = ["--suite", str(suite), "--limit", "1", "--threads", "2", "--no-book", "--table", "1"]
    result = CliRunner().invoke(app, ["bench", "connect4", *options])
    assert result.exit_code == 0
    assert result.stdout.startswith("1 positions, CPU ms mean ")
    assert result.stdout.endswith("mismatches 0\n")


@pytest.mark.parametrize(
    ("game", "content", "said"),
    [
        ("tictactoe", "1 1", "--suite is for connect4"),
        ("connect4", "", "holds no positions"),
        ("connect4", "12 1\n12 x\n", "line 2: no score in '12 x'"),
    ],
)
def test_what_is_no_suite_is_refused(tmp_path: Path, game: str, content: str, said: str) -> None:
    file = tmp_path / "s"
    file.write_text(content)
    result = CliRunner().invoke(app, ["bench", game, "--suite", str(file)])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", "").split())


def test_evaluations_a_second_both_ways() -> None:
    result = CliRunner().invoke(app, ["bench", "othello", "--evaluation", "--json"])
    assert result.exit_code == 0
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["way"] for row in rows] == ["gathered", "move by move"]
    result = CliRunner().invoke(app, ["bench", "tictactoe", "--evaluation"])
    assert result.exit_code == 2
    assert "--evaluation is for othello" in result.stderr
