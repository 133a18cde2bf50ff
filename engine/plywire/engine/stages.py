"""The stages of an analysis: each answers a request or passes it to the rest."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from . import readiness
from .analysis import Analysis, AnalysisLine
from .game import Position
from .limits import SearchLimits
from .search.backend import Backend, OpeningBook
from .search.iterative_deepening import Listener, search
from .search.request import SearchRequest
from .search.tables import Tables
from .search.time_management import UNLIMITED

Rest = Callable[[SearchRequest, Listener], Analysis]
"""The later stages."""

Stage = Callable[[SearchRequest, Listener, Rest], Analysis]


def analyse(stages: Sequence[Stage], request: SearchRequest, on_info: Listener) -> Analysis:
    """Let the first stage answer; it may ask the others."""
    first, *others = stages
    return first(request, on_info, partial(analyse, others))


@dataclass(frozen=True, slots=True)
class Opening:
    """Answers from an opening book if there are limits of time alone."""

    backend: Backend
    book: bool | OpeningBook
    """An opening book, or True for the game's own."""
    chance: random.Random

    def line(self, position: Position, limits: SearchLimits, multipv: int) -> AnalysisLine | None:
        if self.book is False or not limits.is_for_play or multipv != 1:
            return None
        if readiness.is_ready(position.game):
            return self.backend.opening_line(position, self.chance, self.book)
        return self.backend.line_without_kernels(position, self.chance, self.book)

    def __call__(self, request: SearchRequest, on_info: Listener, rest: Rest) -> Analysis:
        line = self.line(request.position, request.limits, request.multipv)
        if line is None:
            return rest(request, on_info)
        on_info(line)
        return Analysis(line.pv[0], (line,), nodes=0, time=request.elapsed)


@dataclass(frozen=True, slots=True)
class Solving:
    """Finds exact scores with the game's solver."""

    backend: Backend
    book: bool | OpeningBook
    tables: Tables

    def __call__(self, request: SearchRequest, on_info: Listener, rest: Rest) -> Analysis:
        depth = request.limits.depth
        if depth is not None and depth < request.position.plies_left:
            return rest(request, on_info)
        self.tables.fit(request.budget)
        solver = self.tables.solver(self.backend, self.book)
        if solver is None:
            return rest(request, on_info)
        return solver.analyse(request, partial(self._estimate, request), on_info)

    def _estimate(self, request: SearchRequest, nodes: int) -> Analysis:
        limits, began = SearchLimits(nodes=nodes), time.monotonic()
        request = replace(request, limits=limits, budget=UNLIMITED, began=began)
        return search(self.backend, request, self.tables.small_table())


@dataclass(frozen=True, slots=True)
class Searching:
    """Searches by iterative deepening; the last stage."""

    backend: Backend
    tables: Tables

    def __call__(self, request: SearchRequest, on_info: Listener, rest: Rest) -> Analysis:
        self.tables.fit(request.budget)
        table, threads = self.tables.table(), self.tables.threads
        return search(self.backend, request, table, on_info, threads=threads)
