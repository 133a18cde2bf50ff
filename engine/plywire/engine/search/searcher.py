"""The contract between iterative deepening and the search below it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .stop import Stop

#: More nodes than any search visits.
UNLIMITED_NODES = (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class Iteration:
    """One of the steps in which a search deepens."""

    depth: int
    """In plies; passes cost none."""
    confidence: int = 100
    """How sure a search that prunes on suspicion is of each cut, in percent; 100 if it does not."""


def every_depth(remaining: int, deepest: int, *, may_run_out: bool) -> Sequence[Iteration]:
    """Steps that search one ply more each, down to the deepest; see `Backend.iterations`."""
    return [Iteration(depth) for depth in range(1, deepest + 1)]


class Searcher(Protocol):
    """Searches one position, in one thread."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    def aborted(self) -> bool:
        """Whether the last search was cut short, so that its score means nothing."""

    root_move: int | None
    """The best root move so far; before a search, the one to try first, if any."""

    def use_stop(self, stop: Stop) -> None:
        """Let that token end the searches from now on. Before, no token does."""

    def exclude(self, moves: Iterable[int]) -> None:
        """Leave these moves out at the root."""

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        """The score for the side to move: exact between the bounds, else at most or at least that.

        A win or a loss is `WIN` less the plies to it; see `compiled/contract.py`.
        """

    def principal_variation(self) -> tuple[int, ...]:
        """The line found by the last search, at least its first move."""
