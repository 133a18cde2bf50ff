import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.engine.connect4.rules import Connect4
from plywire.engine.game import PositionError, Result
from tests.support.walks import perft, positions, walks

USUAL = Connect4()
SIZES = [
    (width, height)
    for width in range(4, 13)
    for height in range(4, 16)
    if width * (height + 1) <= 64
]


def lines_of_four(rows: tuple[str, ...], piece: str) -> list[set[tuple[int, int]]]:
    """The fours in a row, found square by square."""
    found = []
    for y in range(len(rows)):
        for x in range(len(rows[0])):
            for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                line = {(x + i * right, y + i * down) for i in range(4)}
                inside = all(0 <= i < len(rows[0]) and 0 <= j < len(rows) for i, j in line)
                if inside and all(rows[j][i] == piece for i, j in line):
                    found.append(line)
    return found


def reference(rows: tuple[str, ...]) -> tuple[list[str], Result | None]:
    """The open columns and the result of a board, read off its rows."""
    if lines_of_four(rows, "x"):
        return [], Result(0, 1, "four in a row")
    if lines_of_four(rows, "o"):
        return [], Result(1, -1, "four in a row")
    columns = [str(x + 1) for x, piece in enumerate(rows[0]) if piece == "."]
    return columns, None if columns else Result(None, 0, "board full")


def test_every_size_that_fits_can_be_played() -> None:
    assert len(SIZES) == 42
    for width, height in SIZES:
        game = Connect4(width, height)
        assert len(game.start().moves()) == width
        assert game.parse(f"{'/'.join([str(width)] * height)} x") == game.start()


@pytest.mark.parametrize(
    ("depth", "leaves"),
    [(1, 7), (2, 49), (3, 343), (4, 2401), (5, 16_807), (6, 117_649)],
)
def test_perft(depth: int, leaves: int) -> None:
    assert perft(USUAL.start(), depth) == (leaves, 0)


@given(data=st.data())
def test_moves_and_results_agree_with_a_square_by_square_reference(data: st.DataObject) -> None:
    game = Connect4(*data.draw(st.sampled_from(SIZES)))
    for position in data.draw(walks(game)):
        columns, result = reference(position.cells())
        assert [game.move_name(move) for move in position.moves()] == columns
        assert position.result() == result


@given(data=st.data())
def test_a_stone_lands_on_the_lowest_empty_square(data: st.DataObject) -> None:
    game = Connect4(*data.draw(st.sampled_from(SIZES)))
    position = data.draw(positions(game))
    before = position.cells()
    for move in position.moves():
        after = position.play(move).cells()
        column = int(game.move_name(move)) - 1
        row = max(y for y in range(game.height) if before[y][column] == ".")
        expected = [list(line) for line in before]
        expected[row][column] = "xo"[position.turn]
        assert after == tuple("".join(line) for line in expected)
        assert game.square_name(move) == f"{'abcdefghijkl'[column]}{game.height - row}"


@given(data=st.data())
def test_mirrored_positions_have_mirrored_moves(data: st.DataObject) -> None:
    game = Connect4(*data.draw(st.sampled_from(SIZES)))
    position = data.draw(positions(game))
    board, turn = position.fen().split()
    tokens = (re.findall(r"[xo]|\d+", row) for row in board.split("/"))
    mirrored = game.parse("/".join("".join(reversed(row)) for row in tokens) + f" {turn}")
    assert mirrored.result() == position.result()
    names = [int(game.move_name(move)) for move in position.moves()]
    assert [game.width + 1 - int(game.move_name(move)) for move in mirrored.moves()] == names[::-1]


def test_the_layout_numbers_squares_up_the_columns() -> None:
    start = USUAL.start()
    assert start.moves() == (0, 7, 14, 21, 28, 35, 42)
    assert [USUAL.square_name(move) for move in start.moves()] == [f"{f}1" for f in "abcdefg"]
    assert start.play(21).words() == (0, 1 << 21)
    assert start.play(21).play(22).words() == (1 << 21, 1 << 22)


@pytest.mark.parametrize(
    ("moves", "result", "fen"),
    [
        ("1 2 1 2 1 2 1", Result(0, 1, "four in a row"), "7/7/x6/xo5/xo5/xo5 o"),
        ("1 4 2 5 1 6 2 7", Result(1, -1, "four in a row"), "7/7/7/7/xx5/xx1oooo x"),
        ("1 2 2 3 3 4 3 4 4 6 4", Result(0, 1, "four in a row"), "7/7/3x3/2xx3/1xxo3/xooo1o1 o"),
    ],
)
def test_games_to_a_win(moves: str, result: Result, fen: str) -> None:
    end = USUAL.start().play_names(moves.split())[-1]
    assert end.result() == result
    assert end.fen() == fen
    assert USUAL.parse(fen) == end


def test_a_four_made_by_the_last_stone_of_a_full_board_wins() -> None:
    position = Connect4(4, 4).parse("1xxo/ooxo/oxox/oxxx o")
    assert position.result() is None
    end = position.play_names(["1"])[0]
    assert "." not in "".join(end.cells())
    assert end.result() == Result(1, -1, "four in a row")


def test_a_full_board_without_a_four_is_a_draw() -> None:
    position = Connect4(4, 4).parse("xoxo/xoxo/oxox/oxox x")
    assert position.result() == Result(None, 0, "board full")
    assert position.moves() == ()


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("7/7/7/7/7/3x3 x", "1 x and 0 o with x to move"),
        ("7/7/7/7/7/3o3 x", "0 x and 1 o with x to move"),
        ("7/7/7/7/3x3/7 o", "a stone floats"),
        ("7/7/7/3x3/7/3o3 x", "a stone floats"),
        ("7/7/7/7/xxxx3/oooo3 x", "x is to move but has four in a row already"),
        ("7/7/7/7/xxx4/oooo1xx o", "o is to move but has four in a row already"),
        ("7/7/7/xxxx3/oooo3/oooxxx1 x", "x is to move but has four in a row already"),
        ("7/7/7/7/7 x", "has 5 rows, but the board is 7x6 and has 6"),
        ("8/8/8/8/8/8 x", "row '8', number 1 from the top, has 8 squares, but the board is 7 wide"),
    ],
)
def test_positions_that_cannot_be_are_refused(fen: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        USUAL.parse(fen)


def test_two_fours_are_accepted_only_if_the_last_stone_made_both() -> None:
    one_stone = "7/7/xxxx3/oxox3/xoox3/oooxo2 o"
    assert USUAL.parse(one_stone).result() == Result(0, 1, "four in a row")
    two_stones = "7/7/x5x/xoo3x/xoo3x/xooo2x o"
    with pytest.raises(PositionError, match="x had four in a row before the last move"):
        USUAL.parse(two_stones)


def test_wide_boards_write_runs_of_ten_and_more() -> None:
    game = Connect4(12, 4)
    position = game.start().play_names(["12"])[0]
    assert position.fen() == "12/12/12/11x o"
    assert game.parse("12/12/12/11x o") == position
    assert game.square_name(game.start().moves()[-1]) == "l1"


def test_a_drawn_board() -> None:
    position = Connect4(10, 4).start().play_names(["4", "10"])[-1]
    assert position.board().splitlines() == [
        "4  .  .  .  .  .  .  .  .  .  .",
        "3  .  .  .  .  .  .  .  .  .  .",
        "2  .  .  .  .  .  .  .  .  .  .",
        "1  .  .  .  x  .  .  .  .  .  o",
        "   1  2  3  4  5  6  7  8  9 10",
    ]
