"""Positions for the checks, drawn from random games."""

import random
from collections.abc import Callable, Iterator
from itertools import count, islice

from plywire.clients.play.players.base import GameLine
from plywire.engine.game import PASS, Game

_GAMES_EACH = 20


def undecided(game: Game, wanted: int) -> list[GameLine]:
    """Return lines to different positions that allow more than a pass, one line of each game."""

    def choose(lines: list[GameLine], source: random.Random) -> GameLine | None:
        return source.choice([line for line in lines if line.position.moves() not in ((), (PASS,))])

    return _draw(game, wanted, choose)


def passes(game: Game, wanted: int) -> list[GameLine]:
    """Return lines to positions where a pass is the only move; empty in a game without passes."""

    def choose(lines: list[GameLine], source: random.Random) -> GameLine | None:
        return next((line for line in lines if line.position.moves() == (PASS,)), None)

    return _draw(game, wanted, choose)


def finished(game: Game, wanted: int) -> list[GameLine]:
    """Return lines to the end of a game."""
    return _draw(game, wanted, lambda lines, source: lines[-1])


def _draw(
    game: Game,
    wanted: int,
    choose: Callable[[list[GameLine], random.Random], GameLine | None],
) -> list[GameLine]:
    found: dict[str, GameLine] = {}
    for source in islice(map(random.Random, count()), wanted * _GAMES_EACH):
        line = choose(list(_random_game(game, source)), source)
        if line is not None:
            found.setdefault(line.position.fen(), line)
        if len(found) == wanted:
            break
    return list(found.values())


def _random_game(game: Game, source: random.Random) -> Iterator[GameLine]:
    line = GameLine.at(game.start())
    yield line
    while moves := line.position.moves():
        line = line.play(source.choice(moves))
        yield line
