"""What is kept of a game: one JSON object a line, and its moves as a string."""

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
    """Place in the match's schedule, from 0; games 2k and 2k + 1 play the same opening."""
    game: str
    size: str
    """Board size as WIDTHxHEIGHT."""
    players: tuple[str, str]
    """The names, first player first."""
    fen: str
    """Where the moves start."""
    moves: tuple[str, ...]
    """All moves, those of the opening included."""
    opening: int
    """How many of the moves are the opening's."""
    times: tuple[int, ...]
    """How long each move after the opening took, in ms, as the referee measured it."""
    winner: Literal[1, 2] | None
    """The player who won, None for a draw."""
    score: int
    """For the first player: discs in an Othello game ended by the rules, else 1, 0 or -1."""
    termination: Termination
    reason: str
    """In words, such as `four in a row`."""
    round: int | None = None
    """Of a tournament, from 1; None outside one."""
    started: AwareDatetime | None = None
    """When the game began, None if nobody noted it."""
    lags: tuple[int, ...] = ()
    """How much of the time between question and answer was the way's, for each of `times` and not
    counted in it, in ms; empty where no player was far away."""
    pauses: tuple[int, ...] = ()
    """For how long the referee itself did not run during each of those moves, in ms, which is not
    counted in `times`; empty where it always ran."""
    clocks: tuple[int | None, ...] = ()
    """What each of those moves left on the mover's clock, in ms, all byo-yomi included; None for a
    player without a clock, empty where none had one."""
    searches: tuple[Searched | None, ...] = ()
    """What the mover said of its search for each of those moves, None where it said nothing or the
    game was cut off since; empty where nobody said anything. Scores are the mover's."""
    last_lines: tuple[str, ...] = ()
    """What the player to blame was told last (`> …`), what it answered (`< …`), and the last lines
    of its traceback or standard error output (`! …`)."""
    warnings: tuple[str, ...] = ()
    """What was odd in the lines of a player's program and did no harm, with the player's name."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """Of a finished game what standings and ratings need; fields as in `GameRecord`."""

    number: int
    round: int
    players: tuple[str, str]
    winner: Literal[1, 2] | None
    termination: Termination


#: A finished game, with its moves or without.
Finished = GameRecord | GameResult


class GameWriter:
    """Appends games to files, one at a time, so that an interrupted match loses none."""

    def __init__(
        self,
        records: Path | None = None,
        moves: Path | None = None,
        text: Callable[[GameRecord], str] = lambda record: record.model_dump_json() + "\n",
    ) -> None:
        """Write the `text` of games, JSON lines, to `records`, and move strings to `moves`."""
        self._records = records
        self._moves = moves
        self._text = text

    def write(self, record: GameRecord) -> None:
        """Append a game; it is with the operating system when this returns.

        Raises OSError if a file cannot be written.
        """
        if self._records is not None:
            append(self._records, self._text(record))
        if self._moves is not None:
            append(self._moves, join_moves(record.moves) + "\n")


def append(path: Path, text: str) -> None:
    """Append text to a file; raises OSError, which names the file also where the disk is full."""
    try:
        with path.open("a", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        error.filename = str(path)
        raise
