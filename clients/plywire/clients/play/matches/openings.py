"""The first moves of games: read from a file, or drawn at random."""

import random
from collections.abc import Iterable

from plywire.clients.play.notation.reader import NotationError, read
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import Game, Position


class OpeningError(ValueError):
    """An opening that cannot be played; the text says which and why."""


def join_moves(names: Iterable[str]) -> str:
    """The move string, without spaces unless columns have two digits, or could be read as one."""
    names = list(names)
    needs_spaces = any(name.isdigit() and len(name) > 1 for name in names) or (
        len(names) == 2 and all(map(str.isdigit, names))
    )
    return (" " if needs_spaces else "").join(names)


def parse_opening(start: Position, text: str) -> GameLine:
    """The line that a move string plays from a position.

    Raises OpeningError if it is not understood or the game is over at the end.
    """
    (opening,) = read_openings(start.game, f"{start.fen()} moves {text}")
    return opening


def read_openings(game: Game, data: bytes | str) -> list[GameLine]:
    """The openings of a file in any notation: a line of moves, a position or a game each.

    Raises OpeningError with the line and the column of what is not understood, if a game is over
    after its opening, or if there is no opening.
    """
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
    """Random legal moves from the start that do not end the game.

    Raises OpeningError if a hundred attempts all ended before that many plies.
    """
    for _ in range(100):
        line = GameLine.at(game.start())
        while len(line.moves) < plies and (moves := line.position.moves()):
            line = line.play(source.choice(moves))
        if not line.position.is_over:
            return line
    raise OpeningError(f"{game.title} games rarely last {plies} random plies: choose fewer")
