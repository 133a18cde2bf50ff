"""Openings: balanced by exact value or by estimate, different, and a function of the seed."""

from collections.abc import Callable

import pytest

from plywire.clients.play.matches.openings import OpeningError
from plywire.clients.play.players.base import GameLine
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import load
from plywire.server.arena.tournament.tournament_openings import (
    balanced_openings,
    random_openings,
    usual_plies,
)
from tests.support.negamax import Negamax

CONNECT4 = load("connect4")
OTHELLO = load("othello")
TICTACTOE = load("tictactoe")


def test_openings_of_connect_four_are_exact_draws() -> None:
    found = balanced_openings(CONNECT4, 4, plies=16, seed=1)
    assert len({line.position for line in found}) == 4
    for line in found:
        assert len(line.moves) == 16
        score = LocalEngine().analyse(line.position, SearchLimits()).score
        assert score is not None
        assert score.kind == "draw"


def test_openings_of_tic_tac_toe_are_all_that_are_drawn() -> None:
    found = balanced_openings(TICTACTOE, 1000, plies=2, seed=1)
    start, negamax = TICTACTOE.start(), Negamax()
    drawn = {
        after
        for first in start.moves()
        for second in start.play(first).moves()
        if negamax.score(after := start.play(first).play(second)).kind == "draw"
    }
    assert {line.position for line in found} == drawn
    assert 0 < len(drawn) < 72


def test_openings_of_othello_are_nearly_level() -> None:
    found = balanced_openings(OTHELLO, 3, plies=8, seed=1)
    assert len({line.position for line in found}) == 3
    for line in found:
        score = LocalEngine().analyse(line.position, SearchLimits(nodes=50_000)).score
        assert score is not None
        assert abs(score.value) <= 300


@pytest.mark.parametrize("find", [balanced_openings, random_openings])
def test_the_seed_decides(find: Callable[..., list[GameLine]]) -> None:
    one, same, other = (find(TICTACTOE, 8, plies=4, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_random_openings_are_different_and_all_there_are() -> None:
    found = random_openings(CONNECT4, 1000, plies=2, seed=1)
    assert len(found) == len({line.position for line in found}) == 49
    found = random_openings(CONNECT4, 30, plies=10, seed=1)
    assert len(found) == len({line.position for line in found}) == 30


def test_openings_that_there_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywire.server.arena.tournament.tournament_openings._MARGIN", -1)
    with pytest.raises(OpeningError, match="Othello has no balanced openings of 1 plies"):
        balanced_openings(OTHELLO, 1, plies=1, seed=1)
    with pytest.raises(OpeningError, match="rarely last"):
        random_openings(CONNECT4, 1, plies=42, seed=1)


def test_usual_plies_are_even_and_leave_a_game() -> None:
    for name in ("connect4", "othello", "tictactoe"):
        game = load(name)
        assert usual_plies(game) % 2 == 0
        assert usual_plies(game) <= game.width * game.height // 3


def test_random_openings_are_different_where_there_are_too_many_to_list() -> None:
    found = random_openings(load("connect4"), 300, plies=4, seed=1)
    assert len({line.position for line in found}) == 300
