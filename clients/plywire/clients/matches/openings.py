"""The first moves of games: read from move strings, or drawn at random."""

import random
import re
from collections.abc import Iterable

from plywire.clients.players.base import GameLine
from plywire.engine.game import Game, IllegalMoveError, Position

#: A move in a string without spaces: a pass, a square, or a column of one digit.
_MOVE = re.compile(r"pass|[a-z]\d+|\d", re.IGNORECASE)


class OpeningError(ValueError):
    """An opening that cannot be played; the text says which and why."""


def split_moves(text: str) -> list[str]:
    """The move names in a move string: `4 4 3`, `443`, `f5 d6` or `f5d6`.

    Columns from 10 on need spaces between the moves.
    """
    words = text.split()
    if len(words) == 1 and "".join(names := _MOVE.findall(text)) == words[0]:
        return names
    return words


def join_moves(names: Iterable[str]) -> str:
    """The move string, without spaces where `split_moves` needs none."""
    names = list(names)
    joined = "".join(names)
    return joined if split_moves(joined) == names else " ".join(names)


def parse_opening(start: Position, text: str) -> GameLine:
    """The line that a move string plays.

    Raises OpeningError if a move is illegal or the game is over at the end.
    """
    line = GameLine.at(start)
    try:
        for name in split_moves(text):
            line = line.play(start.game.parse_move(line.position, name))
    except IllegalMoveError as error:
        raise OpeningError(f"move {len(line.moves) + 1}: {error}") from None
    if line.position.is_over:
        raise OpeningError("the game is over after the opening")
    return line


def read_openings(start: Position, lines: Iterable[str]) -> list[GameLine]:
    """The openings in lines of text, one a line; empty lines and those with `#` first are skipped.

    Raises OpeningError with the number of the line that cannot be played, or if there is none.
    """
    openings = []
    for number, text in enumerate(lines, 1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        try:
            openings.append(parse_opening(start, text))
        except OpeningError as error:
            raise OpeningError(f"line {number}: {error}") from None
    if not openings:
        raise OpeningError("no opening found: one move string a line is expected")
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
    raise OpeningError(f"{game.title} games rarely last {plies} random plies: ask for fewer")
