"""The preparation of games for the engine, for use on the event loop."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Hashable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from weakref import WeakKeyDictionary

from plywire.engine import readiness
from plywire.engine.game import Game
from plywire.engine.readiness import Progress


class Warmer:
    """Prepares games off the event loop and off the search threads."""

    def __init__(self) -> None:
        self._futures = WeakKeyDictionary[Future[None], asyncio.Future[None]]()
        """For each preparation, its future on the event loop."""

    def is_ready(self, game: Game) -> bool:
        """Whether the engine can search this game at once."""
        return readiness.is_ready(game)

    def progress(self, game: Game) -> Progress | None:
        """How far the preparation of a game has come, None if that is unknown."""
        return readiness.preparations.progress(game)

    async def load_kept(self, games: Iterable[Game]) -> None:
        """Make games ready whose machine code is on the disk.

        The server waits for this before it serves clients, so that their first searches are good.
        """
        for game in games:
            with suppress(Exception):  # the preparation of this game will log it
                await asyncio.to_thread(readiness.prepare_if_quick, game)

    def request(self, game: Game, by: Hashable = None) -> asyncio.Future[None]:
        """Prepare a game; the future is done when the game is ready, or has the error.

        `by` is the client that asks, None the server itself. Do not cancel the future: others wait
        for it, too. It is cancelled if every client that asked is forgotten before its turn.
        """
        preparation = readiness.preparations.request(game, by)
        if (future := self._futures.get(preparation)) is None:
            loop = asyncio.get_running_loop()
            future = self._futures[preparation] = loop.create_future()

            def tell(preparation: Future[None]) -> None:
                with suppress(RuntimeError):  # the loop is closed, so nobody waits
                    loop.call_soon_threadsafe(_settle, future, preparation)

            if preparation.done():
                _settle(future, preparation)
            else:
                preparation.add_done_callback(tell)
        return future

    def forget(self, by: Hashable) -> None:
        """Prepare nothing more for a client that has left."""
        readiness.preparations.forget(by)


def seconds_left(progress: Progress | None) -> int | None:
    """Whole seconds until a preparation has ended; None if that is unknown."""
    left = None if progress is None else progress.seconds_left
    return None if left is None else max(math.ceil(left), 0)


def _settle(future: asyncio.Future[None], preparation: Future[None]) -> None:
    """Give a future of the event loop the outcome of a preparation."""
    if future.done():
        return
    if preparation.cancelled():
        future.cancel()
    elif (error := preparation.exception()) is None:
        future.set_result(None)
    else:
        future.set_exception(error)
        future.exception()  # the error is logged already, so asyncio need not log it
