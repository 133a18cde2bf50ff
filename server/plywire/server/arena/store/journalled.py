"""Games and tournaments as the journal returns them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from plywire.clients.play.judging.accuracy import Accuracy, GameAccuracy
from plywire.clients.play.matches.records import GameRecord
from plywire.protocol.text import one_line
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .database import time_of
from .journal_tables import RECORD

log = logging.getLogger(__name__)

#: A finished game and its accuracy, which is None if the game was not judged.
JudgedGame = tuple[GameRecord, Accuracy | None]


class FinishedGame(NamedTuple):
    """A game that is over."""

    tournament: int
    scheduled: ScheduledGame
    record: GameRecord


@dataclass(frozen=True, slots=True)
class JournalledGame:
    """A game and its state."""

    scheduled: ScheduledGame
    started: datetime | None
    moves: tuple[tuple[str, int], ...]
    """The moves after the opening, each with its time in ms; empty if the game is finished."""
    record: GameRecord | None
    accuracy: GameAccuracy | None
    is_damaged: bool = False
    """Whether the game is finished, but its record cannot be read."""


@dataclass(frozen=True, slots=True)
class JournalledTournament:
    """A tournament and its state."""

    id: int
    name: str
    config: str
    created: datetime
    ended: datetime | None
    """The end; None while games remain to be played."""
    outcome: str | None
    """Why the tournament ended, in words."""

    @property
    def key(self) -> str:
        """A name that no other tournament has, in any journal."""
        return f"{self.created.isoformat()} {self.name}"


#: The SQL columns of a game, in the order in which `scheduled_of` reads them.
GAME = f"number, round, game, size, first, second, fen, opening, started, {RECORD}, accuracy"


def scheduled_of(row: Sequence[Any]) -> ScheduledGame:
    """Return the scheduled game of a row with the columns `GAME`."""
    number, round_, game, size, first, second, fen, opening, *_ = row
    return ScheduledGame(number, round_, game, size, (first, second), fen, tuple(opening.split()))


def game_of(row: Sequence[Any], moves: tuple[tuple[str, int], ...]) -> JournalledGame:
    """Return the game of a row with the columns `GAME`; log and mark a damaged game."""
    *_, started, record, accuracy = row
    scheduled = scheduled_of(row)
    try:
        return JournalledGame(
            scheduled,
            time_of(started),
            moves,
            None if record is None else GameRecord.model_validate_json(record),
            None if accuracy is None else GameAccuracy.model_validate_json(accuracy),
        )
    except ValueError as error:
        log.warning(
            "damaged game=%d of %s: %s", scheduled.number, scheduled.players, one_line(str(error))
        )
        return JournalledGame(scheduled, None, moves, None, None, is_damaged=True)
