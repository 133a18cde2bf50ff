"""The base class of what follows a tournament."""

from collections.abc import Sequence

from plywire.clients.play.judging.accuracy import GameAccuracy
from plywire.clients.play.matches.records import GameRecord

from .pairings import Schedule
from .scheduled_game import ScheduledGame


class Watcher:
    """Hears of the events in a tournament, each after it is on disk."""

    def drawn(self, schedule: Schedule) -> None:
        """More of the schedule is known."""

    def scheduled(self, games: Sequence[ScheduledGame]) -> None:
        """More games are on the schedule."""

    def started(self, game: ScheduledGame, resumed: bool) -> None:
        """A game began, or goes on after it was cut off."""

    def finished(self, record: GameRecord) -> None:
        """A game ended."""

    def judged(self, number: int, accuracy: GameAccuracy) -> None:
        """The moves of a finished game were judged."""

    def ended(self, outcome: str) -> None:
        """The tournament ended."""
