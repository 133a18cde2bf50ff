"""The solver's analysis of a position under limits: exact as far as time allows.

If a limit can end the analysis, two questions come first: is the position won, and is it at least
drawn? Then the analysis asks for the distance to the end of the game. Each open question gets few
nodes at first and more in every round. Once the value is known, the analysis looks for a move with
that value. Whenever time runs out, no move is proven to be better than the chosen one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.connect4.book.book import Book, shipped_book
from plywire.engine.connect4.rules import Connect4Position
from plywire.engine.search.backend import OpeningBook
from plywire.engine.search.bounds import Bounds, StoppedError
from plywire.engine.search.request import SearchRequest
from plywire.engine.search.solver import ExactSolver

from .solver import GREATEST_SCORE, Solver
from .threads import UNLIMITED

#: Number of nodes that a question gets in the first round, for each legal move. Most questions need
#: no more.
FIRST_LOOK = 500
#: Number of nodes that each move gets at first in the search for a best move, once the worth of the
#: position is known.
GLANCE = 64
#: The factor by which the number of nodes grows from round to round.
GROWTH = 4
#: Minimum number of nodes for a heuristic search. To start such a search takes as long as 2,000
#: nodes.
LEAST_ESTIMATE = 2_000
#: Maximum number of nodes for a principal variation. Moves that would need more nodes are left out.
LINE_NODES = 20_000
#: The maximum for a principal variation if a limit can end the search. It is lower, because the
#: search can use the nodes better.
QUICK_LINE_NODES = 1_000


class Connect4Solver(ExactSolver):
    """Exact analyses of Connect Four at one board size."""

    def __init__(
        self,
        width: int,
        height: int,
        hash_mb: float,
        threads: int,
        *,
        book: bool | OpeningBook = True,
    ) -> None:
        """Use the book in the package if `book` is True and there is one of this size.

        Raises ValueError if there is no memory for the table.
        """
        known = shipped_book(width, height) if book is True else book
        self._solver = Solver(
            width,
            height,
            table_mb=hash_mb,
            threads=threads,
            book=known if isinstance(known, Book) else None,
        )
        self._last: _Promise | None = None

    def analyse(
        self,
        request: SearchRequest,
        estimate: Callable[[int], Analysis],
        on_info: Callable[[AnalysisLine], None],
    ) -> Analysis:
        """Prove who wins, then the distance to the end; with multipv, report scores of moves."""
        analysis = _Analysis(self._solver, request, estimate, on_info, self._last)
        result = analysis.run()
        self._last = analysis.promise
        return result

    def clear(self) -> None:
        self._solver.clear()
        self._last = None


@dataclass(frozen=True, slots=True)
class _Promise:
    """A proven lower bound of the game's worth for the player whose move led to `position`.

    Whatever the opponent replies, the player is worth no less."""

    position: Connect4Position
    at_least: int

    def of(self, position: Connect4Position) -> Bounds:
        comes_next = any(self.position.play(move) == position for move in self.position.moves())
        return Bounds(self.at_least if comes_next else -GREATEST_SCORE, GREATEST_SCORE)


class _Analysis:
    """The state of one analysis."""

    def __init__(
        self,
        solver: Solver,
        request: SearchRequest,
        estimate: Callable[[int], Analysis],
        on_info: Callable[[AnalysisLine], None],
        last: _Promise | None,
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
        self._estimate_nodes = 0
        self._root = solver.known(self._position).and_(solver.inherited(self._position))
        if last is not None:
            self._root = self._root.and_(last.of(self._position))
        # The book is not asked about the children, because this takes longer than it saves. If the
        # book holds them, it also knows the position's value and a move that keeps it.
        self._proven = {
            move: -solver.known(self._position.play(move))
            for move in solver.from_the_centre(self._position)
        }
        self._book_move = solver.book_move(self._position)
        self._play_by_book()
        self._guess: int | None = None
        self._lines: tuple[AnalysisLine, ...] = ()

    def run(self) -> Analysis:
        request = self._request
        if not request.is_forced:
            self._prove()
            self._report()
            self._look_ahead()
        if request.limits.infinite:
            request.stop.wait()
        return Analysis(self._ranked()[0], self._lines, self._nodes, request.elapsed)

    @property
    def promise(self) -> _Promise:
        best = self._ranked()[0]
        return _Promise(self._position.play(best), self._proven[best].lower)

    def _play_by_book(self) -> None:
        move, sign = self._book_move, self._root.sign
        if move is not None and sign is not None:
            self._proven[move] = self._proven[move].and_(Bounds(sign, GREATEST_SCORE))

    def _prove(self) -> None:
        if not self._has_limit:
            self._estimate(FIRST_LOOK)  # so a stopped search has a move
            self._measure(UNLIMITED)
        nodes = FIRST_LOOK
        while not self._bounds.is_exact:
            for worth in self._questions():
                self._ask(worth, nodes)
            if self._bounds.sign is None:
                # Nothing is proven, so a heuristic search provides a line, even if time is already
                # up.
                self._estimate(nodes)
            else:
                self._look_ahead()
                self._measure(nodes)
            if not self._may_go_on:
                return
            nodes *= GROWTH

    def _look_ahead(self) -> None:
        """Near the end of the book, spend the remaining time on positions that may come next."""
        if not (self._has_limit and self._may_go_on):
            return
        worth, child = self._bounds.sign, self._position.play(self._ranked()[0])
        if worth is None or child.is_over:
            return
        if not self._solver.is_near_end_of_book(self._position):
            return
        replied = [after for after in map(child.play, child.moves()) if not after.is_over]
        answers, others = [], []
        for after in replied:
            if not self._may_go_on:
                return
            sign, move = self._solver.book_entry(after)
            if sign is None or move is None:
                others.append((after, sign))
            elif not (answer := after.play(move)).is_over:
                answers.append((answer, 1 - sign))
        self._settle(answers)
        if worth >= 0 and any(sign is None for _, sign in others):
            # A proof of the value of our move also proves an answer to each reply.
            self._is_open(child, 1 - worth, UNLIMITED)
        # A reply may be a mistake, so ask whether it gives us more than `worth`.
        self._settle(
            [
                (after, more)
                for more in range(worth + 1, 2)
                for after, sign in others
                if sign is None or sign == more
            ]
        )

    def _settle(self, questions: list[tuple[Connect4Position, int]]) -> None:
        """Search positions until it is proven whether each is worth at least its number."""
        nodes = FIRST_LOOK
        while questions and self._may_go_on:
            questions = [each for each in questions if self._is_open(*each, nodes)]
            nodes *= GROWTH

    def _is_open(self, position: Connect4Position, worth: int, nodes: int) -> bool:
        """Search with `nodes` nodes; return whether it stays open if `worth` is reached."""
        if not self._may_go_on:
            return True
        floor, nodes = worth - 1, min(nodes, self._nodes_left - 1)
        stop = self._request.stop
        found = self._solver.searched(position, floor=floor, ceiling=worth, nodes=nodes, stop=stop)
        return found.lower < worth <= found.upper

    @property
    def _has_limit(self) -> bool:
        """Whether the search may end before all is proven."""
        limits = self._request.limits
        return limits.nodes is not None or limits.infinite or self._request.budget.hard < math.inf

    @property
    def _bounds(self) -> Bounds:
        lower = max(known.lower for known in self._proven.values())
        upper = max(known.upper for known in self._proven.values())
        return Bounds(lower, min(upper, self._root.upper))

    def _questions(self) -> tuple[int, ...]:
        """Return 1, 0 or both: the values for which it is open whether a move reaches them."""
        lower, upper = self._bounds.lower, self._bounds.upper
        questions = tuple(worth for worth in (1, 0) if lower < worth <= upper)
        if self._root.lower > 0:
            return questions[:1]
        # Once a draw is proven, only ask for a drawing move first: most such positions are not won.
        return questions[-1:] if self._root.lower == 0 else questions

    def _ask(self, worth: int, nodes: int) -> None:
        """Ask whether the position is worth at least `worth`; if so, find a move worth as much."""
        look = nodes
        if not self._root.is_exact:
            nodes_of_all = nodes * len(self._moves)
            answer = self._solve(self._position, nodes_of_all, worth - 1, worth)
            self._root = self._root.and_(answer)
            for move, known in self._proven.items():
                child = self._solver.known(self._position.play(move))
                self._proven[move] = known.and_(-child)
            if answer.lower < worth:
                return
            look = GLANCE
        self._find(worth, look, nodes)

    def _find(self, worth: int, look: int, nodes: int) -> None:
        """Look for a move that is worth at least `worth`; such a move must exist.

        All moves that may be best get `look` nodes, then more in each round, up to `nodes`.
        """
        while True:
            for move in self._ranked():
                known = self._proven[move]
                if known.lower >= worth:
                    return
                if known.upper >= self._root.lower:
                    child = self._position.play(move)
                    found = self._solve(child, min(look, nodes), -worth, 1 - worth)
                    self._proven[move] = known.and_(-found)
            left = [move for move, known in self._proven.items() if known.upper >= self._root.lower]
            if len(left) == 1:
                self._proven[left[0]] = self._proven[left[0]].and_(self._root)
            if len(left) == 1 or look >= nodes or not self._may_go_on:
                return
            look *= GROWTH

    def _measure(self, nodes: int) -> None:
        """Ask for the distance to the end, and look for a move with that distance."""
        look = nodes
        if not self._root.is_exact:
            nodes_of_all = nodes * len(self._moves)
            found = self._solve(self._position, nodes_of_all, -GREATEST_SCORE, GREATEST_SCORE)
            self._root = self._root.and_(found)
            look = GLANCE
        self._find(self._root.lower, look, nodes)

    def _solve(self, position: Connect4Position, nodes: int, floor: int, ceiling: int) -> Bounds:
        """Return the bounds that `nodes` nodes prove; if time is up, search no nodes."""
        if not self._may_go_on:
            return self._solver.known(position)
        nodes = min(nodes, self._nodes_left - 1)
        stop = self._request.stop
        return self._solver.bounds(position, floor=floor, ceiling=ceiling, nodes=nodes, stop=stop)

    def _ranked(self) -> list[int]:
        """Sort the moves by bounds, then by the book, the estimate and nearness to the centre.

        If the game is not lost, all losing moves count alike.
        """
        is_lost = self._bounds.upper < 0
        best, most = self._root.lower, self._root.upper

        def promise(move: int) -> tuple[int, int, bool, bool, bool]:
            lower, upper = self._proven[move].lower, min(self._proven[move].upper, most)
            may_be_best = upper >= best
            if not is_lost:
                lower, upper = max(lower, -1), max(-1, min(upper, 1))
            return lower, upper, may_be_best, move == self._book_move, move == self._guess

        return sorted(self._proven, key=promise, reverse=True)

    @property
    def _may_go_on(self) -> bool:
        return not self._request.stop.is_set and self._nodes_left > 1

    @property
    def _nodes_left(self) -> int:
        limit = self._request.limits.nodes
        return UNLIMITED if limit is None else max(limit - self._nodes, 0)

    def _estimate(self, nodes: int) -> None:
        nodes = max(nodes, LEAST_ESTIMATE)
        if nodes <= self._estimate_nodes:
            return
        self._estimate_nodes = nodes
        analysis = self._estimate_in(max(min(nodes, self._nodes_left), 1))
        self._estimated += analysis.nodes
        depth = self._lines[0].depth if self._lines else 0
        if analysis.depth > depth:
            self._guess = analysis.best
            self._lines = tuple(self._at_present(line) for line in analysis.lines)
            self._notify()

    def _report(self) -> None:
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
            stop, nodes = self._request.stop, self._nodes_left - 1
            try:
                worths = self._solver.scores(self._position, nodes=nodes, stop=stop)
            except StoppedError:
                return (self._line(1, best, score, empty),)
            fitting = (worth for worth in worths if worth is not None)
            scores |= zip(self._moves, fitting, strict=True)
        ranked = sorted(scores, key=lambda move: (-scores[move], move != best))
        return tuple(
            self._line(number, move, scores[move], empty)
            for number, move in enumerate(ranked[: self._multipv], 1)
        )

    def _line(self, number: int, move: int, score: int, depth: int) -> AnalysisLine:
        child = self._position.play(move)
        nodes = min(QUICK_LINE_NODES if self._has_limit else LINE_NODES, self._nodes_left)
        rest = self._solver.principal_variation(
            child, score=-score, nodes=nodes, stop=self._request.stop
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
        return replace(line, nodes=self._nodes, time=self._request.elapsed)

    @property
    def _nodes(self) -> int:
        return self._solver.nodes - self._nodes_before + self._estimated
