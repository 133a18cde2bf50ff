"""Thousands of random games of each game, played beside OpenSpiel's rules."""

import random
import sys
from collections.abc import Callable

import pytest

from plywire.engine import registry as games

if sys.version_info >= (3, 14):
    pytest.skip("OpenSpiel is not built for this Python", allow_module_level=True)

import pyspiel


def connect4_action(move: int) -> int:
    return move // 7


def larger_connect4_action(move: int) -> int:
    return move // 8


def othello_action(move: int) -> int:
    return move  # OpenSpiel, too, numbers the squares from a1 along the rows and passes with 64.


def tictactoe_action(move: int) -> int:
    return 3 * (2 - move // 3) + move % 3  # OpenSpiel numbers the squares from the upper left.


@pytest.mark.parametrize(
    ("name", "size", "theirs", "action", "count"),
    [
        ("connect4", "7x6", "connect_four", connect4_action, 2_000),
        ("connect4", "8x7", "connect_four(columns=8,rows=7)", larger_connect4_action, 1_000),
        ("othello", "8x8", "othello", othello_action, 400),
        ("tictactoe", "3x3", "tic_tac_toe", tictactoe_action, 2_000),
    ],
)
def test_random_games_agree_at_every_ply(
    name: str, size: str, theirs: str, action: Callable[[int], int], count: int
) -> None:
    start = games.load(name, size).start()
    their_game = pyspiel.load_game(theirs)
    rng = random.Random(name)
    for _ in range(count):
        position, state = start, their_game.new_initial_state()
        while moves := position.moves():
            moves_of = {action(move): move for move in moves}
            assert sorted(moves_of) == state.legal_actions()
            assert position.turn == state.current_player()
            assert position.result() is None
            chosen = rng.choice(list(moves_of))
            position = position.play(moves_of[chosen])
            state.apply_action(chosen)
        assert state.is_terminal()
        result = position.result()
        assert result is not None
        winner = {1.0: 0, -1.0: 1, 0.0: None}[state.returns()[0]]
        assert result.winner == winner, state
