"""The preparation of games for the engine, for code on the event loop."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Hashable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from weakref import WeakKeyDictionary

from plywire.engine import readiness
from plywire.engine.game import Game
from plywire.engine.readiness import PreparationProgress


class Warmer:
    """Prepares games off the event loop and off the search threads."""

    def __init__(self) -> None:
        self._futures = WeakKeyDictionary[Future[None], asyncio.Future[None]]()

    def is_ready(self, game: Game) -> bool:
        return readiness.is_ready(game)

    def progress(self, game: Game) -> PreparationProgress | None:
        """Return the progress of a game's preparation, None if it is unknown."""
        return readiness.preparations.progress(game)

    async def load_kept(self, games: Iterable[Game]) -> None:
        """Load the games whose machine code is on the disk, before the server serves clients."""
        for game in games:
            with suppress(Exception):  # the game's preparation logs the error later
                await asyncio.to_thread(readiness.prepare_if_quick, game)

    def request(self, game: Game, by: Hashable = None) -> asyncio.Future[None]:
        """Prepare a game; the future is done when the game is ready, or has the error.

        `by` is the client that asks; None is the server itself. Do not cancel the future,
        because other clients share it. It is cancelled if all clients that asked leave before the
        preparation begins.
        """
        preparation = readiness.preparations.request(game, by)
        if (future := self._futures.get(preparation)) is None:
            loop = asyncio.get_running_loop()
            future = self._futures[preparation] = loop.create_future()

            def tell(preparation: Future[None]) -> None:
                with suppress(RuntimeError):  # if the loop is closed, nobody waits
                    loop.call_soon_threadsafe(_settle, future, preparation)

            if preparation.done():
                _settle(future, preparation)
            else:
                preparation.add_done_callback(tell)
        return future

    def forget(self, by: Hashable) -> None:
        readiness.preparations.forget(by)


def seconds_left(progress: PreparationProgress | None) -> int | None:
    """Return whole seconds until a preparation ends; None if that is unknown."""
    left = None if progress is None else progress.seconds_left
    return None if left is None else max(math.ceil(left), 0)


def _settle(future: asyncio.Future[None], preparation: Future[None]) -> None:
    if future.done():
        return
    if preparation.cancelled():
        future.cancel()
    elif (error := preparation.exception()) is None:
        future.set_result(None)
    else:
        future.set_exception(error)
        future.exception()  # marks the error as seen: it is logged already
