"""Publishes the games of a runner in the feed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from plywire.clients.matches.records import GameRecord
from plywire.clients.matches.referee import MoveListener
from plywire.clients.players.base import Line
from plywire.engine.game import Game
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.feed.game_publisher import GamePublisher, table_of
from plywire.server.arena.store.journal import JournalError
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .game_runner import EndListener, GameJob, GameRunner


class PublishingRunner(GameRunner):
    """Another runner, whose games the feed is told of once they are in the journal."""

    def __init__(self, runner: GameRunner, feed: Feed, tournament: str) -> None:
        """Games are played there; `tournament` is the id that the feed knows theirs by."""
        self._runner = runner
        self._feed = feed
        self._tournament = tournament

    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        """Play a game to its end, and return what `on_end` makes of its record."""
        publisher = GamePublisher(
            self._feed,
            table_of(self._tournament, job.scheduled.number),
            job.scheduled,
            job.control.limits,
            tournament=self._tournament,
        )

        async def moved(line: Line, ms: int) -> None:
            await on_move(line, ms)
            publisher.moved(line, ms)

        async def ended(record: GameRecord) -> GameRecord:
            record = await on_end(record)
            publisher.ended(record)
            return record

        publisher.began(job.started or datetime.now(UTC), job.played)
        try:
            return await self._runner.play(job, moved, ended)
        except JournalError:
            publisher.dropped()
            raise

    async def next(self, games: Sequence[ScheduledGame]) -> ScheduledGame:
        """The game to begin now."""
        return await self._runner.next(games)

    def resumes(self, spec: str) -> bool:
        """Whether such a player can take up a game in the middle."""
        return self._runner.resumes(spec)

    async def check(self, players: Mapping[str, str], games: list[Game]) -> None:
        """Try whether the players can play; raises RunnerError if not."""
        await self._runner.check(players, games)

    def release(self) -> None:
        """Take note that no game that `next` named and nobody plays is going to begin."""
        self._runner.release()

    async def close(self) -> None:
        """Let go of all players."""
        await self._runner.close()
