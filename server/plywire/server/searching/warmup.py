"""Prepares games for the engine, off the event loop and off the search threads."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Iterable
from contextlib import suppress

from plywire.engine import readiness
from plywire.engine.game import Game
from plywire.engine.readiness import PreparationError, Progress

log = logging.getLogger(__name__)

#: So many games are prepared at once: the work is done in processes of their own, and a game that
#: takes long must not hold up the others.
_AT_ONCE = 2
#: Seconds from a preparation that failed to the next that is tried.
_TRIED_AGAIN = 10.0
#: What takes longer than this, in seconds, is announced.
_SAID_FROM = 2.0


class Warmer:
    """Prepares each game and board size once, two at a time, in threads of their own."""

    def __init__(self) -> None:
        """Start nothing: threads begin with the first requests."""
        self._games: dict[Game, asyncio.Future[None]] = {}
        self._progress: dict[Game, Progress] = {}
        self._failed: dict[Game, float] = {}
        self._requests: queue.SimpleQueue[tuple[Game, asyncio.Future[None]]] = queue.SimpleQueue()
        self._threads = 0

    def is_ready(self, game: Game) -> bool:
        """Whether the engine can search this game at once."""
        return readiness.is_ready(game)

    def progress(self, game: Game) -> Progress | None:
        """How far the preparation of a game has come, None if nothing is known of it."""
        return self._progress.get(game)

    async def load_kept(self, games: Iterable[Game]) -> None:
        """Make those games ready of which the machine code is kept from earlier.

        To be awaited before peers are served: then their first searches are as good as any.
        """
        for game in games:
            with suppress(Exception):  # whatever is wrong, `request` logs it
                await asyncio.to_thread(readiness.prepare_if_quick, game)

    def request(self, game: Game) -> asyncio.Future[None]:
        """Prepare a game; the future is done when it is ready, or holds what went wrong."""
        future = self._games.get(game)
        if future is None or self._may_try_again(game, future):
            future = self._games[game] = asyncio.get_running_loop().create_future()
            self._requests.put((game, future))
            if self._threads < _AT_ONCE:
                self._threads += 1
                # A daemon: nobody who ends the process waits for machine code.
                threading.Thread(target=self._run, name="warmup", daemon=True).start()
        return future

    def _may_try_again(self, game: Game, future: asyncio.Future[None]) -> bool:
        """Whether a preparation failed so long ago that what kept it may be gone."""
        if not future.done() or future.exception() is None:
            return False
        return time.monotonic() >= self._failed.get(game, 0.0) + _TRIED_AGAIN

    def _run(self) -> None:
        while True:
            game, future = self._requests.get()
            error = self._prepare(game)
            try:
                future.get_loop().call_soon_threadsafe(_resolve, future, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return

    def _prepare(self, game: Game) -> Exception | None:
        """Prepare a game, and log how it ends; returns what went wrong."""
        began = time.monotonic()
        is_announced = False

        def note(progress: Progress) -> None:
            nonlocal is_announced
            self._progress[game] = progress
            expected = max(time.monotonic() - began, progress.seconds_left or 0)
            if expected > _SAID_FROM and not is_announced:
                is_announced = True
                log.info("preparing game=%s size=%s step=%r", game.name, game.size, progress.step)

        try:
            readiness.prepare(game, note)
        except PreparationError as error:
            log.warning("plain search only game=%s size=%s: %s", game.name, game.size, error)
            return error
        except Exception as error:  # searches must be told, whatever it is
            log.exception("plain search only game=%s size=%s", game.name, game.size)
            return error
        finally:
            self._failed[game] = time.monotonic()
            self._progress.pop(game, None)
        seconds = time.monotonic() - began
        log.info("ready game=%s size=%s seconds=%.1f", game.name, game.size, seconds)
        return None


def _resolve(future: asyncio.Future[None], error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
        future.exception()  # it is logged: asyncio need not say that nobody asked
