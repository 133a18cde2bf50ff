"""The seats of language models in an arena: bots whose moves come from tool calls."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, NamedTuple

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.errors import ClientError
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.players.base import GameLine, Player
from plywire.protocol.messages.arena import Over, Seek
from plywire.protocol.messages.limits import Limits

from .model_games import ToolRefusedError
from .state import ArenaState, GameState

#: Seconds without a call after which the server gives up a seat.
_IDLE = 1800.0


@dataclass(frozen=True, slots=True)
class Account:
    """A bot's account in an arena."""

    url: str = "ws://127.0.0.1:7591"
    name: str = ""
    token: str = ""


class _Turn(NamedTuple):
    line: GameLine
    left: int | None
    """Time left when the turn began, in ms; None without a limit."""
    began: float
    answer: asyncio.Future[str]


class Seat(Player):
    """A bot that plays one game at a time, with the moves that `play` receives."""

    def __init__(
        self,
        id: str,
        account: Account,
        offers: Sequence[Seek],
        tournament: str | None,
        games: int | None,
        now: Callable[[], float],
    ) -> None:
        """Log in, in the background; raises ValueError if the name or token is malformed."""
        self.id = id
        self.name = account.name
        self.used = now()
        """Time of the latest tool call for this seat."""
        self.finished = False
        self.games_last_until = -math.inf
        """The latest time at which a game of the finished seat can still go on."""
        self._now = now
        self._bot = ArenaBot(
            *(account.url, account.name, account.token, lambda: self),
            BotOptions(offers=offers, join=tournament, on_over=self._over),
        )
        self._turn: _Turn | None = None
        self._you: Literal[1, 2] | None = None
        self._ended: list[str] = []
        self._reason = ""
        self._changed = asyncio.Event()
        self._running = asyncio.create_task(self._run(games))

    async def choose(self, line: GameLine, limits: Limits) -> str:
        """Wait until a tool call makes the move."""
        self._you = 2 if line.position.turn else 1
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        turn = _Turn(line, limits.left(self._you), time.monotonic(), answer)
        self._turn = turn
        self._changed.set()
        try:
            return await answer
        finally:
            if self._turn is turn:
                self._turn = None

    @property
    def line(self) -> GameLine:
        """The current game; raises ToolRefusedError if it is not this seat's turn."""
        return self._on_turn().line

    async def wait(self, seconds: float) -> ArenaState:
        """Return the state at the next turn, at the end of all games, or after `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._turn is None and not self.finished:
                    self._changed.clear()
                    await self._changed.wait()
        return self.state

    def play(self, move: str) -> ArenaState:
        """Make a move; raises ToolRefusedError or `plywire.engine.game.IllegalMoveError`."""
        turn = self._on_turn()
        turn.line.play(move)
        turn.answer.set_result(move)
        self._turn = None
        return self.state

    @property
    def state(self) -> ArenaState:
        turn = self._turn
        if turn is None:
            return ArenaState(
                seat=self.id,
                status="finished" if self.finished else "waiting",
                ended=tuple(self._ended),
                reason=self._reason,
            )
        gone = round((time.monotonic() - turn.began) * 1000)
        return ArenaState(
            seat=self.id,
            status="your turn",
            you=self._you,
            clock_ms=None if turn.left is None else max(turn.left - gone, 0),
            game=GameState.of(self.id, turn.line),
            ended=tuple(self._ended),
        )

    async def leave(self) -> None:
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    def _on_turn(self) -> _Turn:
        # When a game ends, `answer` is cancelled and so done.
        if self._turn is None or self._turn.answer.done():
            raise ToolRefusedError("it is not your turn: arena_turn waits for it")
        return self._turn

    async def _run(self, games: int | None) -> None:
        try:
            await self._bot.run(games)
        except (ClientError, PlayerError) as error:
            self._reason = str(error)
        finally:
            # The game waits `grace` seconds for this bot, and as long again for the opponent if it
            # leaves, too.
            lasts = 2 * self._bot.grace if self._bot.is_playing else 0.0
            self.games_last_until = self._now() + lasts
            self.finished = True
            self._changed.set()

    def _over(self, over: Over) -> None:
        won = (
            "nobody" if over.winner is None else "you" if over.winner == self._you else "the other"
        )
        self._ended.append(f"{won} won, {over.termination}: {over.reason}")


class Seats:
    """All seats, up to a fixed number."""

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._now = now
        self._seats: dict[str, Seat] = {}
        self._games_last_until = -math.inf
        """The latest time at which a game of a seat that was given up can still go on."""

    async def join(
        self,
        account: Account,
        *,
        offers: Sequence[Seek] = (),
        games: int | None = None,
        tournament: str | None = None,
    ) -> Seat:
        """Take a seat; raises ToolRefusedError if all are taken, and ValueError as `Seat` does."""
        for id, seat in list(self._seats.items()):
            if seat.finished or self._now() - seat.used > _IDLE:
                await self.leave(id)
        if len(self._seats) >= self._most:
            raise ToolRefusedError(f"{self._most} places are taken here: arena_leave gives one up")
        id = secrets.token_hex(4)
        self._seats[id] = Seat(id, account, offers, tournament, games, self._now)
        return self._seats[id]

    def seat(self, id: str) -> Seat:
        """Return the seat `id`; raises ToolRefusedError if there is none."""
        if (seat := self._seats.get(id)) is None:
            raise ToolRefusedError(f"no place {id!r}: arena_join takes one and names it")
        seat.used = self._now()
        return seat

    @property
    def is_playing(self) -> bool:
        """Whether any seat plays, may begin or may continue a game of the arena."""
        seats = self._seats.values()
        last = max((self._games_last_until, *(seat.games_last_until for seat in seats)))
        return not all(seat.finished for seat in seats) or self._now() < last

    async def leave(self, id: str) -> None:
        """Give a seat up; raises ToolRefusedError if there is none."""
        seat = self.seat(id)
        await seat.leave()
        self._games_last_until = max(self._games_last_until, seat.games_last_until)
        del self._seats[id]

    async def close(self) -> None:
        for id in list(self._seats):
            await self.leave(id)
