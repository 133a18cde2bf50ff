import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.clients.play.matches.openings import (
    OpeningError,
    join_moves,
    parse_opening,
    random_opening,
    read_openings,
)
from plywire.clients.play.notation.reader import read
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import Position
from plywire.engine.registry import load, names

CONNECT4 = load("connect4").start()
OTHELLO = load("othello").start()


def moves_of(text: str, start: Position) -> list[str]:
    (found,) = read(f"{start.fen()} moves {text}", [start.game]).games
    return list(found.line.names)


@given(st.lists(st.integers(1, 12), max_size=4))
def test_move_strings_come_back(columns: list[int]) -> None:
    start = load("connect4", "12x4").start()
    moves = list(map(str, columns))
    assert moves_of(join_moves(moves), start) == moves


def test_reading_a_file() -> None:
    text = "# a comment\n\n443\n1 2 3\n"
    openings = read_openings(CONNECT4.game, text)
    assert [opening.names for opening in openings] == [("4", "4", "3"), ("1", "2", "3")]
    assert openings[0].position == CONNECT4.play_names(["4", "4", "3"])[-1]


def test_openings_come_from_positions_and_games_too() -> None:
    text = '7/7/7/7/7/3x3 o\n\n[White "ann"]\n\n1. 4 {best} 4 2. 3 *\n'.encode("latin-1")
    first, second = read_openings(CONNECT4.game, text)
    assert (first.start.fen(), first.names) == ("7/7/7/7/7/3x3 o", ())
    assert second.names == ("4", "4", "3")


def test_a_byte_of_latin_1_is_read() -> None:
    assert len(read_openings(CONNECT4.game, b"# Ren\xe9\n443\n")) == 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("44\n48", "line 2, column 2: move 2: no move '8'"),
        ("\n1212121", "line 2: the game is over after the opening"),
        ("rubbish", "line 1, column 1: 'rubbish' is not understood: expected moves"),
        ("5/5/5/5 x", "line 1, column 1: a board of another size: expected 7x6"),
        ("# nothing", "nothing to read"),
    ],
)
def test_errors_name_the_line(text: str, error: str) -> None:
    with pytest.raises(OpeningError, match=error):
        read_openings(CONNECT4.game, text)


def test_othello_openings_in_one_word() -> None:
    assert parse_opening(OTHELLO, "d3c3c4").names == ("d3", "c3", "c4")


@pytest.mark.parametrize("name", names())
def test_random_openings(name: str) -> None:
    game = load(name)
    openings = [random_opening(game, 4, random.Random(seed)) for seed in range(50)]
    assert all(len(o.moves) == 4 and not o.position.is_over for o in openings)
    assert openings[7] == random_opening(game, 4, random.Random(7))
    assert len({o.position for o in openings}) > 25


def test_games_are_not_as_long_as_that() -> None:
    with pytest.raises(OpeningError, match="choose fewer"):
        random_opening(load("tictactoe"), 9, random.Random(1))


@given(st.integers(0, 2**32), st.integers(0, 60), st.booleans(), st.sampled_from(["", " "]))
def test_games_of_othello_survive_as_move_strings(
    seed: int, plies: int, is_upper: bool, gap: str
) -> None:
    """Also with passes, in either case, with spaces and without."""
    chance = random.Random(seed)
    game = load("othello")
    line = GameLine.at(game.start())
    while len(line.moves) < plies and (moves := line.position.moves()):
        line = line.play(chance.choice(moves))
    text = gap.join(line.names)
    start = game.start()
    assert moves_of(text.upper() if is_upper else text, start) == list(line.names)
    assert moves_of(join_moves(line.names), start) == list(line.names)
