"""Solves a suite of problems whose scores are known."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from plywire.engine.game import Game
from plywire.engine.readiness import prepare
from plywire.engine.search.suite import Suite, SuiteReport

from . import obf
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


class OthelloSuite(Suite):
    """A suite of OBF lines; there is no book of endgames."""

    def __init__(self, game: Game, *, table_mb: int, threads: int, book: bool) -> None:
        self._solver = Solver(table_mb=table_mb, threads=threads)

    @classmethod
    def read(cls, game: Game, lines: Iterable[str]) -> list[Problem]:
        return obf.read(lines)

    def run(self, problems: Sequence[Problem], first: int) -> Iterator[SuiteReport | None]:
        found = []
        for number, solved in enumerate(run(self._solver, problems), first):
            found.append(solved)
            yield SuiteReport(
                f"#{number} {solved.empty} empty, score {solved.score:+d}"
                f"{'' if solved.is_right else ' WRONG'}, {solved.seconds:.3f} s, "
                f"CPU {solved.cpu_seconds:.3f} s, {solved.nodes:,} nodes: {solved.line}",
                {"number": number, **asdict(solved)},
            )
        wrong = sum(not solved.is_right for solved in found)
        seconds = sum(solved.seconds for solved in found)
        cpu = sum(solved.cpu_seconds for solved in found)
        nodes = sum(solved.nodes for solved in found)
        total = {"positions": len(found), "wrong": wrong, "seconds": seconds, "cpu_seconds": cpu}
        yield SuiteReport(
            f"{len(found)} positions, {wrong} wrong, {seconds:.3f} s, CPU {cpu:.3f} s, "
            f"{nodes:,} nodes, {nodes / max(cpu, 1e-9):,.0f} nodes/s of CPU",
            {**total, "nodes": nodes},
        )
