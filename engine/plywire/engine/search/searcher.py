"""The contract between iterative deepening and a search."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .stop import Stop

UNLIMITED_NODES = (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class Iteration:
    """One of the steps in which a search deepens."""

    depth: int
    """The depth in plies; passes cost none."""
    confidence: int = 100
    """The certainty of each cut that rests on an estimate, in percent; 100 without such cuts."""


def every_depth(remaining: int, deepest: int, *, may_run_out: bool) -> Sequence[Iteration]:
    """Return iterations that each search one ply more, down to the deepest."""
    return [Iteration(depth) for depth in range(1, deepest + 1)]


class Searcher(Protocol):
    """Searches one position in one thread."""

    @property
    def nodes(self) -> int:
        """The number of positions visited so far."""

    @property
    def aborted(self) -> bool:
        """Whether the last search was cut short; its score is then meaningless."""

    root_move: int | None
    """The best root move so far; before a search, the move to try first, if any."""

    def use_stop(self, stop: Stop) -> None:
        """Let this token stop searches from now on; before the first call, no token does."""

    def exclude(self, moves: Iterable[int]) -> None:
        """Leave these moves out at the root."""

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        """Return the score for the player to move: exact between the bounds, otherwise a bound.

        A win or a loss is `WIN` less the plies to it; see `compiled/contract.py`.
        """

    def principal_variation(self) -> tuple[int, ...]:
        """Return the line of the last search, at least its first move."""
