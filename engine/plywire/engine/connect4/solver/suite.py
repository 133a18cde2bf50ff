"""Suites of positions with known scores: each line holds the moves so far, and the score."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import cast

from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.game import RulesError, quoted

from .solver import Solver


@dataclass(frozen=True, slots=True)
class Case:
    """One position of a suite."""

    moves: str
    position: Connect4Position
    score: int


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """The results of a suite."""

    positions: int
    mean_ms: float
    """The mean CPU time of a position, by all threads."""
    max_ms: float
    mean_nodes: float
    knps: float
    """Thousands of nodes per second of CPU time."""
    mismatches: int
    """The number of positions whose score is not the known one."""


def read(game: Connect4, lines: Iterable[str]) -> list[Case]:
    """Read a suite; raise RulesError, with the number of the line, if a line is invalid."""
    cases = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words:
            continue
        try:
            # The empty board has no moves.
            moves, score = words if len(words) > 1 else ("", words[0])
            positions = [game.start(), *game.start().play_names(moves)]
            cases.append(Case(moves, cast(Connect4Position, positions[-1]), int(score)))
        except ValueError as error:
            reason = error if isinstance(error, RulesError) else f"no score in {quoted(line)}"
            raise RulesError(f"line {number}: {reason}") from None
    return cases


def run(
    solver: Solver, cases: list[Case], on_solved: Callable[[], None] | None = None
) -> SuiteResult:
    """Solve all positions of a suite that is not empty, each on an empty table."""
    seconds: list[float] = []
    mismatches = 0
    nodes_before = solver.nodes
    for case in cases:
        found, took = solver.timed(case.position)
        seconds.append(took)
        mismatches += not found.is_exact or found.lower != case.score
        if on_solved:
            on_solved()
    nodes = solver.nodes - nodes_before
    total = max(sum(seconds), 1e-9)
    return SuiteResult(
        positions=len(cases),
        mean_ms=total / len(cases) * 1e3,
        max_ms=max(seconds) * 1e3,
        mean_nodes=nodes / len(cases),
        knps=nodes / total / 1e3,
        mismatches=mismatches,
    )
