"""The log of a game in progress: each event is written to the journal, then published."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.store.holding import until_kept
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.clock import ServerClock

from .feed import Feed
from .game_publisher import GamePublisher, table_of

T = TypeVar("T")


class GameLog:
    """Writes the events of one game to the journal, then publishes them.

    If the journal cannot be written, a log with a clock waits and tries again; one without a clock
    raises JournalError.
    """

    def __init__(
        self,
        journal: Journal,
        tournament: int,
        game: ScheduledGame,
        limits: Limits,
        *,
        feed: Feed | None,
        clock: ServerClock | None,
        started: datetime | None = None,
        moves: Sequence[tuple[str, int]] = (),
        in_series: bool = False,
        is_rated: bool = False,
    ) -> None:
        """Begin a log, or go on with the log of a game that has `started` and has these moves.

        With `in_series`, the game belongs to no tournament. `Journal.finish` explains `is_rated`.
        """
        self._journal = journal
        self._tournament = tournament
        self._game = game
        self._clock = clock
        self._in_series = in_series
        self._is_rated = is_rated
        self._started = started
        self.moves = list(moves)
        """The written moves after the opening, each with its time in ms."""
        self._publisher: GamePublisher | None = None
        if feed is not None:
            named = str(tournament)
            self._publisher = GamePublisher(
                *(feed, table_of(named, game.number), game, limits),
                tournament=None if in_series else named,
            )

    async def schedule(self) -> None:
        await self._keep(self._journal.schedule, [self._game])

    async def start(self) -> None:
        if self._started is None:
            self._started = await self._keep(self._journal.start, self._game.number)

    def show(self) -> None:
        if self._publisher is not None and self._started is not None:
            self._publisher.began(self._started, self.moves)

    async def moved(self, line: GameLine, ms: int) -> None:
        name, ply = line.names[-1], len(line.moves) - len(self._game.opening) - 1
        await self._keep(self._journal.move, self._game.number, ply, name, ms)
        self.moves.append((name, ms))
        if self._publisher is not None:
            self._publisher.moved(line, ms)

    async def ended(self, record: GameRecord) -> GameRecord:
        """Write and publish the end; return the record as written."""
        round = None if self._in_series else self._game.round
        record = record.model_copy(update={"round": round, "started": self._started})
        finish = partial(self._journal.finish, is_rated=self._is_rated)
        await self._keep(finish, record)
        if self._publisher is not None:
            self._publisher.ended(record)
        return record

    def dropped(self) -> None:
        if self._publisher is not None:
            self._publisher.dropped()

    async def _keep(self, write: Callable[..., Awaitable[T]], *event: object) -> T:
        return await until_kept(partial(write, self._tournament, *event), self._clock)
