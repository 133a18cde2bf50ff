import pytest

from plywire.engine.game import PositionError
from plywire.engine.othello import obf
from plywire.engine.othello.rules import Othello

START = "---------------------------OX------XO---------------------------"


def test_a_problem_is_a_position_and_scores_of_its_moves() -> None:
    problem = obf.parse(f"{START} X; D3:+4; c4:-2;")
    assert problem.position == Othello().start()
    assert {Othello().move_name(move): score for move, score in problem.scores.items()} == {
        "d3": 4,
        "c4": -2,
    }
    assert problem.best == 4


def test_what_is_written_reads_back() -> None:
    position = Othello().start().play_names(["d3"])[-1]
    line = str(obf.Problem(position, dict.fromkeys(position.moves(), -6)))  # type: ignore[arg-type]
    assert " O; " in line
    assert str(obf.parse(line)) == line


def test_comments_and_empty_lines_are_left_out() -> None:
    assert len(obf.read(["% a file", "", f"{START} X; D3:+0; % the first", "  "])) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not an OBF line"),
        (f"{START[1:]} X; D3:+4;", "not an OBF line"),
        (f"{START} Z; D3:+4;", "not an OBF line"),
        (f"{START} X;", "no move with a score"),
        (f"{START} X; D3;", "not a move with its score: 'D3'"),
        (f"{START} X; A1:+4;", "no move 'A1' here"),
    ],
)
def test_what_is_wrong_is_named(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        obf.parse(line)


def test_a_file_names_the_line() -> None:
    with pytest.raises(PositionError, match=r"line 2: not an OBF line: 'what\?'"):
        obf.read([f"{START} X; D3:+0;", "what?"])
