from collections.abc import Callable

import pytest
from hypothesis import given

from plywire.engine import fen
from plywire.engine.game import PASS, IllegalMoveError, Position, PositionError, Result
from plywire.engine.othello.rules import Othello
from tests.support.walks import perft, positions, walks

GAME = Othello()
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def enclosed(rows: tuple[str, ...], x: int, y: int, own: str, other: str) -> set[tuple[int, int]]:
    """The discs that a new disc on an empty square flips, found square by square."""
    flipped: set[tuple[int, int]] = set()
    for dx, dy in DIRECTIONS:
        run: list[tuple[int, int]] = []
        i, j = x + dx, y + dy
        while 0 <= i < 8 and 0 <= j < 8 and rows[j][i] == other:
            run.append((i, j))
            i, j = i + dx, j + dy
        if 0 <= i < 8 and 0 <= j < 8 and rows[j][i] == own:
            flipped.update(run)
    return flipped


def reference(rows: tuple[str, ...], turn: int) -> dict[int, tuple[str, ...]]:
    """Each landing and the rows it leads to."""
    own, other = "xo"[turn], "ox"[turn]
    boards = {}
    for y in range(8):
        for x in range(8):
            flipped = enclosed(rows, x, y, own, other)
            if rows[y][x] == "." and flipped:
                board = [list(row) for row in rows]
                for i, j in flipped | {(x, y)}:
                    board[j][i] = own
                boards[8 * y + x] = tuple("".join(row) for row in board)
    return boards


@pytest.mark.parametrize(
    ("depth", "leaves"),
    [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396), (6, 8200), (7, 55_092)],
)
def test_perft(depth: int, leaves: int) -> None:
    assert perft(GAME.start(), depth) == (leaves, 0)


@given(walk=walks(GAME))
def test_moves_flips_and_results_agree_with_a_square_by_square_reference(
    walk: list[Position],
) -> None:
    for position in walk:
        rows, turn = position.cells(), position.turn
        boards = reference(rows, turn)
        blocked = not boards and reference(rows, 1 - turn)
        assert position.moves() == ((PASS,) if blocked else tuple(boards))
        for move, board in boards.items():
            assert position.play(move).cells() == board
        assert position.is_over == (not boards and not blocked)


@given(walk=walks(GAME))
def test_the_score_counts_discs_and_gives_empties_to_the_winner(walk: list[Position]) -> None:
    result = walk[-1].result()
    if result is None:
        return
    pieces = "".join(walk[-1].cells())
    black, white, empty = (pieces.count(piece) for piece in "xo.")
    expected = black - white
    if expected:
        expected += empty if expected > 0 else -empty
    assert result.score == expected
    assert result.reason == ("no moves left" if empty else "board full")


@pytest.mark.parametrize(
    "moved",
    [lambda x, y: (7 - x, y), lambda x, y: (x, 7 - y), lambda x, y: (y, x)],
    ids=["mirrored", "upside-down", "transposed"],
)
@given(position=positions(GAME))
def test_a_board_turned_over_has_its_moves_turned_over(
    position: Position, moved: Callable[[int, int], tuple[int, int]]
) -> None:
    cells = [["."] * 8 for _ in range(8)]
    for y, row in enumerate(position.cells()):
        for x, piece in enumerate(row):
            i, j = moved(x, y)
            cells[j][i] = piece
    image = GAME.parse(fen.write(["".join(row) for row in cells], position.turn))

    landings = set()
    for move in position.moves():
        i, j = moved(move % 8, move // 8)
        landings.add(PASS if move == PASS else 8 * j + i)
    assert set(image.moves()) == landings
    assert image.result() == position.result()


def test_the_start() -> None:
    start = GAME.start()
    assert start.fen() == "8/8/8/3ox3/3xo3/8/8/8 x"
    assert [GAME.move_name(move) for move in start.moves()] == ["d3", "c4", "f5", "e6"]
    assert start.words() == (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)


def test_bit_0_is_a1_and_row_1_is_on_top() -> None:
    assert [GAME.square_name(move) for move in (0, 7, 56, 63)] == ["a1", "h1", "a8", "h8"]
    assert GAME.parse("x7/8/8/3ox3/3xo3/8/8/8 x").words()[0] & 1


def test_the_shortest_win_wipes_the_other_out() -> None:
    names = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]
    end = GAME.start().play_names(names)[-1]
    assert end.result() == Result(0, 64, "no moves left")
    assert end.moves() == ()
    assert end.fen() == "8/8/4x3/3xxx2/2xxxxx1/3xxx2/4x3/8 o"


def test_a_pass_is_a_ply_and_comes_only_when_it_must() -> None:
    position = GAME.parse("ox6/8/8/3xx3/3xx3/8/8/8 x")
    assert position.moves() == (PASS,)
    assert position.result() is None
    assert GAME.move_name(PASS) == "pass"
    assert GAME.square_name(PASS) == "-"
    (passed,) = position.play_names(["PASS"])
    assert passed.cells() == position.cells()
    assert (passed.turn, [GAME.move_name(move) for move in passed.moves()]) == (1, ["c1"])
    with pytest.raises(IllegalMoveError, match="no move 'pass' here: the legal moves are c1"):
        passed.play_names(["pass"])
    with pytest.raises(IllegalMoveError, match="the legal moves are pass"):
        position.play_names(["c1"])


@pytest.mark.parametrize(
    ("position", "result"),
    [
        ("8/8/8/3xx3/3xx3/8/8/8 o", Result(0, 64, "no moves left")),
        ("8/8/8/3oo3/3oo3/8/8/8 o", Result(1, -64, "no moves left")),
        ("xxxxxxxx/" * 4 + "oooooooo/oooooooo/oooooooo/oooooooo x", Result(None, 0, "board full")),
        ("xxxxxxxx/" * 7 + "xxxxxxxo o", Result(0, 62, "board full")),
        ("xxxxxxx1/" + "xxxxxxxx/" * 6 + "xxxxxxox x", Result(0, 62, "no moves left")),
        ("8/oo6/8/3xx3/3xx3/8/8/o6o x", Result(None, 0, "no moves left")),
    ],
)
def test_final_scores(position: str, result: Result) -> None:
    assert GAME.parse(position).result() == result


@pytest.mark.parametrize("hole", ["8/8/8/3o4/3xo3/8/8/8 x", "8/8/8/8/8/8/8/8 x"])
def test_the_centre_is_never_empty(hole: str) -> None:
    with pytest.raises(PositionError, match="d4, e4, d5 and e5 always hold discs"):
        GAME.parse(hole)


def test_a_drawn_board() -> None:
    assert GAME.start().play_names(["d3"])[0].board().splitlines() == [
        "1 . . . . . . . .",
        "2 . . . . . . . .",
        "3 . . . x . . . .",
        "4 . . . x x . . .",
        "5 . . . x o . . .",
        "6 . . . . . . . .",
        "7 . . . . . . . .",
        "8 . . . . . . . .",
        "  a b c d e f g h",
    ]
