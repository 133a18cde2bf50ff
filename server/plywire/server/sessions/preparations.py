"""The games that a client's commands wait for until the engine can search them."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import Any

from plywire.engine.game import Game
from plywire.engine.readiness import PreparationError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import ErrorCode, Event
from plywire.server.errors import RefusedError
from plywire.server.searching.warmer import Warmer, seconds_left

#: Seconds between two `preparing` events that answer one command.
_PROGRESS_EVERY = 1.0
#: How many commands of one client may wait.
_MOST_WAITING = 8


class Preparations:
    """The preparations for one client, and its commands that wait for them."""

    def __init__(self, warmer: Warmer, *, is_bounded: bool) -> None:
        """Let any number of commands wait, or a bounded one."""
        self._warmer = warmer
        self._most = _MOST_WAITING if is_bounded else math.inf
        self._leaves: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting = set[asyncio.Task[None]]()

    @property
    def are_awaited(self) -> bool:
        """Whether a command waits."""
        return bool(self._waiting)

    def is_ready(self, game: Game) -> bool:
        """Whether the engine can search a game now."""
        return self._warmer.is_ready(game)

    def begin(self, game: Game) -> None:
        """See that a game is ready by the time when a search is asked for."""
        if not self._leaves.done():
            self._request(game)

    async def wait(self, game: Game, until: asyncio.Future[None] | None = None) -> None:
        """Wait until a game is ready, or until the future `until` is done.

        Raises RefusedError if the game cannot be prepared. Without a future, raises RefusedError if
        the client leaves before the game is ready.
        """
        if self.is_ready(game):
            return
        request = self._request(game)
        await _first(request, until or self._leaves)
        if request.done() or until is None:
            _check(game, request)

    async def follow(self, game: Game, reply: Callable[[Event], None]) -> None:
        """Report the preparation of a game until it is ready; raises RefusedError as `wait`."""
        request = None if self.is_ready(game) else self._request(game)
        while request is not None and not (request.done() or self._leaves.done()):
            progress = self._warmer.progress(game)
            reply(
                play.Preparing(
                    game=game.name,
                    size=game.size,
                    step="waiting" if progress is None else progress.step,
                    seconds_left=seconds_left(progress),
                )
            )
            await _first(request, self._leaves, seconds=_PROGRESS_EVERY)
        if request is not None:
            _check(game, request)
        reply(play.Ready(game=game.name, size=game.size))

    def spawn(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let a command wait while the next ones are carried out.

        Raises RefusedError if too many wait already.
        """
        if len(self._waiting) >= self._most:
            raise RefusedError(
                ErrorCode.TOO_MANY,
                f"at most {_MOST_WAITING} commands may wait for a game to be ready: "
                "wait for an answer",
            )
        task = asyncio.create_task(work())
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def close(self) -> None:
        """Answer the commands that wait, and prepare nothing more for this client."""
        if not self._leaves.done():
            self._leaves.set_result(None)
        await asyncio.gather(*self._waiting)
        self._warmer.forget(self)

    def _request(self, game: Game) -> asyncio.Future[None]:
        """Have a game prepared when it is this client's turn."""
        return self._warmer.request(game, self)


async def _first(*waiting: asyncio.Future[Any], seconds: float | None = None) -> None:
    """Wait until the first of them is done, or so many seconds are over."""
    await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


def _check(game: Game, request: asyncio.Future[None]) -> None:
    """Raises RefusedError if a game cannot be prepared, or is not yet."""
    name = f"{game.name} {game.size}"
    if not request.done():
        message = f"the connection closes before {name} is ready"
        raise RefusedError(ErrorCode.UNAVAILABLE, message)
    if (error := request.exception()) is not None:
        reason = str(error) if isinstance(error, PreparationError) else "the server's log says why"
        raise RefusedError(ErrorCode.UNAVAILABLE, f"{name} cannot be prepared: {reason}")
