"""Records of games: JSON lines, and move strings."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict

from plywire.clients.play.errors import Termination
from plywire.protocol.messages.play import Searched

from .openings import join_moves


class GameRecord(BaseModel):
    """One finished game."""

    model_config = ConfigDict(frozen=True)

    number: int
    """Index in the match's schedule, from 0; games 2k and 2k + 1 play the same opening."""
    game: str
    size: str
    """Board size as WIDTHxHEIGHT."""
    players: tuple[str, str]
    """Names, first player first."""
    fen: str
    """Position string of the start."""
    moves: tuple[str, ...]
    """All moves, including those of the opening."""
    opening: int
    """Number of opening moves."""
    times: tuple[int, ...]
    """Time of each move after the opening, in ms, as the referee measured it."""
    winner: Literal[1, 2] | None
    """The player who won; None for a draw."""
    score: int
    """Score of the first player: discs in an Othello game ended by the rules, else 1, 0 or -1."""
    termination: Termination
    reason: str
    """Reason in words, such as `four in a row`."""
    round: int | None = None
    """Round of a tournament, from 1; None outside a tournament."""
    started: AwareDatetime | None = None
    """When the game began; None if unknown."""
    lags: tuple[int, ...] = ()
    """For each of `times`, the network time in ms that it does not count; empty without lag."""
    pauses: tuple[int, ...] = ()
    """For each of `times`, the ms in which the referee did not run; these are not counted."""
    clocks: tuple[int | None, ...] = ()
    """For each of `times`, the time left in ms, with byo-yomi; None without a clock."""
    searches: tuple[Searched | None, ...] = ()
    """For each of `times`, the report of the mover's search, or None; scores are the mover's."""
    last_lines: tuple[str, ...] = ()
    """Last lines to (`> …`) and from (`< …`) the player to blame, and of its errors (`! …`)."""
    warnings: tuple[str, ...] = ()
    """Odd but harmless lines of a player's program, with the player's name."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The part of a finished game that standings and ratings need; fields as in `GameRecord`."""

    number: int
    round: int
    players: tuple[str, str]
    winner: Literal[1, 2] | None
    termination: Termination


#: A finished game, with or without its moves.
Finished = GameRecord | GameSummary


class GameWriter:
    """Appends games to files one by one, so that an interrupted match loses none."""

    def __init__(
        self,
        records: Path | None = None,
        moves: Path | None = None,
        text: Callable[[GameRecord], str] = lambda record: record.model_dump_json() + "\n",
    ) -> None:
        """Write games to `records` with `text`, by default as JSON lines, and moves to `moves`."""
        self._records = records
        self._moves = moves
        self._text = text

    def write(self, record: GameRecord) -> None:
        """Append a game and hand it to the operating system; raises OSError if that fails."""
        if self._records is not None:
            append(self._records, self._text(record))
        if self._moves is not None:
            append(self._moves, join_moves(record.moves) + "\n")


def append(path: Path, text: str) -> None:
    """Append text to a file; raises OSError, which always names the file."""
    try:
        with path.open("a", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        error.filename = str(path)
        raise
