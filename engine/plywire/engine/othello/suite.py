"""Solves a suite of problems whose scores are known."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plywire.engine.readiness import prepare

from .obf import Problem
from .rules import Othello
from .solver import Solver


@dataclass(frozen=True, slots=True)
class Solved:
    """The result of solving one problem."""

    empty: int
    score: int
    line: str
    """The principal variation, to the end of the game."""
    is_right: bool
    """Whether the score is the known one, and the move has that score."""
    nodes: int
    seconds: float
    cpu_seconds: float
    """The CPU time of all threads."""


def run(solver: Solver, problems: Sequence[Problem]) -> Iterator[Solved]:
    """Solve problems, each on an empty table, without timing the loading of kernels."""
    prepare(Othello())
    for problem in problems:
        position = problem.position
        solver.clear()
        nodes, wall, cpu = solver.nodes, time.perf_counter(), time.process_time()
        found = solver.solve(position).lines[0]
        score, line = found.score.value, found.pv
        is_best = problem.scores.get(line[0], score) == problem.best
        yield Solved(
            empty=found.depth,
            score=score,
            line=" ".join(map(position.game.move_name, line)),
            is_right=score == problem.best and is_best,
            nodes=solver.nodes - nodes,
            seconds=time.perf_counter() - wall,
            cpu_seconds=time.process_time() - cpu,
        )
