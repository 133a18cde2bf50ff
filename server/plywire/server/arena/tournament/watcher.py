"""The base class of objects that follow a tournament."""

from collections.abc import Sequence

from plywire.clients.play.judging.accuracy import GameAccuracy
from plywire.clients.play.matches.records import GameRecord

from .pairings import PairingSchedule
from .scheduled_game import ScheduledGame


class Watcher:
    """Gets the events of a tournament, each after it is on disk."""

    def drawn(self, schedule: PairingSchedule) -> None:
        """Receive the schedule when more of it is known."""

    def scheduled(self, games: Sequence[ScheduledGame]) -> None:
        """Receive new games of the schedule."""

    def started(self, game: ScheduledGame, resumed: bool) -> None:
        """Receive a game that began or was resumed."""

    def finished(self, record: GameRecord) -> None:
        """Receive the record of a finished game."""

    def judged(self, number: int, accuracy: GameAccuracy) -> None:
        """Receive the accuracy of a finished game."""

    def ended(self, outcome: str) -> None:
        """Receive the outcome of the tournament."""
