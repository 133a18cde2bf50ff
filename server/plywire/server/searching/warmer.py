"""The preparation of games for the engine, seen from the event loop."""

from __future__ import annotations

import asyncio
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
        """Ask for nothing yet."""
        self._futures = WeakKeyDictionary[Future[None], asyncio.Future[None]]()
        """Of each preparation, its future on the event loop."""

    def is_ready(self, game: Game) -> bool:
        """Whether the engine can search this game at once."""
        return readiness.is_ready(game)

    def progress(self, game: Game) -> Progress | None:
        """How far the preparation of a game has come, None if nothing is known of it."""
        return readiness.preparations.progress(game)

    async def load_kept(self, games: Iterable[Game]) -> None:
        """Make those games ready of which the machine code is kept from earlier.

        To be awaited before peers are served: then their first searches are as good as any.
        """
        for game in games:
            with suppress(Exception):  # whatever is wrong, a preparation logs it
                await asyncio.to_thread(readiness.prepare_if_quick, game)

    def request(self, game: Game, by: Hashable = None) -> asyncio.Future[None]:
        """Prepare a game; the future is done when it is ready, or holds what went wrong.

        `by` is the peer that asks, None the server itself. Do not cancel the future, others wait
        for it too. It is cancelled if every peer that asked is forgotten before its turn.
        """
        preparation = readiness.preparations.request(game, by)
        if (future := self._futures.get(preparation)) is None:
            loop = asyncio.get_running_loop()
            future = self._futures[preparation] = loop.create_future()

            def tell(preparation: Future[None]) -> None:
                with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                    loop.call_soon_threadsafe(_settle, future, preparation)

            if preparation.done():
                _settle(future, preparation)
            else:
                preparation.add_done_callback(tell)
        return future

    def forget(self, by: Hashable) -> None:
        """Prepare nothing more for a peer that has left."""
        readiness.preparations.forget(by)


def _settle(future: asyncio.Future[None], preparation: Future[None]) -> None:
    """Give a future of the event loop what a preparation came to."""
    if future.done():
        return
    if preparation.cancelled():
        future.cancel()
    elif (error := preparation.exception()) is None:
        future.set_result(None)
    else:
        future.set_exception(error)
        future.exception()  # it is logged: asyncio need not say that nobody asked
