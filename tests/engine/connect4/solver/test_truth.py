"""The solver against the plainest search, on boards of odd and even sides and of two batches."""

import random

import pytest

from plywire.clients.play.players.local import EnginePlayer, RandomPlayer
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from tests.engine.connect4.auditing import Auditor, audits, opponents
from tests.support.connect4_truth import Truth, late_position


@pytest.mark.parametrize(("width", "height", "most_empty"), [(4, 5, 11), (12, 4, 8), (7, 6, 11)])
def test_late_positions(width: int, height: int, most_empty: int) -> None:
    game = Connect4(width, height)
    solver, truth = Solver(width, height, table_mb=1), Truth(game)
    chance = random.Random(width * 10 + height)
    for _ in range(150):
        position = late_position(game, chance.randint(1, most_empty), chance)
        expected = truth.score(position)
        assert solver.score(position) == expected, position.fen()
        assert solver.score(position, weak=True) == (expected > 0) - (expected < 0)
        children = [-truth.score(position.play(move)) for move in position.moves()]
        assert [score for score in solver.scores(position) if score is not None] == children
        assert position.play(solver.best_move(position)) in {
            position.play(move)
            for move, score in zip(position.moves(), children, strict=True)
            if score == expected
        }


def test_every_position_of_the_smallest_board_early_on() -> None:
    game = Connect4(4, 4)
    solver, truth = Solver(4, 4, table_mb=1), Truth(game)
    assert truth.score(game.start()) == 0
    early = [stones for stones in truth.known if (stones[0] | stones[1]).bit_count() <= 6]
    assert len(early) > 1000
    for own, other in early:
        turn = (own | other).bit_count() % 2
        position = Connect4Position(game, own, other, turn)
        assert solver.score(position) == truth.known[own, other], position.fen()


# Sizes solved by John Tromp; his table gives the sign, the suites' empty board the score.
@pytest.mark.parametrize(("width", "height", "sign"), [(5, 4, 0), (4, 5, 0), (7, 6, 1)])
def test_empty_boards(width: int, height: int, sign: int) -> None:
    solver = Solver(width, height, table_mb=16, book=shipped_book(width, height))
    assert solver.score(solver.game.start(), weak=True) == sign


async def test_no_move_worsens_the_exact_value() -> None:
    # A table of its own, and no book: what the engine plays by cannot mislead the audit.
    game = Connect4(5, 4)
    played = audits(game, EnginePlayer(), opponents(), Auditor(game, table_mb=1))
    outcomes = set()
    for _ in range(60):
        _, side, audit = await anext(played)
        assert audit.worse == ()
        assert audit.moves > 0
        outcomes.add(None if audit.winner is None else audit.winner == side)
    # Nobody can win the empty board of this size by force.
    assert True in outcomes
    assert outcomes <= {True, None}


async def test_an_audit_finds_moves_that_lose_something() -> None:
    game = Connect4(5, 4)
    played = audits(game, RandomPlayer(seed=1), [RandomPlayer(seed=2)], Auditor(game, table_mb=1))
    assert any([(await anext(played))[2].worse for _ in range(5)])
