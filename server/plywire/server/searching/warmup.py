"""Loads or compiles the kernels of games, off the event loop and off the search threads."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading

from plywire.engine.game import Game
from plywire.engine.readiness import Progress, prepare

log = logging.getLogger(__name__)

#: Kernels that lie on disk load faster than this, in seconds; what takes longer is compiled.
_LOADS_WITHIN = 2.0
#: How often to say that compiling goes on, in seconds.
_PROGRESS_EVERY = 3.0


class Warmer:
    """Readies each game and board size once, one after the other, in a thread of its own.

    A fresh installation compiles for many seconds. Searches wait for it here, where they occupy no
    search thread and their time limits still hold.
    """

    def __init__(self) -> None:
        """Start nothing: the thread begins with the first request."""
        self._games: dict[Game, asyncio.Future[None]] = {}
        self._requests: queue.SimpleQueue[tuple[Game, asyncio.Future[None]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def is_ready(self, game: Game) -> bool:
        """Whether a search of this game can begin at once."""
        future = self._games.get(game)
        return future is not None and future.done() and future.exception() is None

    def progress(self, game: Game) -> Progress | None:
        """How far the preparation of a game has come, None if nothing is known of it."""
        return None

    def request(self, game: Game) -> asyncio.Future[None]:
        """Ready a game; the future is done when it is, or holds what went wrong."""
        future = self._games.get(game)
        if future is None:
            loop = asyncio.get_running_loop()
            future = self._games[game] = loop.create_future()
            _log_progress(game, future, loop)
            self._requests.put((game, future))
            if self._thread is None:
                # A daemon: nobody who ends the process waits for a compiler.
                self._thread = threading.Thread(target=self._run, name="warmup", daemon=True)
                self._thread.start()
        return future

    def _run(self) -> None:
        while True:
            game, future = self._requests.get()
            error: Exception | None = None
            try:
                prepare(game)
            except Exception as caught:  # a compiler may raise anything; searches must be told
                error = caught
            try:
                future.get_loop().call_soon_threadsafe(_resolve, future, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return


def _resolve(future: asyncio.Future[None], error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


def _log_progress(
    game: Game, future: asyncio.Future[None], loop: asyncio.AbstractEventLoop
) -> None:
    """Say that kernels are being compiled, but not that they are merely loaded."""
    began = loop.time()
    timer: asyncio.TimerHandle

    def going_on() -> None:
        nonlocal timer
        elapsed = loop.time() - began
        log.info("compiling game=%s size=%s seconds=%.0f", game.name, game.size, elapsed)
        timer = loop.call_later(_PROGRESS_EVERY, going_on)

    def done(future: asyncio.Future[None]) -> None:
        timer.cancel()
        if not future.cancelled() and (error := future.exception()):
            log.error("cannot compile game=%s size=%s", game.name, game.size, exc_info=error)
        else:
            elapsed = loop.time() - began
            log.info("ready game=%s size=%s seconds=%.1f", game.name, game.size, elapsed)

    timer = loop.call_later(_LOADS_WITHIN, going_on)
    future.add_done_callback(done)
