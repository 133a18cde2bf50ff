"""The contract between iterative deepening and the search below it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from .stop import Stop


@dataclass(frozen=True, slots=True)
class Iteration:
    """One of the steps in which a search deepens."""

    depth: int
    """In plies; passes cost none."""
    confidence: int = 100
    """How sure a search that prunes on suspicion is of each cut, in percent; 100 if it does not."""


class Searcher(Protocol):
    """What one thread searches one position with."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    def aborted(self) -> bool:
        """Whether the last search was cut short, so that its score means nothing."""

    @property
    def remaining(self) -> int:
        """How many plies, passes not counted, the game can last at most; after a search."""

    root_move: int
    """The best root move so far; before a search, the one to try first, or NO_MOVE."""

    def use_stop(self, stop: Stop) -> None:
        """Let that token end the searches from now on; before the first, none does."""

    def exclude(self, moves: Iterable[int]) -> None:
        """Leave these moves out at the root."""

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        """The score for the side to move: exact between the bounds, else at most or at least that.

        A win or loss is told by `WIN` less the plies to it, see `compiled/contract.py`.
        """

    def principal_variation(self) -> tuple[int, ...]:
        """The line found by the last search."""
