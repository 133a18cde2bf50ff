"""Games judged by exact values."""

from __future__ import annotations

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import judge
from plywire.clients.play.judging.oracle import Oracle
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.protocol.messages.review import Judged
from tests.support.negamax import Negamax


def record(game: str, moves: str, opening: int = 0) -> GameRecord:
    rules = load(game)
    names = tuple(moves.split())
    result = rules.start().play_names(names)[-1].result()
    winner = None if result is None or result.winner is None else result.winner + 1
    return GameRecord(
        number=0,
        game=game,
        size=rules.size,
        players=("a", "b"),
        fen=rules.start().fen(),
        moves=names,
        opening=opening,
        times=(1,) * (len(names) - opening),
        winner=winner,  # type: ignore[arg-type]
        score=0 if result is None else result.score,
        termination=Termination.NORMAL,
        reason="",
    )


def test_the_move_that_lost_is_named() -> None:
    # The edge beside the centre loses, and the rest is played well by X.
    found = judge(record("tictactoe", "b2 a2 a1 c3 b1 b3 c1"), Oracle(nodes=100_000))
    assert found.values == (0, 0, 1, 1, 1, 1, 1, 1)
    assert found.losing_move == 1
    assert found.players == (
        Judged(moves=4, best=4, sound=4),
        Judged(moves=3, best=2, sound=2),
    )
    assert found.players[0].accuracy == 1.0
    assert (found.players[0] + found.players[1]).moves == 7


def test_the_last_chance_counts_when_a_game_was_lost_twice() -> None:
    # O loses it, X gives it back, O loses it again.
    found = judge(record("tictactoe", "b2 a2 a1 c3 a3 b3 c1"), Oracle(nodes=100_000))
    assert found.values == (0, 0, 1, 1, 1, 0, 1, 1)
    assert found.losing_move == 5


def test_values_are_those_of_plain_negamax() -> None:
    negamax = Negamax()
    game = load("tictactoe")
    played = record("tictactoe", "a1 b1 c1 b2 b3 a2 c2 c3 a3")
    found = judge(played, Oracle(nodes=100_000))
    positions = [game.start(), *game.start().play_names(played.moves)]
    for value, position in zip(found.values, positions, strict=True):
        kind = negamax.score(position).kind if not position.is_over else None
        sign = {"win": 1, "loss": -1, "draw": 0, None: played.score}[kind]
        assert value == (sign if kind is None or position.turn == 0 else -sign)


def test_the_opening_is_not_judged() -> None:
    found = judge(record("tictactoe", "b2 a2 a1 c3 b1 b3 c1", opening=2), Oracle(nodes=100_000))
    assert len(found.values) == 6
    assert found.losing_move is None
    assert [player.moves for player in found.players] == [3, 2]


def test_discs_count_where_the_game_counts_them() -> None:
    game = load("othello")
    line = GameLine.at(game.start())
    while not line.position.is_over:
        line = line.play(line.position.moves()[0])
    opening = len(line.moves) - 8
    played = record("othello", " ".join(line.names), opening=opening)
    found = judge(played, Oracle(nodes=2_000_000))
    negamax = Negamax()
    positions = game.start().play_names(played.moves)[opening - 1 :]
    assert found.values[-1] == played.score
    for value, position in zip(found.values[:-1], positions, strict=False):
        exact = negamax.score(position).value
        assert value == (-exact if position.turn else exact)
    assert found.players[0].moves + found.players[1].moves == 8


def test_what_cannot_be_proven_is_not_judged() -> None:
    found = judge(record("othello", "f5 d6 c3 d3"), Oracle(nodes=100))
    assert found.values == (None,) * 5
    assert found.players == (Judged(), Judged())
    assert found.players[0].accuracy is None


@pytest.mark.parametrize(("moves", "winner"), [("444444", None), ("12233434", 0)])
def test_proven_positions_are_adjudicated(moves: str, winner: int | None) -> None:
    game = load("connect4")
    line = GameLine.at(game.start())
    for name in moves:
        line = line.play(game.parse_move(line.position, name))
    result = Oracle(nodes=5_000_000).adjudicate(line)
    assert result is not None
    assert result.reason == "proven by the engine"
    assert (result.winner is None) == (result.score == 0)
    if winner is not None:
        assert result.winner == winner
