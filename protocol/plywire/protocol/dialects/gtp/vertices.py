"""The words of GTP, for both sides: colours, vertices and errors.

Black is player 1. A vertex is a letter for the column, `I` included, and a number for the row: `A1`
is at the upper left in Othello, and at the lower left in the other games.
"""

import re

from plywire.protocol.dialects.parsing import syntax
from plywire.protocol.dialects.track import Track
from plywire.protocol.dialects.uxi.drops import NULL_MOVE, PASS, MoveTranslator
from plywire.protocol.messages.base import Error, ErrorCode

#: The game until `set_game` chooses another one.
GAME = "othello"

COLOURS = {"b": 1, "black": 1, "w": 2, "white": 2}

_VERTEX = re.compile(r"pass|[a-z][1-9][0-9]?")

#: The text for each error: the words of the GTP draft if it has any, otherwise our error code.
_PHRASES = {code: code.replace("-", " ") for code in ErrorCode} | {
    ErrorCode.SYNTAX: "syntax error",
    ErrorCode.BAD_POSITION: "unacceptable size",
    ErrorCode.UNKNOWN_GAME: "unacceptable game",
}
_CODES = {phrase: code for code, phrase in _PHRASES.items()}


def turn(track: Track) -> int:
    """Return the player to move, 1 or 2; a pass counts as a move."""
    first = 1 if track.fen is None or track.fen.endswith("x") else 2
    return first if len(track.moves) % 2 == 0 else 3 - first


def read_square(text: str) -> str:
    """Return the square at a vertex, `-` for a pass; raise PeerError if the text is no vertex."""
    square = text.lower()
    if not _VERTEX.fullmatch(square):
        raise syntax("a vertex is a letter and a number, such as D3, or pass")
    return "-" if square == PASS else square


def read_vertex(track: Track, text: str) -> str:
    """Return our name of the move at a vertex; raise PeerError if no piece can land there."""
    square = read_square(text)
    return PASS if square == "-" else _moves(track).read(square)


def write_vertex(track: Track, name: str) -> str:
    """Return the vertex of a move, given by our name."""
    drop = _moves(track).write(name)
    return PASS if drop == NULL_MOVE else drop.removeprefix("P@").upper()


def error_text(code: ErrorCode, message: str) -> str:
    """Return the text after `?`: the words for the code, then the message."""
    return f"{_PHRASES[code]}: {message}" if message else _PHRASES[code]


def read_error(text: str) -> Error:
    """Read the text after `?`; any text is accepted."""
    phrase, _, message = text.partition(": ")
    if (code := _CODES.get(phrase)) is not None:
        return Error(code=code, message=message)
    return Error(code=ErrorCode.INTERNAL, message=text)


def _moves(track: Track) -> MoveTranslator:
    moves = MoveTranslator(track.game, track.fen)
    for name in track.moves:
        moves.write(name)
    return moves
