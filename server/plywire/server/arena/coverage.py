"""Puts games and standings into the feed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from plywire.clients.errors import Termination
from plywire.clients.players import Line
from plywire.clients.ratings import outcomes, rate
from plywire.clients.records import GameRecord
from plywire.engine.game import load
from plywire.protocol.feed_events import GameResult, GameState, StandingRow, Standings
from plywire.protocol.limits import Clock, Limits

from .feed import Feed
from .journal import ScheduledGame
from .plan import Plan
from .standings import Standing, standings

#: A crosstable is told of as many players at most.
_MOST_CROSSED = 32


class GameCoverage:
    """Tells the feed of one game."""

    def __init__(
        self,
        feed: Feed,
        table: str,
        game: ScheduledGame,
        limits: Limits,
        *,
        tournament: str | None = None,
    ) -> None:
        """Nothing is told yet; `tournament` is the id of the game's tournament, if it has one."""
        self._feed = feed
        self._opening = len(game.opening)
        self._first = (load(game.game, game.size).parse(game.fen).turn + self._opening) % 2
        self._state = GameState(
            table=table,
            tournament=tournament,
            round=None if tournament is None else game.round,
            game=game.game,
            size=game.size,
            players=game.players,
            limits=limits,
            fen=game.fen,
            moves=game.opening,
            opening=self._opening,
            turn=self._player(0),
            clock=limits.clock,
            updated=datetime.now(UTC),
        )

    def began(self, started: datetime, played: Sequence[tuple[str, int]] = ()) -> None:
        """Tell that the game has begun, or goes on after the moves in `played`.

        These are the moves after the opening, each with the ms that it took.
        """
        self._state = self._state.model_copy(update={"started": started})
        names, times = tuple(name for name, _ in played), tuple(ms for _, ms in played)
        self._tell((*self._state.moves, *names), times)

    def moved(self, line: Line, ms: int) -> None:
        """Tell of a move, the last of the line, that took that many ms."""
        self._tell(line.names, (*self._state.times, ms))

    def ended(self, record: GameRecord) -> None:
        """Tell how the game ended."""
        result = GameResult(
            winner=record.winner,
            score=record.score,
            termination=record.termination,
            reason=record.reason,
        )
        self._tell(record.moves, record.times, result)

    def dropped(self) -> None:
        """Tell that the server cannot go on with the game."""
        reason = "the server could not go on with the game"
        result = GameResult(termination=Termination.ABORT, reason=reason)
        self._tell(self._state.moves, self._state.times, result)

    def _tell(
        self, moves: tuple[str, ...], times: tuple[int, ...], result: GameResult | None = None
    ) -> None:
        changes: dict[str, object] = {
            "moves": moves,
            "times": times,
            "turn": self._player(len(times)),
            "clock": self._clock(times),
            "updated": datetime.now(UTC),
            "result": result,
        }
        self._state = self._state.model_copy(update=changes)
        self._feed.publish(self._state)

    def _player(self, moves: int) -> int:
        """Who is to move after that many moves since the opening: a pass is a move as well."""
        return 2 if (self._first + moves) % 2 else 1

    def _clock(self, times: Sequence[int]) -> Clock | None:
        """What the clocks show when moves have taken these times."""
        clock = self._state.limits.clock
        if clock is not None:
            for number, ms in enumerate(times):
                clock = clock.moved(self._player(number), ms)
        return clock


class StandingsCoverage:
    """Tells the feed how the players of a tournament stand.

    Ratings take a while where there are many players: a thread computes them, and what became out
    of date meanwhile is not told.
    """

    def __init__(self, feed: Feed, tournament: int, plan: Plan) -> None:
        """Nothing is told yet."""
        self._feed = feed
        self._tournament = tournament
        self._plan = plan
        self._latest: tuple[Sequence[GameRecord], int, str | None] | None = None
        self._telling: asyncio.Task[None] | None = None

    def tell(self, records: Iterable[GameRecord], games: int, outcome: str | None = None) -> None:
        """Tell how they stand after these of the games known so far, soon."""
        self._latest = tuple(records), games, outcome
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def close(self) -> None:
        """Return when all is told."""
        if self._telling is not None:
            await self._telling

    async def _tell(self) -> None:
        while self._latest is not None:
            latest, self._latest = self._latest, None
            self._feed.publish(await asyncio.to_thread(self._standings, *latest))

    def _standings(
        self, records: Sequence[GameRecord], games: int, outcome: str | None
    ) -> Standings:
        config = self._plan.config
        players = list(config.players)
        ratings = rate(outcomes(records), players)
        table = standings(
            records,
            players,
            ranking=config.format.ranking,
            schedule=self._plan.schedule({record.number: record for record in records}),
        )
        return Standings(
            tournament=str(self._tournament),
            name=config.name,
            rows=tuple(
                StandingRow(
                    rank=standing.rank,
                    player=standing.player,
                    points=standing.points,
                    wins=standing.total.wins,
                    draws=standing.total.draws,
                    losses=standing.total.losses,
                    elo=ratings[standing.player].elo,
                    error=ratings[standing.player].error,
                )
                for standing in table
            ),
            crosstable=_crosstable(table),
            played=len(records),
            games=games,
            outcome=outcome,
            updated=datetime.now(UTC),
        )


def _crosstable(table: Sequence[Standing]) -> tuple[tuple[float | None, ...], ...]:
    if len(table) > _MOST_CROSSED:
        return ()
    return tuple(
        tuple(
            row.against[column.player].points if column.player in row.against else None
            for column in table
        )
        for row in table
    )
