"""The states of games, for the feed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.watching import GameResult, GameState
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .feed import Feed


class GamePublisher:
    """Publishes the states of one game in the feed."""

    def __init__(
        self,
        feed: Feed,
        table: str,
        game: ScheduledGame,
        limits: Limits,
        *,
        tournament: str | None = None,
    ) -> None:
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
        """Publish the start or continuation; `played` holds moves after the opening, with ms."""
        self._state = self._state.model_copy(update={"started": started})
        names, times = tuple(name for name, _ in played), tuple(ms for _, ms in played)
        self._publish((*self._state.moves, *names), times)

    def moved(self, line: GameLine, ms: int) -> None:
        self._publish(line.names, (*self._state.times, ms))

    def recalled(self, record: GameRecord) -> GameState:
        """Return the final state of an earlier game, without publishing it."""
        at = None
        if record.started is not None:
            self._state = self._state.model_copy(update={"started": record.started})
            at = record.started + timedelta(milliseconds=sum(record.times))
        self._end(record, at)
        return self._state

    def ended(self, record: GameRecord) -> None:
        self._end(record)
        self._feed.publish(self._state)

    def _end(self, record: GameRecord, at: datetime | None = None) -> None:
        result = GameResult(
            winner=record.winner,
            score=record.score,
            termination=record.termination,
            reason=record.reason,
        )
        self._change(record.moves, record.times, result, at)

    def dropped(self) -> None:
        reason = "the server could not go on with the game"
        result = GameResult(termination=Termination.ABORT, reason=reason)
        self._publish(self._state.moves, self._state.times, result)

    def _publish(
        self, moves: tuple[str, ...], times: tuple[int, ...], result: GameResult | None = None
    ) -> None:
        self._change(moves, times, result)
        self._feed.publish(self._state)

    def _change(
        self,
        moves: tuple[str, ...],
        times: tuple[int, ...],
        result: GameResult | None = None,
        at: datetime | None = None,
    ) -> None:
        changes: dict[str, object] = {
            "moves": moves,
            "times": times,
            "turn": self._player(len(times)),
            "clock": self._clock(times),
            "updated": at or datetime.now(UTC),
            "result": result,
        }
        self._state = self._state.model_copy(update=changes)

    def _player(self, moves: int) -> int:
        """Return the player to move after some moves since the opening; a pass counts as a move."""
        return 2 if (self._first + moves) % 2 else 1

    def _clock(self, times: Sequence[int]) -> Clock | None:
        told = len(self._state.times)
        clock = self._state.clock
        if clock is not None:
            for number, ms in enumerate(times[told:], told):
                clock = clock.moved(self._player(number), ms)
        return clock


def table_of(tournament: str, number: int) -> str:
    """Return the table's id for a game of a tournament."""
    return f"{tournament}.{number}"
