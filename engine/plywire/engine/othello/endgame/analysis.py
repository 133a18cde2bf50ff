"""The solver as the engine knows it: one analysis of an endgame under limits.

A short heuristic search comes first: it finds a move to fall back on and guesses the score, which
tells the solver where to begin.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from plywire.engine.analysis import Analysis, Info, Score
from plywire.engine.bounds import StoppedError
from plywire.engine.crew import UNLIMITED
from plywire.engine.exact import ExactSolver, Task
from plywire.engine.othello.endgame.reach import empty_squares
from plywire.engine.othello.endgame.solver import Solver
from plywire.engine.othello.rules import OthelloPosition
from plywire.engine.search.deadline import DEADLINES
from plywire.engine.search.timing import UNLIMITED as ALL_THE_TIME
from plywire.engine.search.timing import time_limit

#: With so few empty squares, solving takes less time than guessing.
_SOLVED_AT_ONCE = 10
#: Nodes of the heuristic search where so many squares are empty, and by how much each more grows.
_GUESS_NODES = 2_000
_GUESS_GROWTH = 1.3


class EndgameSolver(ExactSolver):
    """Exact analyses of Othello endgames."""

    def __init__(self, hash_mb: int, threads: int) -> None:
        """A solver with a table of that many MB that solves in that many threads.

        Raises ValueError if there is no memory for the table.
        """
        self._solver = Solver(table_mb=hash_mb, threads=threads)

    def analyse(self, task: Task, on_info: Callable[[Info], None]) -> Analysis:
        """Find the score; multipv lines are the scores of the best moves."""
        return _Analysis(self._solver, task, on_info).run()

    def clear(self) -> None:
        """Forget what was learnt."""
        self._solver.clear()


class _Analysis:
    """What lives as long as one analysis."""

    def __init__(self, solver: Solver, task: Task, on_info: Callable[[Info], None]) -> None:
        if not isinstance(task.position, OthelloPosition):
            raise TypeError(f"not an Othello position: {task.position!r}")
        self._solver = solver
        self._task = task
        self._position = task.position
        self._on_info = on_info
        self._nodes_before = solver.nodes
        self._estimated = 0
        self._moves = task.position.moves()
        self._best = self._moves[0]
        self._guess = -1
        self._lines: tuple[Info, ...] = ()

    def run(self) -> Analysis:
        """Analyse until the scores asked for are proven or a limit is met."""
        task = self._task
        empty = empty_squares(self._position)
        limit = time_limit(task.limits, self._position.turn, empty)
        is_timed = limit is not ALL_THE_TIME and not task.limits.infinite
        is_quick = empty <= _SOLVED_AT_ONCE
        with DEADLINES.at(task.began + limit.hard / 1000, task.stop):
            if not is_quick:
                self._estimate(int(_GUESS_NODES * _GUESS_GROWTH ** (empty - _SOLVED_AT_ONCE)))
            if is_quick or len(self._moves) > 1 or not is_timed:
                self._solve(empty)
            if not self._lines:
                self._estimate(_GUESS_NODES)
            if task.limits.infinite:
                task.stop.wait()
        return Analysis(self._best, self._lines, self._nodes, self._elapsed())

    def _estimate(self, nodes: int) -> None:
        """Find a move by heuristic search, which there is also when time is up already."""
        analysis = self._task.estimate(max(min(nodes, self._nodes_left // 2), 1))
        self._estimated += analysis.nodes
        if analysis.best is not None:
            self._best = analysis.best
        if analysis.score is not None:
            value = analysis.score.value
            self._guess = round(value / 100) if analysis.score.kind == "cp" else value
        self._tell(tuple(self._at_present(line) for line in analysis.lines))

    def _solve(self, empty: int) -> None:
        """Prove the score, and those of the other moves where they are asked for."""
        task = self._task
        guess = max(min(self._guess - 1, 63), -64)
        found, move = self._solver.prove(
            self._position, guess=guess, nodes=self._nodes_left, stop=task.stop
        )
        if not found.is_exact:
            # What is proven to be better than guessed is better than what the guess rests on.
            if move is not None and found.lower >= self._guess:
                self._best = move
            return
        score = found.lower
        try:
            self._best = move = self._solver.move_worth(
                self._position, score, nodes=self._nodes_left, stop=task.stop
            )
            scores = {move: score}
            if task.multipv > 1:
                scores |= {move: self._score_of(move) for move in self._moves if move != self._best}
        except StoppedError:
            scores = {self._best: score}
        ranked = sorted(scores, key=lambda move: (-scores[move], move != self._best))
        self._tell(
            tuple(
                self._line(number, move, scores[move], empty)
                for number, move in enumerate(ranked[: task.multipv], 1)
            )
        )

    def _score_of(self, move: int) -> int:
        found = self._solver.bounds(
            self._position.play(move), nodes=self._nodes_left, stop=self._task.stop
        )
        if not found.is_exact:
            raise StoppedError(found)
        return -found.lower

    def _line(self, number: int, move: int, score: int, depth: int) -> Info:
        rest = self._solver.principal_variation(
            self._position.play(move), -score, nodes=self._nodes_left, stop=self._task.stop
        )
        worth = Score("exact", score) if score else Score("draw")
        hashfull = self._solver.hashfull()
        return self._at_present(Info(depth, worth, 0, 0, hashfull, number, (move, *rest)))

    def _tell(self, lines: tuple[Info, ...]) -> None:
        if lines:
            self._lines = lines
            for line in lines:
                self._on_info(line)

    def _at_present(self, line: Info) -> Info:
        return replace(line, nodes=self._nodes, time=self._elapsed())

    @property
    def _nodes(self) -> int:
        return self._solver.nodes - self._nodes_before + self._estimated

    @property
    def _nodes_left(self) -> int:
        limit = self._task.limits.nodes
        return UNLIMITED if limit is None else max(limit - self._nodes, 0)

    def _elapsed(self) -> int:
        return int((time.monotonic() - self._task.began) * 1000)
