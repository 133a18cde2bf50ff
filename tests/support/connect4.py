"""Connect Four positions that tests make for themselves."""

import random
from collections.abc import Iterator

from plywire.engine.analysis import EngineScore
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver


def played(game: Connect4, moves: str) -> Connect4Position:
    """The position after moves, a digit each."""
    position = game.start()
    for move in moves:
        position = position.play(game.parse_move(position, move))
    return position


def random_positions(
    game: Connect4, stones: int, count: int, seed: int
) -> Iterator[Connect4Position]:
    """Positions of that many stones, reached by random moves, in which the game goes on."""
    chance = random.Random(seed)
    while count:
        position = game.start()
        while not position.is_over and (position.own | position.other).bit_count() < stones:
            position = position.play(chance.choice(position.moves()))
        if not position.is_over:
            yield position
            count -= 1


def as_score(solver: Solver, position: Connect4Position, score: int) -> EngineScore:
    """A solver's score in the engine's words."""
    plies = solver.distance(position, score)
    if score == 0:
        return EngineScore("draw")
    return EngineScore("win" if score > 0 else "loss", plies)
