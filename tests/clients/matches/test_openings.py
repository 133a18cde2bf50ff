import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.clients.matches.openings import (
    OpeningError,
    join_moves,
    parse_opening,
    random_opening,
    read_openings,
    split_moves,
)
from plywire.clients.players.base import GameLine
from plywire.engine.registry import load, names

CONNECT4 = load("connect4").start()
OTHELLO = load("othello").start()


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("443", ["4", "4", "3"]),
        ("4 4 3", ["4", "4", "3"]),
        ("f5d6C3", ["f5", "d6", "C3"]),
        ("f5 d6 pass", ["f5", "d6", "pass"]),
        ("f5passd6", ["f5", "pass", "d6"]),
        ("10 11 12", ["10", "11", "12"]),
        ("  ", []),
        ("rubbish", ["rubbish"]),
    ],
)
def test_move_strings(text: str, moves: list[str]) -> None:
    assert split_moves(text) == moves


@given(st.lists(st.sampled_from(["1", "7", "10", "12", "a1", "h8", "pass"]), min_size=2))
def test_move_strings_come_back(moves: list[str]) -> None:
    assert split_moves(join_moves(moves)) == moves


def test_reading_a_file() -> None:
    lines = ["# a comment\n", "\n", "443\n", "1 2 3\n"]
    openings = read_openings(CONNECT4, lines)
    assert [opening.names for opening in openings] == [("4", "4", "3"), ("1", "2", "3")]
    assert openings[0].position == CONNECT4.play_names(["4", "4", "3"])[-1]


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["44", "48"], "line 2: move 2: no move '8'"),
        (["", "1212121"], "line 2: the game is over after the opening"),
        (["rubbish"], "line 1: move 1: no move 'rubbish'"),
        (["# nothing"], "no opening found"),
    ],
)
def test_errors_name_the_line(lines: list[str], error: str) -> None:
    with pytest.raises(OpeningError, match=error):
        read_openings(CONNECT4, lines)


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
    with pytest.raises(OpeningError, match="ask for fewer"):
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
    assert split_moves(text.upper() if is_upper else text) == [
        name.upper() if is_upper else name for name in line.names
    ]
    assert split_moves(join_moves(line.names)) == list(line.names)
