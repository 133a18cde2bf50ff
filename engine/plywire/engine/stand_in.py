"""What stands in for the engine while a game is not ready, or cannot be made ready.

A search with a time to keep cannot wait: it begins plainly, and goes on with the engine as soon as
the game is ready. Any other search waits for the engine, whose answer is better. Where a game
cannot be prepared, all searches are plain.
"""

import time
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import replace

from . import readiness
from .analysis import Analysis, AnalysisLine
from .search import plain
from .search.backend import Backend
from .search.request import SearchRequest
from .search.time_management import Budget

#: Seconds from one look at the stop to the next, while a search waits for the engine.
_LOOK_EVERY = 0.01


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
    preparation = readiness.preparations.request(request.position.game)
    limits, stop, budget = request.limits, request.stop, request.budget

    def is_ready() -> bool:
        return preparation.done() and preparation.exception() is None

    stop.set_at(request.began + budget.hard / 1000)
    if not limits.is_timed:
        while not (stop.is_set or preparation.done()):
            wait([preparation], _LOOK_EVERY)
        if is_ready():
            return natively(request, on_info)
    reach = (0, 0)

    def report_plain(line: AnalysisLine) -> None:
        nonlocal reach
        reach = line.reach
        on_info(line)

    def report_native(line: AnalysisLine) -> None:
        if line.reach >= reach:
            on_info(line)

    found = plain.analyse(backend, request, report_plain, until=is_ready)
    left = None if limits.nodes is None else limits.nodes - found.nodes
    if stop.is_set or not is_ready() or (left is not None and left < 1):
        return found
    # What was spent on the plain search is not taken off the time to think, but off the time there
    # is: that ends at the same moment.
    spent = (time.monotonic() - request.began) * 1000
    budget = Budget(min(budget.soft + spent, budget.hard), budget.hard)
    rest = replace(request, limits=replace(limits, nodes=left), budget=budget)
    native = natively(rest, report_native)
    return replace(native, nodes=native.nodes + found.nodes) if native.lines else found
