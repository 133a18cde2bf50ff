"""Who is told what happens in a tournament."""

from collections.abc import Sequence

from plywire.clients.play.judging.accuracy import GameAccuracy
from plywire.clients.play.matches.records import GameRecord

from .pairings import Schedule
from .scheduled_game import ScheduledGame


class Watcher:
    """Is told what happens in a tournament, each event once it is on disk."""

    def drawn(self, schedule: Schedule) -> None:
        """So much of the tournament's course is known."""

    def scheduled(self, games: Sequence[ScheduledGame]) -> None:
        """More games are known."""

    def started(self, game: ScheduledGame, resumed: bool) -> None:
        """A game began, or goes on after it was cut off."""

    def finished(self, record: GameRecord) -> None:
        """A game ended."""

    def judged(self, number: int, accuracy: GameAccuracy) -> None:
        """The moves of a finished game were judged."""

    def ended(self, outcome: str) -> None:
        """The tournament ended."""
