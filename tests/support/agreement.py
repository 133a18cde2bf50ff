"""A game's kernels beside its rules."""

import random

from plywire.engine.compiled.contract import MAX_ESTIMATE, ONGOING, WIN
from plywire.engine.game import PASS, Game, Position
from plywire.engine.registry import backend_of
from tests.kernels import CONNECT4, OTHELLO, TICTACTOE
from tests.support.kernels import Kernels, unsigned, written
from tests.support.random_play import random_game

_KERNELS = {
    "connect4": Kernels(CONNECT4),
    "othello": Kernels(OTHELLO),
    "tictactoe": Kernels(TICTACTOE),
}


def estimate(position: Position) -> int:
    """The static evaluation, for the side to move."""
    board = backend_of(position.game).board()
    value: int = _KERNELS[position.game.name].evaluate(*board, *position.words())
    return value


def check_random_games(game: Game, count: int) -> None:
    """Play random games; kernels and rules must agree at every ply."""
    rng = random.Random(f"{game.name} {game.size}")
    board = backend_of(game).board()
    kernels = _KERNELS[game.name]
    for _ in range(count):
        for position, move in random_game(game, rng):
            at = *board, *position.words()
            moves = sum(1 << square for square in position.moves() if square != PASS)
            assert kernels.outcome(*at) == ONGOING, position.fen()
            assert unsigned(kernels.legal(*at)) == moves
            assert abs(kernels.evaluate(*at)) < MAX_ESTIMATE
            for square in position.moves():
                bit = 0 if square == PASS else 1 << square
                assert written(2, kernels.play, *at, bit) == position.play(square).words()
                if square != PASS:
                    assert 0 <= kernels.order(*at, bit) <= 4095
            end = position.play(move)
        result = end.result()
        assert result is not None
        for_mover = result.score * (-1 if end.turn else 1)
        unit = 100 if game.name == "othello" else WIN
        assert kernels.outcome(*board, *end.words()) == for_mover * unit, end.fen()
