"""Openings: read from a file, or random."""

import random
from collections.abc import Iterable

from plywire.clients.play.notation.reader import NotationError, read
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import Game, Position


class OpeningError(ValueError):
    """An opening that cannot be played; the text says which and why."""


def join_moves(names: Iterable[str]) -> str:
    """Join move names, with spaces if they could otherwise be read as other names."""
    names = list(names)
    needs_spaces = any(name.isdigit() and len(name) > 1 for name in names) or (
        len(names) == 2 and all(map(str.isdigit, names))
    )
    return (" " if needs_spaces else "").join(names)


def parse_opening(start: Position, text: str) -> GameLine:
    """Read a move string from a position; raises OpeningError, also if the game is over."""
    (opening,) = read_openings(start.game, f"{start.fen()} moves {text}")
    return opening


def read_openings(game: Game, data: bytes | str) -> list[GameLine]:
    """Read openings in any notation; raises OpeningError, also if there is none."""
    openings = []
    try:
        for found in read(data, [game], fixed=True).games:
            if found.line.position.is_over:
                raise OpeningError(f"line {found.row}: the game is over after the opening")
            openings.append(found.line)
    except NotationError as error:
        raise OpeningError(str(error)) from None
    return openings


def random_opening(game: Game, plies: int, source: random.Random) -> GameLine:
    """Return random moves that do not end the game; raises OpeningError after 100 attempts."""
    for _ in range(100):
        line = GameLine.at(game.start())
        while len(line.moves) < plies and (moves := line.position.moves()):
            line = line.play(source.choice(moves))
        if not line.position.is_over:
            return line
    raise OpeningError(f"{game.title} games rarely last {plies} random plies: choose fewer")
