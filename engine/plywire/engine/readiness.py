"""Whether a game can be searched at full speed, and how it gets there.

Kernels run as machine code, which each machine makes once from the IR that the package ships. Until
then a game is not ready: a plain search on its rules stands in.
"""

from __future__ import annotations

import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from .compiled.native import PreparationError as PreparationError
from .compiled.native import Progress as Progress
from .compiled.native import load_kept, provide
from .game import Game
from .limits import SearchLimits
from .registry import backend_of

if TYPE_CHECKING:
    from .search.backend import Backend

_ready = set[Game]()
#: Of two threads that prepare a game, the second waits for the first.
_preparing: defaultdict[Game, threading.Lock] = defaultdict(threading.Lock)


def is_ready(game: Game) -> bool:
    """Whether the engine can search the game at once; takes microseconds, from any thread."""
    return game in _ready


def prepare(game: Game, on_progress: Callable[[Progress], None] | None = None) -> None:
    """Make a game ready, and return when it is; callable from any thread, again and again.

    `on_progress` is called in the calling thread, at least once a second while work goes on.
    Raises PreparationError if it cannot be done.
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
    """Make a game ready if its machine code is kept from earlier; returns whether it is ready.

    Takes some tenths of a second at the most. Where it does not succeed, it loads what answers
    until the game is ready, the opening book and the plain search.
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


def _load_tables(backend: Backend) -> None:
    """Load what searches look up, so that the first is as quick as the next."""
    from .search.iterative_deepening import IterativeDeepening
    from .search.request import SearchRequest
    from .search.stop import Stop
    from .search.table import TranspositionTable
    from .search.time_management import UNLIMITED

    position = backend.game.start()
    limits = SearchLimits(depth=1)
    request = SearchRequest(position, limits, 1, Stop(), time.monotonic(), UNLIMITED)
    IterativeDeepening(backend, request, TranspositionTable(1)).run(None)
    backend.solver(1, 1)
    backend.opening_line(position, random.Random())
