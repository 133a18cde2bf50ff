"""Positions reached by random moves."""

import itertools
import random
from collections.abc import Callable, Iterator

from plywire.engine.game import Game, Position


def after_random_moves(game: Game, plies: int, seed: int) -> Position:
    """A position that many plies into a game, which is not over."""
    chance = random.Random(f"{game.name} {game.size} {plies} {seed}")
    while True:
        position = game.start()
        for _ in range(plies):
            if position.is_over:
                break
            position = position.play(chance.choice(position.moves()))
        if not position.is_over:
            return position


def first_after_random_moves(
    game: Game, plies: int, condition: Callable[[Position], bool]
) -> Position:
    """The first such position that meets a condition."""
    positions = (after_random_moves(game, plies, seed) for seed in itertools.count())
    return next(filter(condition, positions))


def random_game(game: Game, chance: random.Random) -> Iterator[tuple[Position, int]]:
    """Each position of a random game, with the move chosen there."""
    position = game.start()
    while moves := position.moves():
        move = chance.choice(moves)
        yield position, move
        position = position.play(move)
