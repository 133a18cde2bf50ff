"""Games as texts describe them, before the rules are applied."""

import re
from dataclasses import dataclass

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
    """Return our name of a game for another name of it."""
    return _OURS.get(re.sub(r"[^a-z0-9]", "", name.lower()), name.lower())


@dataclass(frozen=True, slots=True)
class Word:
    """One or more written moves, and their place."""

    text: str
    at: int
    player: int | None = None
    """Player who makes the move according to the text, 0 or 1; None if unknown."""
    is_whole: bool = False
    """Whether the word is exactly one move."""


@dataclass(frozen=True, slots=True)
class Written:
    """A game or a position."""

    at: int
    end: int
    words: tuple[Word, ...] = ()
    game: str | None = None
    """Our name of the game; None if unknown."""
    size: str | None = None
    """WIDTHxHEIGHT; None if unknown."""
    fen: str | None = None
    """Position string, perhaps without the player to move; None for the game's first position."""
    fen_at: int = 0
    has_score: bool = False
    """Whether a number after the moves may be a score."""
    players: tuple[str, str] = ("", "")
    lead: float | None = None
    """Above 0 if the first player won, below 0 if the second did; None if unknown."""
    is_unfinished: bool = False
    """Whether the text says that the game is unfinished."""
    is_one_of_many: bool = False
    """Whether files of this notation hold many games, so that bad games are skipped."""


#: The games of a block of text, and the place where the block ends.
Read = tuple[list[Written], int]
