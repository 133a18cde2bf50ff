"""What stands in for the engine while a game is not ready, or cannot be made ready.

A search with a time to keep cannot wait: it begins plainly, and goes on with the engine as soon as
the game is ready. Any other search waits for the engine, whose answer is better. Where a game
cannot be prepared, all searches are plain.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from . import readiness
from .analysis import Analysis, AnalysisLine
from .game import Game
from .search import plain
from .search.backend import Backend
from .search.request import SearchRequest
from .search.time_management import Budget

log = logging.getLogger(__name__)

#: Seconds from one look at the stop to the next, while a search waits for the engine.
_LOOK_EVERY = 0.01


class Preparation:
    """The preparation of one game, in a thread of its own."""

    def __init__(self, game: Game) -> None:
        """Begin."""
        self._game = game
        self._over = threading.Event()
        self._is_ready = False
        # A daemon: nobody who ends the process waits for machine code.
        threading.Thread(target=self._run, name="preparing", daemon=True).start()

    def is_ready(self) -> bool:
        """Whether the engine can search the game."""
        return self._is_ready

    def wait(self, is_stopped: Callable[[], bool]) -> None:
        """Return when the preparation is over, or when there is nothing to wait for any more."""
        while not is_stopped() and not self._over.wait(_LOOK_EVERY):
            pass

    def _run(self) -> None:
        game = self._game
        try:
            readiness.prepare(game)
            self._is_ready = True
        except readiness.PreparationError as error:
            log.warning("plain search only game=%s size=%s: %s", game.name, game.size, error)
        except Exception:  # whatever it is, the plain search can do without
            log.exception("plain search only game=%s size=%s", game.name, game.size)
        finally:
            self._over.set()


_preparations: dict[Game, Preparation] = {}
_beginning = threading.Lock()


def search(
    backend: Backend,
    request: SearchRequest,
    natively: Callable[[SearchRequest, Callable[[AnalysisLine], None]], Analysis],
    on_info: Callable[[AnalysisLine], None],
) -> Analysis:
    """Search while a game is not ready; `natively` searches with the engine once it is.

    The engine's answer counts if it finished an iteration. `on_info` hears of its lines once they
    reach as far as those of the plain search.
    """
    preparation = _preparation(request.position.game)
    limits, stop, budget = request.limits, request.stop, request.budget
    stop.set_at(request.began + budget.hard / 1000)
    if not limits.is_timed:
        preparation.wait(lambda: stop.is_set)
        if preparation.is_ready():
            return natively(request, on_info)
    reach = (0, 0)

    def report_plain(line: AnalysisLine) -> None:
        nonlocal reach
        reach = line.reach
        on_info(line)

    def report_native(line: AnalysisLine) -> None:
        if line.reach >= reach:
            on_info(line)

    found = plain.analyse(backend, request, report_plain, until=preparation.is_ready)
    left = None if limits.nodes is None else limits.nodes - found.nodes
    if stop.is_set or not preparation.is_ready() or (left is not None and left < 1):
        return found
    # What was spent on the plain search is not taken off the time to think, but off the time there
    # is: that ends at the same moment.
    spent = (time.monotonic() - request.began) * 1000
    budget = Budget(min(budget.soft + spent, budget.hard), budget.hard)
    rest = replace(request, limits=replace(limits, nodes=left), budget=budget)
    native = natively(rest, report_native)
    return replace(native, nodes=native.nodes + found.nodes) if native.lines else found


def _preparation(game: Game) -> Preparation:
    with _beginning:
        if game not in _preparations:
            _preparations[game] = Preparation(game)
        return _preparations[game]
