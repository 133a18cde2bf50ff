"""Suites of positions with known scores: each line holds the moves so far, and the score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4Position
from plywire.engine.game import Game, RulesError, quoted
from plywire.engine.search.suite import Suite, SuiteReport

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

    def __str__(self) -> str:
        return (
            f"{self.positions} positions, CPU ms mean {self.mean_ms:.4f} max {self.max_ms:.2f}, "
            f"nodes mean {self.mean_nodes:.0f}, knodes/s {self.knps:.0f}, "
            f"mismatches {self.mismatches}"
        )


def read(game: Game, lines: Iterable[str]) -> list[Case]:
    """Read a suite; raise RulesError, with the number of the line, if a line is invalid."""
    cases = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words:
            continue
        try:
            # The line of the empty board holds only a score, because there are no moves.
            moves, score = words if len(words) > 1 else ("", words[0])
            positions = [game.start(), *game.start().play_names(moves)]
            cases.append(Case(moves, cast(Connect4Position, positions[-1]), int(score)))
        except ValueError as error:
            reason = error if isinstance(error, RulesError) else f"no score in {quoted(line)}"
            raise RulesError(f"line {number}: {reason}") from None
    return cases


def run(solver: Solver, cases: Sequence[Case]) -> Iterator[SuiteResult]:
    """Solve positions, each on an empty table; yield the results so far after each of them."""
    seconds: list[float] = []
    mismatches = 0
    nodes_before = solver.nodes
    for case in cases:
        found, took = solver.timed(case.position)
        seconds.append(took)
        mismatches += not found.is_exact or found.lower != case.score
        nodes = solver.nodes - nodes_before
        total = max(sum(seconds), 1e-9)
        yield SuiteResult(
            positions=len(seconds),
            mean_ms=total / len(seconds) * 1e3,
            max_ms=max(seconds) * 1e3,
            mean_nodes=nodes / len(seconds),
            knps=nodes / total / 1e3,
            mismatches=mismatches,
        )


class Connect4Suite(Suite):
    """A suite of lines with moves and a score."""

    def __init__(self, game: Game, *, table_mb: int, threads: int, book: bool) -> None:
        size = game.width, game.height
        known = shipped_book(*size) if book else None
        self._solver = Solver(*size, table_mb=table_mb, threads=threads, book=known)

    @classmethod
    def read(cls, game: Game, lines: Iterable[str]) -> list[Case]:
        return read(game, lines)

    def run(self, problems: Sequence[Case], first: int) -> Iterator[SuiteReport | None]:
        """Yield None after each position, but after the last, one report of all positions."""
        for done, result in enumerate(run(self._solver, problems), 1):
            yield None if done < len(problems) else SuiteReport(str(result), asdict(result))
