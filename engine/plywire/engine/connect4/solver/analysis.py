"""The solver as the engine knows it: one analysis under limits, exact where time allows.

The score's sign is proven first, then the distance. While neither is known, rounds of solving
alternate with rounds of heuristic search, each a few times longer than the last; so whenever time
runs out there is a move to play, and the solver has had most of the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4Position
from plywire.engine.search.bounds import Bounds, StoppedError
from plywire.engine.search.request import SearchRequest
from plywire.engine.search.solver import ExactSolver
from plywire.engine.search.solver_threads import UNLIMITED

from .solver import GREATEST_SCORE, Solver

#: Nodes of the first round; most positions of a game are solved in it.
_FIRST_ROUND = 20_000
_GROWTH = 4
#: Nodes solved for each node searched heuristically.
_SOLVING_SHARE = 4
#: Nodes for a principal variation: what the table does not hold of it is left out.
_LINE_NODES = 20_000


class Connect4Solver(ExactSolver):
    """Exact analyses of Connect Four at one board size."""

    def __init__(
        self, width: int, height: int, hash_mb: float, threads: int, *, book: bool = True
    ) -> None:
        """A solver with a table of that many MB that solves in that many threads.

        Raises ValueError if there is no memory for the table.
        """
        self._solver = Solver(
            width,
            height,
            table_mb=hash_mb,
            threads=threads,
            book=shipped_book(width, height) if book else None,
        )

    def analyse(
        self,
        request: SearchRequest,
        estimate: Callable[[int], Analysis],
        on_info: Callable[[AnalysisLine], None],
    ) -> Analysis:
        """Prove the sign, then the distance; multipv lines are the scores of the moves."""
        return _Analysis(self._solver, request, estimate, on_info).run()

    def clear(self) -> None:
        """Forget what was learnt."""
        self._solver.clear()


class _Analysis:
    """What lives as long as one analysis."""

    def __init__(
        self,
        solver: Solver,
        request: SearchRequest,
        estimate: Callable[[int], Analysis],
        on_info: Callable[[AnalysisLine], None],
    ) -> None:
        if not isinstance(request.position, Connect4Position):
            raise TypeError(f"not a Connect Four position: {request.position!r}")
        self._solver = solver
        self._request = request
        self._estimate_in = estimate
        self._position = request.position
        self._moves = request.position.moves()
        self._multipv = min(request.multipv, len(self._moves))
        self._on_info = on_info
        self._nodes_before = solver.nodes
        self._estimated = 0
        self._best = self._moves[0]
        self._is_safe = False
        self._proven = Bounds(-GREATEST_SCORE, GREATEST_SCORE)
        self._lines: tuple[AnalysisLine, ...] = ()

    def run(self) -> Analysis:
        """Analyse until all is proven or a limit is met."""
        request = self._request
        empty = self._position.plies_left
        has_no_choice = len(self._moves) == 1 and request.limits.is_timed
        request.stop.set_at(request.began + request.budget.hard / 1000)
        if not has_no_choice or request.limits.infinite:
            self._prove(empty)
        if request.limits.infinite:
            request.stop.wait()
        return Analysis(self._best, self._lines, self._nodes, self._elapsed())

    def _prove(self, empty: int) -> None:
        nodes = _FIRST_ROUND
        self._solve(nodes)
        if not self._proven.is_exact:
            # Also when time is up already: there has to be a move.
            self._estimate(nodes)
        while not self._proven.is_exact and self._may_go_on:
            nodes *= _GROWTH
            self._solve(nodes)
            if not self._is_safe and not self._proven.is_exact and self._may_go_on:
                self._estimate(nodes)
        self._report(empty)

    @property
    def _may_go_on(self) -> bool:
        return not self._request.stop.is_set and self._nodes_left > 1

    @property
    def _nodes_left(self) -> int:
        limit = self._request.limits.nodes
        return UNLIMITED if limit is None else max(limit - self._nodes, 0)

    def _solve(self, nodes: int) -> None:
        """Prove the sign, then the score, visiting that many nodes at most for each."""
        for floor, ceiling in ((-1, 1), (-GREATEST_SCORE, GREATEST_SCORE)):
            if self._proven.is_exact or not self._may_go_on:
                return
            budget = min(nodes, self._nodes_left // 2)
            if budget == 0:
                return
            found = self._solver.bounds(
                self._position, floor=floor, ceiling=ceiling, nodes=budget, stop=self._request.stop
            )
            proven = self._proven.and_(found)
            if proven.lower > self._proven.lower or proven.is_exact:
                self._choose(proven)
            self._proven = proven
            if self._proven.sign is None:
                return

    def _choose(self, proven: Bounds) -> None:
        """Play a move that is worth what is proven, unless that is a loss that may be avoided."""
        if proven.lower < 0 and not proven.is_exact:
            return
        with suppress(StoppedError):
            self._best = self._solver.move_worth(
                self._position, proven.lower, nodes=self._nodes_left // 2, stop=self._request.stop
            )
            self._is_safe = True

    def _estimate(self, nodes: int) -> None:
        """Look for a move by heuristic search."""
        nodes = max(min(nodes // _SOLVING_SHARE, self._nodes_left), 1)
        analysis = self._estimate_in(nodes)
        self._estimated += analysis.nodes
        depth = self._lines[0].depth if self._lines else 0
        if analysis.best is not None and analysis.depth >= depth and not self._is_safe:
            self._best = analysis.best
            if analysis.depth > depth:
                self._lines = tuple(self._at_present(line) for line in analysis.lines)
                self._notify()

    def _report(self, empty: int) -> None:
        """Give the best lines with their scores, as far as these are proven."""
        proven = self._proven
        if proven.is_exact:
            self._lines = self._exact_lines(proven.lower, empty)
        elif proven.sign == 1 and self._is_safe:
            self._lines = (self._line(1, self._best, proven.lower, empty - 1),)
        elif proven.sign == -1:
            self._lines = (self._line(1, self._best, proven.upper, empty - 1),)
        else:
            return
        self._notify()

    def _exact_lines(self, score: int, empty: int) -> tuple[AnalysisLine, ...]:
        scores = {self._best: score}
        if self._multipv > 1:
            for move in self._moves:
                nodes = self._nodes_left
                child = self._position.play(move)
                found = self._solver.bounds(child, nodes=nodes, stop=self._request.stop)
                if not found.is_exact or nodes == 0:
                    return (self._line(1, self._best, score, empty),)
                scores[move] = -found.lower
        ranked = sorted(scores, key=lambda move: (-scores[move], move != self._best))
        return tuple(
            self._line(number, move, scores[move], empty)
            for number, move in enumerate(ranked[: self._multipv], 1)
        )

    def _line(self, number: int, move: int, score: int, depth: int) -> AnalysisLine:
        """The line of a move, of which that score is proven or, in a win or loss, a bound."""
        child = self._position.play(move)
        rest = self._solver.principal_variation(
            child, score=-score, nodes=min(_LINE_NODES, self._nodes_left), stop=self._request.stop
        )
        plies = self._solver.distance(self._position, score)
        worth = (
            EngineScore("win", plies)
            if score > 0
            else EngineScore("loss", plies)
            if score
            else EngineScore("draw")
        )
        hashfull = self._solver.hashfull()
        return self._at_present(AnalysisLine(depth, worth, 0, 0, hashfull, number, (move, *rest)))

    def _notify(self) -> None:
        for line in self._lines:
            self._on_info(line)

    def _at_present(self, line: AnalysisLine) -> AnalysisLine:
        return replace(line, nodes=self._nodes, time=self._elapsed())

    @property
    def _nodes(self) -> int:
        return self._solver.nodes - self._nodes_before + self._estimated

    def _elapsed(self) -> int:
        return int((time.monotonic() - self._request.began) * 1000)
