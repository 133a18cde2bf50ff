"""A game's kernels beside its rules."""

import random
from typing import Any

import numpy as np

from plywire.engine.compiled.contract import (
    MAX_ESTIMATE,
    ONGOING,
    WIN,
    evaluate,
    legal,
    order,
    outcome,
    play,
    remaining,
)
from plywire.engine.compiled.kernel import kernel
from plywire.engine.game import PASS, Game, Position
from plywire.engine.registry import backend_of
from tests.support.random_play import random_game


@kernel
def _view(board: Any, own: Any, other: Any) -> Any:
    score = outcome(board, own, other)
    moves = legal(board, own, other) if score == ONGOING else np.uint64(0)
    plies = np.int64(remaining(board, own, other))
    return score, moves, evaluate(board, own, other), plies


@kernel
def _after(board: Any, own: Any, other: Any, move: Any) -> Any:
    return play(board, own, other, move)


@kernel
def _order(board: Any, own: Any, other: Any, move: Any) -> Any:
    return order(board, own, other, move)


def words(position: Position) -> tuple[np.uint64, np.uint64]:
    """What kernels see of a position."""
    own, other = position.words()
    return np.uint64(own), np.uint64(other)


def estimate(position: Position) -> int:
    """The static evaluation, for the side to move."""
    return int(_view(backend_of(position.game).board(), *words(position))[2])


def check_random_games(game: Game, count: int) -> None:
    """Play random games; kernels and rules must agree at every ply."""
    rng = random.Random(f"{game.name} {game.size}")
    board = backend_of(game).board()
    for _ in range(count):
        for position, move in random_game(game, rng):
            score, moves, value, plies = _view(board, *words(position))
            assert score == ONGOING, position.fen()
            assert moves == sum(1 << square for square in position.moves() if square != PASS)
            assert plies == sum(row.count(".") for row in position.cells())
            assert abs(value) < MAX_ESTIMATE
            for square in position.moves():
                bit = np.uint64(0 if square == PASS else 1 << square)
                after = _after(board, *words(position), bit)
                assert tuple(map(int, after)) == position.play(square).words()
                if square != PASS:
                    assert 0 <= _order(board, *words(position), bit) <= 4095
            end = position.play(move)
        result = end.result()
        assert result is not None
        for_mover = result.score * (-1 if end.turn else 1)
        unit = 100 if game.name == "othello" else WIN
        assert _view(board, *words(end))[0] == for_mover * unit, end.fen()
