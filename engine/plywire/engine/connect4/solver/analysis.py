"""The solver as the engine knows it: one analysis under limits, exact where time allows.

What is proven is kept for each move, and moves are asked about one by one: is this one worth at
least so much? A win and a draw are asked for first, which settles the value of the game at the
least cost; then the distance. A question gets few nodes at first and, while it is open, more in
every round, so that a hard move does not keep an easy one from settling it. Whenever time runs out,
no move is proven to be better than the one that is played.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4Position
from plywire.engine.search.bounds import Bounds
from plywire.engine.search.request import SearchRequest
from plywire.engine.search.solver import ExactSolver
from plywire.engine.search.solver_threads import UNLIMITED

from .solver import GREATEST_SCORE, Solver

#: Nodes for a question about a move in the first round; most need no more.
_FIRST_LOOK = 500
_GROWTH = 4
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
        self._root = solver.known(self._position)
        self._proven = {
            move: -solver.known(self._position.play(move))
            for move in solver.from_the_centre(self._position)
        }
        self._guess: int | None = None
        self._lines: tuple[AnalysisLine, ...] = ()

    def run(self) -> Analysis:
        """Analyse until all is proven or a limit is met."""
        request = self._request
        has_no_choice = len(self._moves) == 1 and request.limits.is_timed
        request.stop.set_at(request.began + request.budget.hard / 1000)
        if not has_no_choice or request.limits.infinite:
            self._prove()
            self._report()
        if request.limits.infinite:
            request.stop.wait()
        return Analysis(self._ranked()[0], self._lines, self._nodes, self._elapsed())

    def _prove(self) -> None:
        """Go on in rounds, with more nodes in each, until all is proven or a limit is met."""
        nodes = _FIRST_LOOK
        while not self._bounds.is_exact:
            for worth in self._questions():
                self._ask(worth, nodes)
            if self._bounds.sign is None:
                # Also when time is up already: there has to be a line.
                self._estimate(nodes)
            else:
                self._measure(nodes)
            if not self._may_go_on:
                return
            nodes *= _GROWTH

    @property
    def _bounds(self) -> Bounds:
        """What some move is known to be worth at least, and what none exceeds."""
        lower = max(known.lower for known in self._proven.values())
        upper = max(known.upper for known in self._proven.values())
        return Bounds(lower, min(upper, self._root.upper))

    def _questions(self) -> tuple[int, ...]:
        """What decides who wins: whether a move is worth 1, and whether one is worth 0."""
        lower, upper = self._bounds.lower, self._bounds.upper
        open_questions = tuple(worth for worth in (1, 0) if lower < worth <= upper)
        return open_questions[:1] if self._root.lower > 0 else open_questions

    def _ask(self, worth: int, nodes: int) -> None:
        """Look for a move that is worth so much, visiting that many nodes at most for each."""
        for move in self._ranked():
            known = self._proven[move]
            if known.lower >= worth:
                return
            if known.upper >= worth:
                found = self._solve(self._position.play(move), nodes, -worth, 1 - worth)
                self._proven[move] = known.and_(-found)
        left = [move for move, known in self._proven.items() if known.upper >= worth]
        if len(left) == 1 and self._root.lower >= worth:
            self._proven[left[0]] = self._proven[left[0]].and_(Bounds(worth, GREATEST_SCORE))

    def _measure(self, nodes: int) -> None:
        """Look for the distance, and for a move that wins as soon or loses as late."""
        nodes_of_all = nodes * len(self._moves)
        found = self._solve(self._position, nodes_of_all, -GREATEST_SCORE, GREATEST_SCORE)
        self._root = self._root.and_(found)
        self._ask(self._root.lower, nodes)

    def _solve(self, position: Connect4Position, nodes: int, floor: int, ceiling: int) -> Bounds:
        """What the solver proves with that many nodes or, at a limit, what it knows already."""
        if not self._may_go_on:
            return self._solver.known(position)
        nodes = min(nodes, self._nodes_left - 1)
        stop = self._request.stop
        return self._solver.bounds(position, floor=floor, ceiling=ceiling, nodes=nodes, stop=stop)

    def _ranked(self) -> list[int]:
        """The moves, best first: by what is proven, then by the estimate, then from the centre.

        While the game may not be lost, all that counts of a loss is that it is one.
        """
        is_lost = self._bounds.upper < 0

        def promise(move: int) -> tuple[int, int, bool]:
            lower, upper = self._proven[move].lower, self._proven[move].upper
            if not is_lost:
                lower, upper = max(lower, -1), max(-1, min(upper, 1))
            return lower, upper, move == self._guess

        return sorted(self._proven, key=promise, reverse=True)

    @property
    def _may_go_on(self) -> bool:
        return not self._request.stop.is_set and self._nodes_left > 1

    @property
    def _nodes_left(self) -> int:
        limit = self._request.limits.nodes
        return UNLIMITED if limit is None else max(limit - self._nodes, 0)

    def _estimate(self, nodes: int) -> None:
        """Look for a move by heuristic search."""
        analysis = self._estimate_in(max(min(nodes, self._nodes_left), 1))
        self._estimated += analysis.nodes
        depth = self._lines[0].depth if self._lines else 0
        if analysis.depth > depth:
            self._guess = analysis.best
            self._lines = tuple(self._at_present(line) for line in analysis.lines)
            self._notify()

    def _report(self) -> None:
        """Give the best lines with their scores, as far as these are proven."""
        proven, best, empty = self._bounds, self._ranked()[0], self._position.plies_left
        if proven.is_exact:
            self._lines = self._exact_lines(best, proven.lower, empty)
        elif proven.sign is not None:
            score = proven.lower if proven.lower > 0 else proven.upper
            self._lines = (self._line(1, best, score, empty - 1),)
        elif self._lines and self._lines[0].pv[0] != best:
            self._lines = (replace(self._lines[0], pv=(best,)),)
        else:
            return
        self._notify()

    def _exact_lines(self, best: int, score: int, empty: int) -> tuple[AnalysisLine, ...]:
        scores = {best: score}
        if self._multipv > 1:
            for move in self._moves:
                nodes = self._nodes_left
                child = self._position.play(move)
                found = self._solver.bounds(child, nodes=nodes, stop=self._request.stop)
                if not found.is_exact or nodes == 0:
                    return (self._line(1, best, score, empty),)
                scores[move] = -found.lower
        ranked = sorted(scores, key=lambda move: (-scores[move], move != best))
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
