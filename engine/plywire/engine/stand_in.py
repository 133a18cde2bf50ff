"""The stage that uses the plain search while a game is not ready.

A search with a time limit begins with the plain search. Once the game is ready, the engine
continues. Other searches wait for the engine.
"""

import time
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import replace

from . import readiness
from .analysis import Analysis, AnalysisLine
from .registry import backend_of
from .search import plain
from .search.iterative_deepening import Listener
from .search.request import SearchRequest
from .search.stop import Stop
from .search.time_management import Budget
from .stages import Rest

#: While a search waits for the engine, seconds between two checks of whether it is stopped.
_LOOK_EVERY = 0.01


class UntilReady(Stop):
    """Ends a plain search when the request is stopped or the engine is ready."""

    def __init__(self, stop: Stop, is_ready: Callable[[], bool]) -> None:
        super().__init__()
        self._stop = stop
        self._is_ready = is_ready

    @property
    def is_set(self) -> bool:
        return self._stop.is_set or self._is_ready()

    def wait(self, timeout: float | None = None) -> bool:
        while not self.is_set:
            self._stop.wait(_LOOK_EVERY)
        return True


def search(request: SearchRequest, on_info: Listener, rest: Rest) -> Analysis:
    """Use the plain search while the game is not ready, then `rest`: the later stages.

    `on_info` gets the engine's lines once they are as deep as those of the plain search.
    """
    game, limits, stop = request.position.game, request.limits, request.stop
    if readiness.is_ready(game):
        return rest(request, on_info)
    preparation = readiness.preparations.request(game)

    def is_ready() -> bool:
        return preparation.done() and preparation.exception() is None

    if not limits.is_timed:
        while not (stop.is_set or preparation.done()):
            wait([preparation], _LOOK_EVERY)
        if is_ready():
            return rest(request, on_info)
    reach = (0, 0)

    def report_plain(line: AnalysisLine) -> None:
        nonlocal reach
        reach = line.reach
        on_info(line)

    def report_native(line: AnalysisLine) -> None:
        if line.reach >= reach:
            on_info(line)

    until_ready = replace(request, stop=UntilReady(stop, is_ready))
    found = plain.analyse(backend_of(game), until_ready, report_plain)
    left = None if limits.nodes is None else limits.nodes - found.nodes
    if stop.is_set or not is_ready() or (left is not None and left < 1):
        return found
    # The time of the plain search is added to the soft limit, so the engine gets all its thinking
    # time. The hard limit stays at the same moment.
    spent = (time.monotonic() - request.began) * 1000
    soft, hard = request.budget.soft, request.budget.hard
    budget = Budget(min(soft + spent, hard), hard)
    remaining = replace(request, limits=replace(limits, nodes=left), budget=budget)
    native = rest(remaining, report_native)
    return replace(native, nodes=native.nodes + found.nodes) if native.lines else found
