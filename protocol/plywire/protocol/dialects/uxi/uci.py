"""UCI, the Universal Chess Interface, as cutechess-cli uses it for games with drops.

The option `UCI_Variant` chooses the game. `drops.py` describes moves and positions.
"""

from dataclasses import replace
from typing import ClassVar

from plywire.protocol.dialects.parsing import Words
from plywire.protocol.dialects.track import Track
from plywire.protocol.errors import PeerError
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.validation import shorten

from .answering import UxiAnswering
from .dialect import Uxi
from .driving import UxiDriving
from .drops import (
    NULL_MOVE,
    PASS,
    VARIANTS,
    MoveTranslator,
    drop,
    name_of,
    read_fen,
    square_of,
    write_fen,
)

_GAMES = {variant: game for game, variant in VARIANTS.items()}


class Uci(Uxi):
    """The dialect of chess GUIs and match managers."""

    name: ClassVar[str] = "uci"
    greeting: ClassVar[str] = "uci"
    new_game: ClassVar[str] = "ucinewgame"
    game_option: ClassVar[str] = "UCI_Variant"
    clock_words: ClassVar[tuple[str, str, str, str]] = ("wtime", "btime", "winc", "binc")
    ignored: ClassVar[frozenset[str]] = frozenset({"debug", "ponderhit", "register"})

    def read_game(self, value: str) -> str:
        return _GAMES.get(value, value)

    def write_game(self, name: str) -> str:
        return VARIANTS.get(name, name)

    def read_position(self, track: Track) -> Track:
        fen = None if track.fen is None else read_fen(track.fen)
        moves = MoveTranslator(track.game, fen)
        return replace(track, fen=fen, moves=tuple(map(moves.read, track.moves)))

    def write_position(self, track: Track) -> Track:
        fen = None if track.fen is None else write_fen(track.game, track.fen)
        moves = MoveTranslator(track.game, track.fen)
        return replace(track, fen=fen, moves=tuple(map(moves.write, track.moves)))

    def read_line(self, game: str, moves: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Translate drops to squares, and squares to our names."""
        squares = tuple(map(_square, moves))
        return tuple(name_of(game, square) for square in squares), squares

    def write_line(self, names: Words, squares: Words) -> list[str]:
        """Translate squares to drops. Without squares, translate names, but not columns."""
        if squares:
            return list(map(drop, squares))
        if all(name == PASS or name[:1].isalpha() for name in names):
            return [NULL_MOVE if name == PASS else drop(name) for name in names]
        return []


class UciAnswering(Uci, UxiAnswering):
    """The side that answers."""


class UciDriving(Uci, UxiDriving):
    """The side that drives."""


def _square(text: str) -> str:
    square = square_of(text)
    if square is None:
        raise PeerError(
            ErrorCode.SYNTAX, f"not a move: {shorten(text)}; expected a drop, such as P@d1"
        )
    return square
