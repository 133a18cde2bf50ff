"""Games as cutechess-cli writes them in UCI: drops, and pieces in a pocket.

Player 1 is white and drops `P`; player 2 is black and drops `p`. A move is `P@` and the square. A
FEN has a pocket with the pieces that are not dropped yet, unlike our position string:
`7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1` is `7/7/7/7/7/7 x`.
"""

import re

from plywire.protocol.errors import PeerError
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.validation import shorten

PASS = "pass"

NULL_MOVE = "0000"
"""The pass in UCI and UGI."""

#: cutechess's name for each game whose name differs from ours.
VARIANTS = {"connect4": "cfour"}

#: For each game with pockets, the total number of pieces of each player.
_POCKETS = {"connect4": (21, 21), "tictactoe": (5, 4)}

_FEN = re.compile(r"(?P<rows>[0-9PpXxOo/]+)(\[[PpXxOo]*\])? (?P<side>[wbxo])( .*)?")
_DROP = re.compile(r"(?:[Pp]@)?(?P<square>[a-z][1-9][0-9]?)")

_TO_OURS = str.maketrans("PpXO", "xoxo")
_TO_THEIRS = str.maketrans("xo", "Pp")


def read_fen(text: str) -> str:
    """Return our position string for a FEN or a string of ours; raise PeerError for other text."""
    found = _FEN.fullmatch(text)
    if not found:
        raise PeerError(
            ErrorCode.BAD_POSITION,
            f"not a position: {shorten(text)}; expected rows from the top, `P` and `p` for the"
            " pieces, numbers for runs of empty squares, then `w` or `b` for whose turn it is",
        )
    side = "x" if found["side"] in "wx" else "o"
    return f"{found['rows'].translate(_TO_OURS)} {side}"


def write_fen(game: str, fen: str) -> str:
    """Return the FEN for our position string, with a pocket if the game has one."""
    if game not in _POCKETS:
        return fen
    rows, _, side = fen.partition(" ")
    white, black = _POCKETS[game]
    pocket = "P" * (white - rows.count("x")) + "p" * (black - rows.count("o"))
    return f"{rows.translate(_TO_THEIRS)}[{pocket}] {'w' if side == 'x' else 'b'} - - 0 1"


class MoveTranslator:
    """Translates the moves of one game, in order, between our names and drops.

    Only Connect Four needs the position: we name the column, drops name the square.
    """

    def __init__(self, game: str, fen: str | None) -> None:
        """`fen` is our position string; None is the starting position."""
        self._by_column = game == "connect4"
        self._heights = _heights(fen or "")

    def read(self, text: str) -> str:
        """Return our name of the next move; raise PeerError if the text is no possible drop."""
        if text == NULL_MOVE:
            return PASS
        found = _DROP.fullmatch(text)
        if not found:
            raise PeerError(
                ErrorCode.ILLEGAL_MOVE,
                f"not a move: {shorten(text)}; expected P@ and a square, such as P@d1",
            )
        square = found["square"]
        if not self._by_column:
            return square
        column = ord(square[0]) - ord("a") + 1
        if (lands := self._land(column)) != square:
            raise PeerError(
                ErrorCode.ILLEGAL_MOVE, f"illegal move {shorten(text)}: it would land on {lands}"
            )
        return str(column)

    def write(self, name: str) -> str:
        """Return the drop for our name of the next move."""
        if name == PASS:
            return NULL_MOVE
        if self._by_column and name.isdecimal() and 1 <= int(name) <= 26:
            return drop(self._land(int(name)))
        return drop(name)

    def _land(self, column: int) -> str:
        """Return the square on which the next piece in a column lands, and count the piece."""
        self._heights[column] = self._heights.get(column, 0) + 1
        return f"{chr(ord('a') + column - 1)}{self._heights[column]}"


def drop(square: str) -> str:
    """Return the move that lands on a square, `-` for a pass."""
    return NULL_MOVE if square == "-" else f"P@{square}"


def square_of(text: str) -> str | None:
    """Return the square on which a drop lands, `-` for a pass; None if the text is no drop."""
    if text == NULL_MOVE:
        return "-"
    found = _DROP.fullmatch(text)
    return found["square"] if found else None


def name_of(game: str, square: str) -> str:
    """Return our name of the move that lands on a square, `-` for a pass."""
    if square == "-":
        return PASS
    return str(ord(square[0]) - ord("a") + 1) if game == "connect4" else square


def _heights(fen: str) -> dict[int, int]:
    """Return the number of pieces in each column; columns count from 1."""
    heights: dict[int, int] = {}
    for row in fen.partition(" ")[0].split("/"):
        column = 1
        for run, piece in re.findall(r"([0-9]+)|([xo])", row):
            if piece:
                heights[column] = heights.get(column, 0) + 1
            column += int(run) if run else 1
    return heights
