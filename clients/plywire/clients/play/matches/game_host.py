"""Where a game is played: on the event loop, or in a thread of its own.

The referee conducts both by the same rules. On the loop it waits for players that may be anywhere;
two players of this process play a whole game in one thread, which waits for nobody.
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

#: Told of each move when it is made, as the line that it ends and how long it took, in ms; asked
#: in the moves' order, on the event loop, and answers in their order. What it keeps is kept before
#: a player elsewhere learns of the move and before the game ends; players of this process think on
#: meanwhile.
MoveListener = Callable[[GameLine, int], Awaitable[None]]
#: Says how a game that still goes on will end, None if that is not proven; called in a thread.
Adjudicator = Callable[[GameLine], Result | None]

#: Games that are played in threads at the same time; more wait for their turn.
_THREADS = ThreadPoolExecutor(64, thread_name_prefix="plywire-game")


class WaitOverError(Exception):
    """A player took longer for its answer than the referee waits."""


class GameHost(ABC):
    """Asks players and adjudicators for a referee, and has moves kept while the game goes on.

    An asynchronous context manager, which is left when all moves are kept.
    """

    def __init__(self, on_move: MoveListener | None, clock: RefereeClock) -> None:
        self._on_move = on_move
        self._clock = clock
        self._keeping: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait until all moves are kept; raises what keeps one from that.

        If the game was given up, what is being kept matters no more.
        """
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
        """Have a game conducted here; raises what that raises."""

    @abstractmethod
    async def start(self, player: Any, game: Game, wait: float) -> None:
        """Have a player get ready, in so many seconds.

        Raises what it raises, WaitOverError if that takes longer.
        """

    @abstractmethod
    async def turn_to(self, player: Any) -> None:
        """Wait until a player may be asked for a move; raises what keeps one from being kept."""

    @abstractmethod
    async def choose(self, player: Any, line: GameLine, limits: Limits, wait: float) -> int | str:
        """A player's move, in so many seconds.

        Raises what it raises, WaitOverError if that takes longer.
        """

    @abstractmethod
    async def adjudicate(self, adjudicator: Adjudicator, line: GameLine) -> Result | None:
        """Return the adjudicator's verdict."""

    @abstractmethod
    async def keep(self, line: GameLine, ms: int) -> None:
        """Begin to keep a move; may raise what keeps an earlier one from being kept."""

    def _begin_to_keep(self, line: GameLine, ms: int) -> None:
        if self._on_move is not None:
            self._keeping.append(asyncio.ensure_future(self._on_move(line, ms)))

    async def _kept(self) -> None:
        while self._keeping:
            await self._keeping.popleft()


class LoopHost(GameHost):
    """The event loop."""

    #: So many moves may wait at once; a game has to wait for a disk that is slower than that.
    _AHEAD = 8

    async def play(
        self, conduct: Callable[[GameHost], Coroutine[Any, Any, GameRecord]]
    ) -> GameRecord:
        """Have a game conducted here."""
        return await conduct(self)

    async def start(self, player: Player, game: Game, wait: float) -> None:
        """Have a player get ready."""
        await self._within(wait, player.start(game))

    async def turn_to(self, player: Player) -> None:
        """Wait until all moves are kept, for a player that is elsewhere."""
        if player.is_elsewhere:
            await self._kept()
        else:  # one that answers at once would keep the loop from everything else
            await asyncio.sleep(0)

    async def choose(
        self, player: Player, line: GameLine, limits: Limits, wait: float
    ) -> int | str:
        """A player's move."""
        return await self._within(wait, player.choose(line, limits))

    async def adjudicate(self, adjudicator: Adjudicator, line: GameLine) -> Result | None:
        """Return the adjudicator's verdict."""
        return await asyncio.to_thread(adjudicator, line)

    async def keep(self, line: GameLine, ms: int) -> None:
        """Begin to keep a move."""
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
    """Nobody waits for the game any more."""


class ThreadHost(GameHost):
    """A thread for one game between players of this process.

    It never waits, for the loop no more than for the disk: what is to be kept is posted.
    """

    #: When the loop begins to keep a move, in seconds after it was made, with those that have
    #: followed. Each time costs the searches a little: theirs begin with Python, as all of this is.
    _DELAY = 0.1

    def __init__(self, on_move: MoveListener | None, clock: RefereeClock) -> None:
        super().__init__(on_move, clock)
        self._loop = asyncio.get_running_loop()
        self._posted: deque[tuple[GameLine, int]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._asked = (math.inf, Stop())
        """Time by which the player must answer, and the stop that ends its search."""
        self._looks_at = math.inf
        self._looking: asyncio.TimerHandle | None = None
        self._is_given_up = False

    async def play(
        self, conduct: Callable[[GameHost], Coroutine[Any, Any, GameRecord]]
    ) -> GameRecord:
        """Have a game conducted here; cancelling ends it at the next move."""
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
        """Have a player get ready."""
        self._within(wait, lambda stop: player.prepare(game))

    async def turn_to(self, player: LocalPlayer) -> None:
        """Nothing to wait for."""

    async def choose(self, player: LocalPlayer, line: GameLine, limits: Limits, wait: float) -> int:
        """A player's move."""
        return self._within(wait, lambda stop: player.work(line, limits, stop))

    async def adjudicate(self, adjudicator: Adjudicator, line: GameLine) -> Result | None:
        """Return the adjudicator's verdict."""
        return adjudicator(line)

    async def keep(self, line: GameLine, ms: int) -> None:
        """Post a move."""
        if self._on_move is not None:
            self._posted.append((line, ms))
            if len(self._posted) == 1:  # else the loop has been told, and has not come yet
                self._loop.call_soon_threadsafe(self._notice)

    def _within(self, wait: float, answer: Callable[[Stop], T]) -> T:
        end, stop = self._clock.now() + wait, Stop()
        self._asked = end, stop
        if self._is_given_up:
            raise _GivenUpError
        if end < self._looks_at:  # as it is once a game, or little more often
            self._loop.call_soon_threadsafe(self._look)
        result = answer(stop)
        if self._is_given_up:
            raise _GivenUpError
        if self._clock.now() >= end:
            raise WaitOverError
        return result

    # ---- on the loop ----

    def _look(self) -> None:
        """Stop the player if its time is up, else look again at that time."""
        self._look_no_more()
        self._looks_at = math.inf  # before what is asked is read: the thread looks here after that
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
        """Begin to keep the moves that were posted."""
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
