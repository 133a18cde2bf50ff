"""A game that is to be played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game that is to be played."""

    number: int
    """The place in the schedule, from 0; games 2k and 2k + 1 play the same opening."""
    round: int
    game: str
    size: str
    players: tuple[str, str]
    fen: str
    """The position from which the opening starts."""
    opening: tuple[str, ...]
    """The names of the opening's moves."""

    def ended(
        self,
        moves: Sequence[tuple[str, int]],
        *,
        winner: Literal[1, 2] | None,
        termination: Termination,
        reason: str,
    ) -> GameRecord:
        """Return the record of a game that ended without a referee; each move has its ms."""
        return GameRecord(
            number=self.number,
            game=self.game,
            size=self.size,
            players=self.players,
            fen=self.fen,
            moves=(*self.opening, *(name for name, _ in moves)),
            opening=len(self.opening),
            times=tuple(ms for _, ms in moves),
            winner=winner,
            score={1: 1, 2: -1, None: 0}[winner],
            termination=termination,
            reason=reason,
        )
