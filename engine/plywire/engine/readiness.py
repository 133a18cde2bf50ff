"""Prepares games for search at full speed, and says which are ready.

Until the machine code is made from the shipped IR, a plain search replaces the engine.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from .compiled.native import PreparationError as PreparationError
from .compiled.native import PreparationProgress as PreparationProgress
from .compiled.native import load_kept, provide
from .game import Game
from .limits import SearchLimits
from .registry import backend_of

if TYPE_CHECKING:
    from .search.backend import Backend

log = logging.getLogger(__name__)

#: Maximum number of games that are prepared in the background at once. It is above 1 so that a slow
#: game does not delay others; other processes do the work.
_AT_ONCE = 2
#: Seconds after which a failed preparation may be tried again.
_TRIED_AGAIN = 10.0
#: Preparations are logged at their start if they are expected to take more than this many seconds.
_SAID_FROM = 2.0

_ready = set[Game]()
#: A lock for each game. If two threads prepare the same game, the second waits for the first.
_preparing: defaultdict[Game, threading.Lock] = defaultdict(threading.Lock)


def is_ready(game: Game) -> bool:
    """Return whether the engine can search the game at once; takes microseconds, in any thread."""
    return game in _ready


def prepare(game: Game, on_progress: Callable[[PreparationProgress], None] | None = None) -> None:
    """Make a game ready, and return when it is; callable repeatedly, from any thread.

    `on_progress` is called in the calling thread, at least once a second. Raises PreparationError
    if the game cannot be prepared.
    """
    if game in _ready:
        return
    with _preparing[game]:
        if game not in _ready:
            backend = backend_of(game)
            provide(backend.wanted(), on_progress)
            _load_tables(backend)
            _ready.add(game)


def prepare_if_quick(game: Game) -> bool:
    """Make a game ready if its machine code is in the store; return whether the game is ready.

    If the game is not ready, this loads the opening book and the plain search, which answer
    meanwhile.
    """
    backend = backend_of(game)
    with _preparing[game]:
        if game not in _ready and load_kept(backend.wanted()):
            _load_tables(backend)
            _ready.add(game)
    if game not in _ready:
        from .search import plain  # noqa: F401

        backend.plain_rules()
        backend.line_without_kernels(game.start(), random.Random())
    return game in _ready


class Preparations:
    """Prepares games in its own threads, and logs the results.

    Requests of the process itself come first; clients take turns. After some seconds, a new request
    repeats a failed preparation.
    """

    def __init__(self) -> None:
        self._requested: dict[Game, Future[None]] = {}
        self._ended: dict[Game, float] = {}
        self._progress: dict[Game, PreparationProgress] = {}
        self._waiting: dict[Hashable, dict[Game, None]] = {}
        """The waiting games of each requester, in order; the first requester is next."""
        self._threads = 0
        self._changing = threading.RLock()
        self._more = threading.Condition(self._changing)

    def request(self, game: Game, by: Hashable = None) -> Future[None]:
        """Prepare a game; the future is done when the game is ready, or holds the error.

        `by` is the client that asks, None for the process itself; `forget` cancels its requests.
        """
        with self._changing:
            future = self._requested.get(game)
            if future is None or self._may_try_again(game, future):
                future = self._requested[game] = Future()
            if not (future.running() or future.done()):
                self._waiting.setdefault(by, {})[game] = None
                self._more.notify()
                if self._threads < _AT_ONCE:
                    self._threads += 1
                    # A daemon thread lets this process end before the machine code is made.
                    threading.Thread(target=self._run, name="preparing", daemon=True).start()
            return future

    def forget(self, by: Hashable) -> None:
        """Cancel the waiting requests of a client that has left."""
        with self._changing:
            for game in self._waiting.pop(by, {}):
                if not any(game in games for games in self._waiting.values()):
                    self._requested.pop(game).cancel()

    def progress(self, game: Game) -> PreparationProgress | None:
        return self._progress.get(game)

    def _may_try_again(self, game: Game, future: Future[None]) -> bool:
        if not future.done() or future.exception() is None:
            return False
        return time.monotonic() >= self._ended[game] + _TRIED_AGAIN

    def _next(self) -> tuple[Game, Future[None]]:
        with self._changing:
            while not self._waiting:
                self._more.wait()
            turn = None if None in self._waiting else next(iter(self._waiting))
            # The requester moves to the end of the order.
            games = self._waiting[turn] = self._waiting.pop(turn)
            game = next(iter(games))
            for by, wanted in list(self._waiting.items()):
                wanted.pop(game, None)
                if not wanted:
                    del self._waiting[by]
            future = self._requested[game]
            future.set_running_or_notify_cancel()
            return game, future

    def _run(self) -> None:
        while True:
            game, future = self._next()
            try:
                self._prepare(game)
            except Exception as error:  # after any error, the plain search answers
                names = game.name, game.size
                if isinstance(error, PreparationError):
                    log.warning("plain search only game=%s size=%s: %s", *names, error)
                else:
                    log.exception("plain search only game=%s size=%s", *names)
                self._ended[game] = time.monotonic()
                future.set_exception(error)
            else:
                future.set_result(None)

    def _prepare(self, game: Game) -> None:
        began = time.monotonic()
        is_announced = False

        def note(progress: PreparationProgress) -> None:
            nonlocal is_announced
            self._progress[game] = progress
            expected = max(time.monotonic() - began, progress.seconds_left or 0)
            if expected > _SAID_FROM and not is_announced:
                is_announced = True
                log.info("preparing game=%s size=%s step=%r", game.name, game.size, progress.step)

        try:
            prepare(game, note)
        finally:
            self._progress.pop(game, None)
        seconds = time.monotonic() - began
        log.info("ready game=%s size=%s seconds=%.1f", game.name, game.size, seconds)


preparations = Preparations()


def _load_tables(backend: Backend) -> None:
    """Load the tables of searches, so that the first search is as quick as later ones."""
    from .search.iterative_deepening import search
    from .search.request import SearchRequest
    from .search.stop import Stop
    from .search.table import TranspositionTable
    from .search.time_management import UNLIMITED

    position = backend.game.start()
    limits = SearchLimits(depth=1)
    request = SearchRequest(position, limits, 1, Stop(), time.monotonic(), UNLIMITED)
    search(backend, request, TranspositionTable(1))
    backend.solver(1, 1)
    backend.opening_line(position, random.Random())
