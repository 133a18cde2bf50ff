import pytest
from hypothesis import given

from plywire.engine import game as games
from plywire.engine.game import PositionError, Result
from plywire.engine.tictactoe.rules import TicTacToe
from tests.support.walks import perft, positions

GAME = TicTacToe()


@pytest.mark.parametrize(
    ("depth", "leaves", "together"),
    [
        (5, 15_120, 15_120),
        (9, 127_872, 255_168),
    ],
)
def test_perft(depth: int, leaves: int, together: int) -> None:
    counted, finished = perft(GAME.start(), depth)
    assert (counted, counted + finished) == (leaves, together)


def test_the_word_of_the_start_has_only_the_two_flags() -> None:
    assert GAME.start().words() == (0x8000_8000, 0)
    assert GAME.start().turn == 0


def test_the_word_shows_squares_turn_and_end() -> None:
    walk = GAME.start().play_names(["a1", "b2", "b1", "a2", "c1"])
    words = [position.words()[0] for position in walk]
    on, x = 0x8000_0000, 0x8000
    assert words == [
        on | 0o001,
        on | x | 0o001 | 0o020 << 16,
        on | 0o003 | 0o020 << 16,
        on | x | 0o003 | 0o030 << 16,
        0o007 | 0o030 << 16,
    ]


@pytest.mark.parametrize(
    ("moves", "result", "fen"),
    [
        ("a1 a2 b1 b2 c1", Result(0, 1, "three in a row"), "3/oo1/xxx o"),
        ("a1 a3 b1 b2 c3 c1", Result(1, -1, "three in a row"), "o1x/1o1/xxo x"),
        ("b2 a1 c3 b3 b1 c1 a2 c2 a3", Result(None, 0, "board full"), "xox/xxo/oxo o"),
        ("a1 b2 b3 a2 c2 b1 a3 c1 c3", Result(0, 1, "three in a row"), "xxx/oox/xoo o"),
    ],
)
def test_games_to_their_end(moves: str, result: Result, fen: str) -> None:
    end = GAME.start().play_names(moves.split())[-1]
    assert end.result() == result
    assert end.fen() == fen
    assert GAME.parse(fen) == end


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("3/3/2x x", "1 x and 0 o with x to move: x begins"),
        ("3/3/3 o", "0 x and 0 o with o to move"),
        ("3/3/1oo x", "0 x and 2 o"),
        ("xxx/3/ooo x", "x is to move but has three in a row already"),
        ("xxx/xoo/ooo o", "with o to move"),
        ("xxx/oo1/xoo o", "4 x and 4 o"),
        ("ooo/xx1/xx1 o", "o is to move but has three"),
    ],
)
def test_unreachable_positions_are_refused(fen: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        GAME.parse(fen)


def test_parse_accepts_exactly_the_positions_that_games_lead_to() -> None:
    reached = {GAME.start()}
    frontier = reached
    while frontier:
        frontier = {position.play(move) for position in frontier for move in position.moves()}
        reached |= frontier
    assert len(reached) == 5478

    accepted = set()
    for number in range(3**9):
        pieces = "".join("1xo"[number // 3**square % 3] for square in range(9))
        for turn in "xo":
            text = f"{pieces[:3]}/{pieces[3:6]}/{pieces[6:]} {turn}"
            text = text.replace("111", "3").replace("11", "2")
            try:
                accepted.add(GAME.parse(text))
            except PositionError:
                continue
    assert accepted == reached


@given(position=positions(GAME))
def test_mirrored_positions_have_mirrored_moves(position: games.Position) -> None:
    board, turn = position.fen().split()
    rows = [row[::-1] for row in board.split("/")]
    mirrored = GAME.parse(f"{'/'.join(rows)} {turn}")
    assert sorted(mirrored.moves()) == sorted(3 * (m // 3) + 2 - m % 3 for m in position.moves())
    assert mirrored.result() == position.result()


def test_a_drawn_board() -> None:
    assert GAME.parse("x2/1o1/2x o").board() == "3 x . .\n2 . o .\n1 . . x\n  a b c"
