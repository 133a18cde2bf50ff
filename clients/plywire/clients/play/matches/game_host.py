"""Hosts on which the referee plays a game: the event loop, or a thread of the game's own.

The event loop waits for players that may be anywhere. Two players of this process play a whole game
in one thread, which never waits.
"""

from __future__ import annotations

import asyncio
import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self, TypeVar

from plywire.clients.play.players.base import GameLine, LocalPlayer, Player
from plywire.engine.game import Game, Result
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Limits

from .clock import RefereeClock
from .records import GameRecord

T = TypeVar("T")

#: Stores a move. The arguments are the line that ends with the move, and the move's time in ms. It
#: is called on the event loop, in the order of moves. Remote players see the move only after this
#: returns, and the game ends only then. Players of this process do not wait for it.
MoveListener = Callable[[GameLine, int], Awaitable[None]]
#: Returns the proven result of a game in progress, or None. It is called in a thread.
Adjudicator = Callable[[GameLine], Result | None]

#: The threads in which games are played. If all are busy, further games wait.
_THREADS = ThreadPoolExecutor(64, thread_name_prefix="plywire-game")


class WaitOverError(Exception):
    """A player did not answer within the referee's wait."""


class GameHost(ABC):
    """Asks players and adjudicators for a referee; on exit, waits until all moves are stored."""

    def __init__(self, on_move: MoveListener | None, clock: RefereeClock) -> None:
        self._on_move = on_move
        self._clock = clock
        self._keeping: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait until all moves are stored; if the game failed, cancel the storage."""
        try:
            if kind is None:
                await self._kept()
        finally:
            for keeping in self._keeping:
                keeping.cancel()
            await asyncio.gather(*self._keeping, return_exceptions=True)

    @abstractmethod
    async def play(
        self, conduct: Callable[[GameHost], Coroutine[Any, Any, GameRecord]]
    ) -> GameRecord:
        """Run the game here; raises the errors of `conduct`."""

    @abstractmethod
    async def start(self, player: Any, game: Game, wait: float) -> None:
        """Start a player within `wait` seconds; raises its errors, or WaitOverError."""

    @abstractmethod
    async def turn_to(self, player: Any) -> None:
        """Wait until the player may be asked for a move; raises the error of a failed storage."""

    @abstractmethod
    async def choose(self, player: Any, line: GameLine, limits: Limits, wait: float) -> int | str:
        """Return a player's move within `wait` seconds; raises its errors, or WaitOverError."""

    @abstractmethod
    async def adjudicate(self, adjudicator: Adjudicator, line: GameLine) -> Result | None:
        """Return the adjudicator's verdict."""

    @abstractmethod
    async def keep(self, line: GameLine, ms: int) -> None:
        """Start to store a move; may raise the error if storing an earlier move failed."""

    def _begin_to_keep(self, line: GameLine, ms: int) -> None:
        if self._on_move is not None:
            self._keeping.append(asyncio.ensure_future(self._on_move(line, ms)))

    async def _kept(self) -> None:
        while self._keeping:
            await self._keeping.popleft()


class LoopHost(GameHost):
    """Plays a game on the event loop."""

    #: Maximum number of moves that are being stored. If there are more, the game waits for the
    #: disk.
    _AHEAD = 8

    async def play(
        self, conduct: Callable[[GameHost], Coroutine[Any, Any, GameRecord]]
    ) -> GameRecord:
        return await conduct(self)

    async def start(self, player: Player, game: Game, wait: float) -> None:
        await self._within(wait, player.start(game))

    async def turn_to(self, player: Player) -> None:
        """Wait until all moves are stored if the player is remote."""
        if player.is_elsewhere:
            await self._kept()
        else:  # otherwise, players that answer without waiting would block the loop
            await asyncio.sleep(0)

    async def choose(
        self, player: Player, line: GameLine, limits: Limits, wait: float
    ) -> int | str:
        return await self._within(wait, player.choose(line, limits))

    async def adjudicate(self, adjudicator: Adjudicator, line: GameLine) -> Result | None:
        return await asyncio.to_thread(adjudicator, line)

    async def keep(self, line: GameLine, ms: int) -> None:
        self._begin_to_keep(line, ms)
        while self._keeping and (len(self._keeping) > self._AHEAD or self._keeping[0].done()):
            await self._keeping.popleft()

    async def _within(self, wait: float, answer: Awaitable[T]) -> T:
        try:
            async with self._clock.timeout(wait) as timeout:
                return await answer
        except Exception:
            if timeout.expired():
                raise WaitOverError from None
            raise


class _GivenUpError(BaseException):
    """Nobody waits for the game any longer."""


class ThreadHost(GameHost):
    """Plays a game in a thread that waits neither for the event loop nor for the disk."""

    #: Seconds from a move until the event loop stores it together with the moves that followed.
    #: Each wake-up of the loop slows the searches a little, because searches run Python code, too.
    _DELAY = 0.1

    def __init__(self, on_move: MoveListener | None, clock: RefereeClock) -> None:
        super().__init__(on_move, clock)
        self._loop = asyncio.get_running_loop()
        self._posted: deque[tuple[GameLine, int]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._asked = (math.inf, Stop())
        """The time by which the player must answer, and the `Stop` that ends its search."""
        self._looks_at = math.inf
        self._looking: asyncio.TimerHandle | None = None
        self._is_given_up = False

    async def play(
        self, conduct: Callable[[GameHost], Coroutine[Any, Any, GameRecord]]
    ) -> GameRecord:
        """Run the game here; cancelling ends it at the next move."""
        game = self._loop.run_in_executor(_THREADS, asyncio.run, conduct(self))
        try:
            record = await asyncio.shield(game)
        except _GivenUpError:
            await self._kept()
            raise
        except asyncio.CancelledError:
            self._give_up()
            await asyncio.gather(game, return_exceptions=True)
            raise
        finally:
            self._look_no_more()
            self._take_over()
        return record

    async def start(self, player: LocalPlayer, game: Game, wait: float) -> None:
        self._within(wait, lambda stop: player.prepare(game))

    async def turn_to(self, player: LocalPlayer) -> None:
        """Return at once."""

    async def choose(self, player: LocalPlayer, line: GameLine, limits: Limits, wait: float) -> int:
        return self._within(wait, lambda stop: player.work(line, limits, stop))

    async def adjudicate(self, adjudicator: Adjudicator, line: GameLine) -> Result | None:
        return adjudicator(line)

    async def keep(self, line: GameLine, ms: int) -> None:
        if self._on_move is not None:
            self._posted.append((line, ms))
            if len(self._posted) == 1:  # if there are more, the loop has been notified already
                self._loop.call_soon_threadsafe(self._notice)

    def _within(self, wait: float, answer: Callable[[Stop], T]) -> T:
        end, stop = self._clock.now() + wait, Stop()
        self._asked = end, stop
        if self._is_given_up:
            raise _GivenUpError
        if end < self._looks_at:  # true about once in a game
            self._loop.call_soon_threadsafe(self._look)
        result = answer(stop)
        if self._is_given_up:
            raise _GivenUpError
        if self._clock.now() >= end:
            raise WaitOverError
        return result

    def _look(self) -> None:
        self._look_no_more()
        # The thread writes `_asked` before it reads `_looks_at`. So write `_looks_at` before
        # reading `_asked`.
        self._looks_at = math.inf
        end, stop = self._asked
        left = end - self._clock.now()
        if left > 0:
            self._looks_at = end
            self._looking = self._loop.call_later(left, self._look)
        else:
            stop.set()

    def _look_no_more(self) -> None:
        if self._looking is not None:
            self._looking.cancel()

    def _give_up(self) -> None:
        self._is_given_up = True
        self._asked[1].set()

    def _notice(self) -> None:
        if self._timer is None and self._posted:
            self._timer = self._loop.call_later(self._DELAY, self._take_over)

    def _take_over(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._posted and not self._is_given_up:
            self._begin_to_keep(*self._posted.popleft())
            if self._keeping:
                self._keeping[-1].add_done_callback(self._kept_or_not)

    def _kept_or_not(self, keeping: asyncio.Future[None]) -> None:
        if not keeping.cancelled() and keeping.exception() is not None:
            self._give_up()
