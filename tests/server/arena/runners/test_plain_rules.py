"""The second opinion on games agrees with the first, and sees what is no game."""

import random

import pytest

from plywire.engine.registry import load
from tests.support.plain_rules import BrokenRulesError, replay


@pytest.mark.parametrize("name", ["connect4", "othello", "tictactoe"])
def test_whole_games_are_games_and_nothing_else_is(name: str) -> None:
    game, chance = load(name), random.Random(7)
    winners = set()
    for _ in range(40):
        position, moves = game.start(), []
        while not position.is_over:
            move = chance.choice(position.moves())
            moves.append(game.move_name(move))
            position = position.play(move)
        result = position.result()
        assert result is not None
        winner = None if result.winner is None else result.winner + 1
        assert replay(name, moves) == winner
        winners.add(winner)
        for wrong in (moves[:-1], [*moves, moves[0]], 7 * moves[:1]):
            with pytest.raises(BrokenRulesError):
                replay(name, wrong)
    assert len(winners) >= 2
