import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plywire.engine.othello import obf
from plywire.server.cli import app

PROBLEMS = Path(__file__).parents[2] / "engine" / "othello" / "problems.obf"


def _empty(problem: obf.Problem) -> int:
    return str(problem).count("-")


def solve(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(app, ["solve", *arguments], input=lines)


def small(*arguments: str, lines: str) -> Result:
    return solve("connect4", "--size", "4x4", "--table", "1", *arguments, lines=lines)


class TestConnect4:
    def test_a_position_a_line_in_and_its_score_a_line_out(self) -> None:
        result = small(lines="121212\n1212121\n")
        assert result.exit_code == 0
        # With three stones of eight played, the fourth wins: five from the last, counting both.
        assert result.stdout == "121212 5\n1212121 -5\n"

    def test_moves_may_be_apart_and_positions_written_out(self) -> None:
        result = small(lines="1 2 1 2 1 2\n4/xo2/xo2/xo2 x\n")
        assert result.stdout == "1 2 1 2 1 2 5\n4/xo2/xo2/xo2 x 5\n"

    def test_all_adds_what_each_column_is_worth(self) -> None:
        result = small("--all", lines="111122\n")
        position, score, *columns = result.stdout.split()
        assert position == "111122"
        assert columns[0] == "."
        assert score == max(columns[1:], key=int)

    def test_weak_gives_signs(self) -> None:
        result = small("--weak", "--all", lines="121212\n")
        assert result.stdout.split()[:3] == ["121212", "1", "1"]
        assert set(result.stdout.split()[1:]) <= {"1", "0", "-1"}

    def test_json_is_an_object_a_line(self) -> None:
        result = small("--json", "--all", lines="121212\n\nstartpos\n")
        win, empty = map(json.loads, result.stdout.splitlines())
        assert win["position"] == "121212"
        assert win["score"] == win["moves"]["1"] == 5
        assert list(win["moves"]) == ["1", "2", "3", "4"]
        assert empty["score"] == 0

    def test_positions_come_from_a_file_too(self, tmp_path: Path) -> None:
        file = tmp_path / "positions.txt"
        file.write_text("121212\n1212121\n")
        assert small(str(file), lines="").stdout == "121212 5\n1212121 -5\n"

    def test_positions_in_other_notations_are_solved(self, tmp_path: Path) -> None:
        file = tmp_path / "positions.txt"
        pgn = '[White "Ren\xe9"]\n[Size "4x4"]\n\n1. 1 2 {odd} 2. 1 2 3. 1 2 *\n'
        board = "4 . . . .\n3 x o . .\n2 x o . .\n1 x o . .\n  1 2 3 4\n"
        file.write_bytes(f"# some\r\n\r\n121212 +5\r\n\r\n{board}\n{pgn}".encode("latin-1"))
        result = small(str(file), lines="")
        assert result.stdout == "121212 +5 5\n4/xo2/xo2/xo2 x 5\n4/xo2/xo2/xo2 x 5\n"
        assert small(lines=file.read_bytes().decode("latin-1")).stdout == result.stdout

    def test_a_board_of_another_size_is_refused(self) -> None:
        result = small(lines="5/5/5/5 x\n")
        assert result.exit_code == 1
        assert "line 1, column 1: a board of another size: expected 4x4" in result.stderr

    def test_threads_and_no_book_change_nothing(self) -> None:
        moves = "12345671234567123456"
        once = solve("connect4", "--all", "--table", "1", lines=moves)
        other = solve(
            "connect4", "--all", "--table", "1", "--threads", "2", "--no-book", lines=moves
        )
        assert once.exit_code == other.exit_code == 0
        assert once.stdout == other.stdout

    def test_a_bad_line_is_named_and_the_others_are_answered(self) -> None:
        result = small(lines="121212\n9\n1212121\n")
        assert result.exit_code == 1
        assert result.stdout == "121212 5\n1212121 -5\n"
        assert result.stderr.startswith("plywire solve: line 2, column 1: move 1: no move '9' here")
        assert result.stderr.count("\n") == 1


class TestOtherGames:
    def test_they_say_win_draw_or_loss_for_each_move(self) -> None:
        result = solve("tictactoe", "--all", "--table", "1", lines="a1 b1 a2 b2\n")
        assert result.exit_code == 0
        assert result.stdout.startswith("a1 b1 a2 b2 win 1 a3 win 1 ")
        assert " c3 loss 2" in result.stdout

    def test_blank_lines_are_no_positions(self, tmp_path: Path) -> None:
        file = tmp_path / "positions.txt"
        file.write_text(f"\n{'x' * 63}. x\n\n% the end\n")
        result = solve("othello", "--table", "1", str(file))
        assert result.stdout == f"{'x' * 63}. x exact 64\n"

    def test_lines_of_obf_are_read_with_what_is_said_of_moves_or_without(self) -> None:
        problem = min(obf.read(PROBLEMS.read_text().splitlines()), key=_empty)
        board = str(problem).partition(";")[0]
        result = solve("othello", "--table", "1", lines=f"{problem} % its comment\n{board}\n")
        first, second = result.stdout.splitlines()
        assert first.startswith(f"{problem} ")
        assert first.endswith(f" exact {problem.best}")
        assert second == f"{board} exact {problem.best}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "unknown game 'chess'"),
        (["connect4", "--size", "3x3"], "no Connect Four board of 3x3"),
        (["othello", "--weak"], "--weak is for connect4"),
        (["connect4", "--table", "0"], "--table"),
        (["connect4", "no-such-file"], "no-such-file"),
    ],
)
def test_what_cannot_be_is_refused(arguments: list[str], said: str) -> None:
    result = solve(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
