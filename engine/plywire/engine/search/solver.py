"""The contract of a solver: what a game brings along if its positions can be solved exactly."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from plywire.engine.analysis import Analysis, AnalysisLine

from .request import SearchRequest


class ExactSolver(ABC):
    """Solves positions of one game at one board size; one at a time."""

    @abstractmethod
    def analyse(
        self,
        request: SearchRequest,
        estimate: Callable[[int], Analysis],
        on_info: Callable[[AnalysisLine], None],
    ) -> Analysis:
        """Find exact scores; what is still unproven when time is up falls back on estimates.

        `estimate` searches the position heuristically, visiting that many nodes, for a move to fall
        back on.

        Keeps all limits but the depth: it is not asked where that ends the search before the game.
        `on_info` is called in the calling thread.
        """

    @abstractmethod
    def clear(self) -> None:
        """Forget what was learnt."""
