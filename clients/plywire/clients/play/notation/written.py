"""What a notation says of a game, before its rules have been asked."""

import re
from dataclasses import dataclass

#: No game has so many moves.
MOST_WORDS = 1000

_OURS = {
    "reversi": "othello",
    "cfour": "connect4",
    "connectfour": "connect4",
    "connectx": "connect4",
    "fourinarow": "connect4",
    "noughtsandcrosses": "tictactoe",
    "tictactoe": "tictactoe",
}


def our_name(name: str) -> str:
    """Our name of a game that others call so."""
    return _OURS.get(re.sub(r"[^a-z0-9]", "", name.lower()), name.lower())


@dataclass(frozen=True, slots=True)
class Word:
    """Moves as they were written, and where."""

    text: str
    at: int
    player: int | None = None
    """Who is said to make the move, 0 or 1; None if that is not said."""
    is_whole: bool = False
    """Whether it is one move, however it is written."""


@dataclass(frozen=True, slots=True)
class Written:
    """A game or a position."""

    at: int
    """Where it begins."""
    end: int
    """Where it ends."""
    words: tuple[Word, ...] = ()
    game: str | None = None
    """Our name of the game, None if the text does not say it."""
    size: str | None = None
    """WIDTHxHEIGHT, None if the text does not say it."""
    fen: str | None = None
    """The position string, perhaps without the player to move; None for the start of the game."""
    fen_at: int = 0
    has_score: bool = False
    """Whether a number behind the moves may be a score."""
    players: tuple[str, str] = ("", "")
    lead: float | None = None
    """Above 0 if the first player won, below 0 if the second did; None if it is not said."""
    is_unfinished: bool = False
    """Whether the text says that the game was not played to an end."""
    is_one_of_many: bool = False
    """Whether files of this notation hold many games, of which bad ones are skipped."""


#: What a notation makes of a text at a place, and where it ends.
Read = tuple[list[Written], int]
