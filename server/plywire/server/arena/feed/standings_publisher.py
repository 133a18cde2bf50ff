"""Publishes the standings and pairings of a tournament, game by game."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from plywire.clients.play.matches.outcomes import outcomes
from plywire.clients.play.matches.records import Finished, GameRecord
from plywire.clients.play.ratings.bradley_terry import rate
from plywire.protocol.messages.watching import (
    MAX_ROWS,
    FeedEvent,
    StandingRow,
    Standings,
    Status,
)
from plywire.server.arena.tournament.pairings import PairingSchedule
from plywire.server.arena.tournament.plan import Plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.arena.tournament.standings import PlayerStanding, standings
from plywire.server.arena.tournament.watcher import Watcher

from .feed import Feed
from .round_pairings import round_pairings

#: Maximum number of players in a tournament whose crosstable is published.
_MOST_CROSSED = 32


class StandingsPublisher(Watcher):
    """Publishes the standings and pairings; a thread computes the ratings, which may be slow."""

    def __init__(
        self, feed: Feed, tournament: str, plan: Plan, records: Iterable[Finished], games: int
    ) -> None:
        """Publish the standings after `records`; needs a running event loop.

        `games` is the number of games that are scheduled so far.
        """
        self._feed = feed
        self._tournament = tournament
        self._plan = plan
        self._records: list[Finished] = list(records)
        self._games = games
        self._schedule: PairingSchedule | None = None
        self._outcome: str | None = None
        self._is_out_of_date = False
        self._publishing: asyncio.Task[None] | None = None
        self._publish()

    def drawn(self, schedule: PairingSchedule) -> None:
        self._schedule = schedule
        self._publish()

    def scheduled(self, games: Sequence[ScheduledGame]) -> None:
        self._games += len(games)

    def finished(self, record: GameRecord) -> None:
        self._records.append(record)
        self._publish()

    def ended(self, outcome: str) -> None:
        self._outcome = outcome
        self._publish()

    async def close(self) -> None:
        if self._publishing is not None:
            await self._publishing

    def _publish(self) -> None:
        self._is_out_of_date = True
        if self._publishing is None or self._publishing.done():
            self._publishing = asyncio.create_task(self._bring_up_to_date())

    async def _bring_up_to_date(self) -> None:
        while self._is_out_of_date:
            self._is_out_of_date = False
            latest = tuple(self._records), self._games, self._schedule, self._outcome
            for page in await asyncio.to_thread(self._pages, *latest):
                self._feed.publish(page)

    def _pages(
        self,
        records: Sequence[Finished],
        games: int,
        schedule: PairingSchedule | None,
        outcome: str | None,
    ) -> list[FeedEvent]:
        config = self._plan.config
        players = list(config.players)
        ratings = rate(outcomes(records), players)
        table = standings(records, players, ranking=config.format.ranking, schedule=schedule)
        pages: list[FeedEvent] = [
            Standings(
                tournament=self._tournament,
                name=config.name,
                page=page,
                rows=tuple(
                    StandingRow(
                        **standing.summary,
                        elo=ratings[standing.player].elo,
                        error=ratings[standing.player].error,
                    )
                    for standing in table[first : first + MAX_ROWS]
                ),
                crosstable=_crosstable(table),
                played=len(records),
                games=self._plan.count(games, schedule),
                outcome=outcome,
                updated=datetime.now(UTC),
            )
            for page, first in enumerate(range(0, len(table), MAX_ROWS), 1)
        ]
        if schedule is not None:
            is_over = outcome is not None
            pages += round_pairings(self._tournament, schedule, records, is_over=is_over)
        return pages


class StatusPublisher(Watcher):
    """Publishes the number of games in progress, for a server without an arena."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._games = 0
        self._publish()

    def started(self, game: ScheduledGame, resumed: bool) -> None:
        self._games += 1
        self._publish()

    def finished(self, record: GameRecord) -> None:
        self._games -= 1
        self._publish()

    def _publish(self) -> None:
        self._feed.publish(Status(online=True, games=self._games, updated=datetime.now(UTC)))


def _crosstable(table: Sequence[PlayerStanding]) -> tuple[tuple[float | None, ...], ...]:
    if len(table) > _MOST_CROSSED:
        return ()
    return tuple(
        tuple(
            row.against[column.player].points if column.player in row.against else None
            for column in table
        )
        for row in table
    )
