"""Iterative deepening: one analysis, from the first iteration to the best move.

Helper threads run the same iterations and share only the table ("lazy SMP"). This module must not
import NumPy, because it also runs the plain search.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore, SearchedBy
from plywire.engine.compiled.contract import INFINITY, MAX_ESTIMATE
from plywire.engine.compiled.native import load
from plywire.engine.game import Position

from .request import SearchRequest
from .root_line import RootLine, report, to_score
from .searcher import UNLIMITED_NODES, Iteration, Searcher
from .stop import Stop

if TYPE_CHECKING:
    from .backend import Backend
    from .table import TranspositionTable

#: Half the width of the first aspiration window, in hundredths. Each miss widens the window by the
#: factor `WIDENING`. Beyond `WIDEST`, the window has no limit on the side of the miss.
WINDOW = 60
WIDENING = 4
WIDEST = 4000
#: Minimum depth of an iteration with an aspiration window. Earlier iterations are too quick and too
#: rough for a window.
WINDOW_DEPTH = 4

Listener = Callable[[AnalysisLine], None]


def search(
    backend: Backend,
    request: SearchRequest,
    table: TranspositionTable,
    on_info: Listener | None = None,
    *,
    threads: int = 1,
    window: tuple[int, int] | None = None,
) -> Analysis:
    """Search a position that is not over; scores outside `window`, in hundredths, are bounds."""
    table.begin_search()
    nodes = request.limits.nodes or UNLIMITED_NODES
    threads = min(threads, nodes)
    searchers = [
        backend.searcher(request.position, table, nodes // threads) for _ in range(threads)
    ]
    steps = backend.iterations
    return IterativeDeepening(request, searchers, steps, table.hashfull, window).run(on_info)


class IterativeDeepening:
    """The state of one analysis of a position that is not over."""

    def __init__(
        self,
        request: SearchRequest,
        searchers: Sequence[Searcher],
        steps: Callable[..., Sequence[Iteration]],
        hashfull: Callable[[], int],
        window: tuple[int, int] | None = None,
        by: SearchedBy = "engine",
    ) -> None:
        """`searchers` has a searcher for each thread; for `steps`, see `Backend.iterations`."""
        self._request = request
        self._main, *self._helpers = searchers
        self._steps = steps
        self._hashfull = hashfull
        self._low, self._high = window or (-INFINITY, INFINITY)
        self._by = by
        self._moves = request.position.moves()
        self._multipv = min(request.multipv, len(self._moves))
        self._best = self._moves[0]

    def run(self, on_info: Listener | None) -> Analysis:
        limits, stop = self._request.limits, self._request.stop
        infos: tuple[AnalysisLine, ...] = ()
        remaining = self._request.position.plies_left
        deepest = max(1, min(limits.depth or remaining, remaining))
        first, *steps = self._steps(remaining, deepest, may_run_out=limits.may_run_out)
        # The first iteration cannot be stopped, so there is always a move.
        lines = self._iterate(first, ())
        self._main.use_stop(stop)
        with self._helped(steps):
            for step in (*steps, None):
                if not lines:
                    break
                self._best = lines[0].moves[0]
                infos = report(
                    *(lines, remaining),
                    nodes=self._nodes(),
                    time=self._request.elapsed,
                    hashfull=self._hashfull(),
                )
                if on_info:
                    for info in infos:
                        on_info(info)
                if step is None or self._is_over(lines):
                    break
                lines = self._iterate(step, lines)
        if limits.infinite:
            stop.wait()
        return Analysis(self._best, infos, self._nodes(), self._request.elapsed, self._by)

    def _is_over(self, lines: tuple[RootLine, ...]) -> bool:
        request = self._request
        return (
            request.stop.is_set
            or all(line.ends_within_depth for line in lines)
            or request.is_forced
            or request.elapsed >= request.budget.soft
        )

    def _iterate(self, step: Iteration, previous: tuple[RootLine, ...]) -> tuple[RootLine, ...]:
        """Return the best lines of an iteration, best first; none if it was cut short.

        If it was cut short, `_best` is still valid. It is the previous best move, or a better move
        that this iteration found in time.
        """
        lines: list[RootLine] = []
        for number in range(self._multipv):
            taken = {line.moves[0] for line in lines}
            hints = (line for line in previous if line.moves[0] not in taken)
            self._main.exclude(taken)
            line = self._search_line(self._main, step, next(hints, None))
            if number == 0 and self._main.root_move is not None:
                self._best = self._main.root_move
            if line is None:
                return ()
            lines.append(line)
        return tuple(sorted(lines, key=lambda line: line.score, reverse=True))

    def _search_line(
        self, searcher: Searcher, step: Iteration, hint: RootLine | None
    ) -> RootLine | None:
        """Search with aspiration windows around the last score; return None if cut short."""
        searcher.root_move = None if hint is None else hint.moves[0]
        low, high, width = self._low, self._high, WINDOW
        if hint is not None and step.depth >= WINDOW_DEPTH and abs(hint.score) <= MAX_ESTIMATE:
            low, high = self._clamp(hint.score - width, hint.score + width)
        while True:
            score = searcher.search(step, low, high)
            if searcher.aborted:
                return None
            is_found = low < score < high or score <= self._low or score >= self._high
            if is_found:
                return RootLine(step, score, searcher.principal_variation())
            width *= WIDENING
            is_wide = width > WIDEST or abs(score) > MAX_ESTIMATE
            if score <= low:
                low = -INFINITY if is_wide else score - width
            else:
                high = INFINITY if is_wide else score + width
            low, high = self._clamp(low, high)

    def _clamp(self, low: int, high: int) -> tuple[int, int]:
        return max(self._low, min(low, self._high - 1)), min(self._high, max(high, self._low + 1))

    @contextmanager
    def _helped(self, steps: Sequence[Iteration]) -> Iterator[None]:
        stop = Stop()
        threads = [
            threading.Thread(target=self._help, args=(searcher, stop, steps[number % 2 :]))
            for number, searcher in enumerate(self._helpers)
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def _help(self, searcher: Searcher, stop: Stop, steps: Sequence[Iteration]) -> None:
        searcher.use_stop(stop)
        line: RootLine | None = None
        for step in steps:
            line = self._search_line(searcher, step, line)
            if line is None:
                return

    def _nodes(self) -> int:
        return self._main.nodes + sum(searcher.nodes for searcher in self._helpers)


def evaluate(backend: Backend, position: Position) -> EngineScore:
    """Return the static evaluation, or the result of a finished game."""
    evaluate_root = load(backend.program()).evaluate_root
    score = evaluate_root(*map(int, backend.board()), *position.words())
    return to_score(score, is_exact=position.is_over)
