"""The contract of a solver: what a game brings along if its positions can be solved exactly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from plywire.engine.analysis import Analysis, Info
from plywire.engine.game import Position
from plywire.engine.limits import Limits

from .stop import Stop


@dataclass(frozen=True, slots=True)
class Task:
    """One analysis that a solver is asked for."""

    position: Position
    """In which the game goes on."""
    limits: Limits
    multipv: int
    """How many of the best moves to report."""
    stop: Stop
    """Ends the analysis."""
    began: float
    """The `time.monotonic()` from which its time counts."""
    estimate: Callable[[int], Analysis]
    """Searches the position heuristically, visiting that many nodes, for a move to fall back on."""


class ExactSolver(ABC):
    """Solves positions of one game at one board size; one at a time."""

    @abstractmethod
    def analyse(self, task: Task, on_info: Callable[[Info], None]) -> Analysis:
        """Find exact scores; what is still unproven when time is up falls back on estimates.

        Keeps all limits but the depth: it is not asked where that ends the search before the game.
        `on_info` is called in the calling thread.
        """

    @abstractmethod
    def clear(self) -> None:
        """Forget what was learnt."""
