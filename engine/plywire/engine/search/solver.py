"""The contract of a solver, for games whose positions can be solved exactly."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from plywire.engine.analysis import Analysis, AnalysisLine

from .request import SearchRequest


class ExactSolver(ABC):
    """Solves positions of one game at one board size, one at a time."""

    @abstractmethod
    def analyse(
        self,
        request: SearchRequest,
        estimate: Callable[[int], Analysis],
        on_info: Callable[[AnalysisLine], None],
    ) -> Analysis:
        """Find exact scores; when time is up, estimates replace scores that are not proven.

        `estimate` takes a number of nodes, and runs a heuristic search. All limits but the depth
        apply. `on_info` is called in the calling thread.
        """

    @abstractmethod
    def clear(self) -> None:
        """Forget all results."""


class PositionSolver(Protocol):
    """Finds scores as plain numbers, without limits; each game defines what its scores count."""

    def score(self, position: Any, *, weak: bool = False) -> int:
        """Return the score of a position, or only its sign if `weak`."""

    def scores(self, position: Any, *, weak: bool = False) -> Sequence[int | None]:
        """Return the worth of each move, in the order of columns; None for a full column."""
