"""Puts tournaments into the feed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from plywire.clients.players import Line
from plywire.clients.ratings import outcomes, rate
from plywire.clients.records import GameRecord
from plywire.protocol.feed_events import StandingRow, Standings

from .coverage import GameCoverage
from .feed import Feed
from .journal import JournalledGame, ScheduledGame
from .plan import Plan
from .standings import standings
from .tournament import Watcher


class TournamentCoverage(Watcher):
    """Tells the feed of a tournament: its standings and all of its games."""

    def __init__(
        self, feed: Feed, identifier: int, plan: Plan, games: Sequence[JournalledGame]
    ) -> None:
        """Tell how the tournament of that id stands, going by what the journal holds."""
        self._feed = feed
        self._id = str(identifier)
        self._plan = plan
        self._limits = plan.config.time.control().limits
        self._known = {game.scheduled.number: game for game in games}
        self._records = {
            game.record.number: game.record for game in games if game.record is not None
        }
        self._playing: dict[int, GameCoverage] = {}
        self._tell()

    def scheduled(self, games: Sequence[ScheduledGame]) -> None:
        """Tell that there are more games."""
        for game in games:
            self._known[game.number] = JournalledGame(game, None, (), None, None)
        self._tell()

    def started(self, game: ScheduledGame, resumed: bool) -> None:
        """Tell that a game began, or goes on."""
        known = self._known[game.number]
        coverage = self._playing[game.number] = GameCoverage(
            self._feed, f"{self._id}.{game.number}", game, self._limits, tournament=self._id
        )
        if resumed and known.started is not None:
            coverage.began(known.started, known.moves)
        else:
            coverage.began(datetime.now(UTC))

    def moved(self, game: ScheduledGame, line: Line, ms: int) -> None:
        """Tell of a move."""
        self._playing[game.number].moved(line, ms)

    def finished(self, record: GameRecord) -> None:
        """Tell how a game ended, and what that means for the standings."""
        self._playing.pop(record.number).ended(record)
        self._records[record.number] = record
        self._tell()

    def ended(self, outcome: str) -> None:
        """Tell how the tournament ended."""
        self._tell(outcome)

    def _tell(self, outcome: str | None = None) -> None:
        config, records = self._plan.config, list(self._records.values())
        players = list(config.players)
        ratings = rate(outcomes(records), players)
        table = standings(
            records,
            players,
            ranking=config.format.ranking,
            schedule=self._plan.schedule(self._records),
        )
        rows = [
            StandingRow(
                rank=standing.rank,
                player=standing.player,
                points=standing.points,
                wins=standing.total.wins,
                draws=standing.total.draws,
                losses=standing.total.losses,
                elo=round(ratings[standing.player].elo, 1),
                error=round(ratings[standing.player].error, 1),
            )
            for standing in table
        ]
        self._feed.publish(
            Standings(
                tournament=self._id,
                name=config.name,
                rows=tuple(rows),
                played=len(records),
                games=len(self._known),
                outcome=outcome,
                updated=datetime.now(UTC),
            )
        )
