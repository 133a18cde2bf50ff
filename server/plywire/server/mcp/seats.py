"""Places of models in an arena: bots whose moves are chosen from outside."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, NamedTuple

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.errors import ClientError
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.players.base import GameLine, Player
from plywire.protocol.messages.arena import Over, Seek
from plywire.protocol.messages.limits import Limits

from .model_games import ToolRefusedError
from .state import ArenaState, GameState

#: A place that was not asked for in so many seconds is given up.
_IDLE = 1800.0


class _Turn(NamedTuple):
    line: GameLine
    left: int | None
    """In ms, when it began."""
    began: float
    answer: asyncio.Future[str]


class Seat(Player):
    """One place: plays one game at a time, and asks nobody but who calls `play`."""

    def __init__(
        self,
        id: str,
        url: str,
        name: str,
        token: str,
        *,
        seek: Seek | None,
        games: int | None,
        join: str | None,
        on_end: Callable[[Seat], None] = lambda seat: None,
    ) -> None:
        """Log in as that bot, in the background, and seek so many games or join a tournament.

        `on_end` is told that it is over. Raises ValueError if that is no bot's name or token.
        """
        self._on_end = on_end
        self.id = id
        self.name = name
        self.finished = False
        """Whether it is over."""
        self.lasts = 0.0
        """How long its games may go on without it, in seconds, once it is over."""
        offers = () if seek is None else (seek,)
        self._bot = ArenaBot(
            url, name, token, lambda: self, BotOptions(offers=offers, join=join, on_over=self._over)
        )
        self._turn: _Turn | None = None
        self._you: Literal[1, 2] | None = None
        self._ended: list[str] = []
        self._reason = ""
        self._changed = asyncio.Event()
        self._running = asyncio.create_task(self._run(games))

    async def choose(self, line: GameLine, limits: Limits) -> str:
        """Wait for the move."""
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
        """The game, on its turn; raises ToolRefusedError at other times."""
        return self._on_turn().line

    async def wait(self, seconds: float) -> ArenaState:
        """How it stands once it is its turn, or all is over, or after so long."""
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
        """How it stands."""
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
        """Log out."""
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    def _on_turn(self) -> _Turn:
        # The game may have ended, and the choice with it.
        if self._turn is None or self._turn.answer.done():
            raise ToolRefusedError("it is not your turn: arena_turn waits for it")
        return self._turn

    async def _run(self, games: int | None) -> None:
        try:
            await self._bot.run(games)
        except (ClientError, PlayerError) as error:
            self._reason = str(error)
        finally:
            # The opponent may leave as well, and then be waited for just as long.
            self.lasts = 2 * self._bot.grace if self._bot.is_playing else 0.0
            self.finished = True
            self._on_end(self)
            self._changed.set()

    def _over(self, over: Over) -> None:
        won = (
            "nobody" if over.winner is None else "you" if over.winner == self._you else "the other"
        )
        self._ended.append(f"{won} won, {over.termination}: {over.reason}")


class Seats:
    """All places, so many at most."""

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        """None is taken yet."""
        self._most = most
        self._now = now
        self._seats: dict[str, Seat] = {}
        self._used: dict[str, float] = {}
        self._games_last_until = -math.inf

    async def join(
        self,
        url: str,
        name: str,
        token: str,
        *,
        seek: Seek | None = None,
        games: int | None = None,
        tournament: str | None = None,
    ) -> Seat:
        """Take a place; raises ToolRefusedError if there are too many, ValueError like `Seat`."""
        for id, seat in list(self._seats.items()):
            if seat.finished or self._now() - self._used[id] > _IDLE:
                await self.leave(id)
        if len(self._seats) >= self._most:
            raise ToolRefusedError(f"{self._most} places are taken here: arena_leave gives one up")
        id = secrets.token_hex(4)
        self._seats[id] = Seat(
            *(id, url, name, token),
            seek=seek,
            games=games,
            join=tournament,
            on_end=self._ended,
        )
        self._used[id] = self._now()
        return self._seats[id]

    def seat(self, id: str) -> Seat:
        """The place of that name; raises ToolRefusedError if there is none."""
        if id not in self._seats:
            raise ToolRefusedError(f"no place {id!r}: arena_join takes one and names it")
        self._used[id] = self._now()
        return self._seats[id]

    @property
    def is_playing(self) -> bool:
        """Whether games of the arena are played from here, may begin, or may be come back to."""
        is_seated = not all(seat.finished for seat in self._seats.values())
        return is_seated or self._now() < self._games_last_until

    def _ended(self, seat: Seat) -> None:
        self._games_last_until = max(self._games_last_until, self._now() + seat.lasts)

    async def leave(self, id: str) -> None:
        """Give a place up; raises ToolRefusedError if there is none."""
        await self.seat(id).leave()
        del self._seats[id], self._used[id]

    async def close(self) -> None:
        """Give all places up."""
        for id in list(self._seats):
            await self.leave(id)
