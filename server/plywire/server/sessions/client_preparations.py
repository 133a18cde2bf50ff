"""The preparations of games that a client's commands wait for."""

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

#: Seconds between two `preparing` events for the same command.
_PROGRESS_EVERY = 1.0
_MOST_WAITING = 8


class ClientPreparations:
    """The preparations for one client, and its commands that wait for them."""

    def __init__(self, warmer: Warmer, *, is_bounded: bool) -> None:
        """Let any number of commands wait, or at most 8 if `is_bounded`."""
        self._warmer = warmer
        self._most = _MOST_WAITING if is_bounded else math.inf
        self._leaves: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting = set[asyncio.Task[None]]()

    @property
    def are_awaited(self) -> bool:
        return bool(self._waiting)

    def is_ready(self, game: Game) -> bool:
        return self._warmer.is_ready(game)

    def begin(self, game: Game) -> None:
        """Start to prepare a game, before a search asks for it."""
        if not self._leaves.done():
            self._request(game)

    async def wait(self, game: Game, until: asyncio.Future[None] | None = None) -> None:
        """Wait until a game is ready, or until `until` is done.

        Raises RefusedError if the preparation fails. Without `until`, raises it also if the client
        leaves.
        """
        if self.is_ready(game):
            return
        request = self._request(game)
        await _first(request, until or self._leaves)
        if request.done() or until is None:
            _check(game, request)

    async def follow(self, game: Game, reply: Callable[[Event], None]) -> None:
        """Report the preparation of a game until it is ready; raises RefusedError like `wait`."""
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
        """Let a command wait while later commands run; raises RefusedError if too many wait."""
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
        """Answer the waiting commands, and prepare nothing more for this client."""
        if not self._leaves.done():
            self._leaves.set_result(None)
        await asyncio.gather(*self._waiting)
        self._warmer.forget(self)

    def _request(self, game: Game) -> asyncio.Future[None]:
        return self._warmer.request(game, self)


async def _first(*waiting: asyncio.Future[Any], seconds: float | None = None) -> None:
    await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)


def _check(game: Game, request: asyncio.Future[None]) -> None:
    """Raise RefusedError if a game cannot be prepared, or is not ready."""
    name = f"{game.name} {game.size}"
    if not request.done():
        message = f"the connection closes before {name} is ready"
        raise RefusedError(ErrorCode.UNAVAILABLE, message)
    if (error := request.exception()) is not None:
        reason = str(error) if isinstance(error, PreparationError) else "the server's log says why"
        raise RefusedError(ErrorCode.UNAVAILABLE, f"{name} cannot be prepared: {reason}")
