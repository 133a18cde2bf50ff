"""What a solver knows about a score."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proven about a position: its score is at least `lower` and at most `upper`."""

    lower: int
    upper: int

    @property
    def is_exact(self) -> bool:
        """Whether the score is known."""
        return self.lower == self.upper

    @property
    def sign(self) -> int | None:
        """1 if the side to move wins, 0 for a draw, -1 if it loses, None if that is not known."""
        if self.lower > 0:
            return 1
        if self.upper < 0:
            return -1
        return 0 if self.is_exact else None

    def __neg__(self) -> Bounds:
        """The same, seen from the other side."""
        return Bounds(-self.upper, -self.lower)

    def and_(self, other: Bounds) -> Bounds:
        """What is proven if both are."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))


class StoppedError(RuntimeError):
    """The solver was stopped, or ran out of nodes, before the score was known."""

    def __init__(self, bounds: Bounds) -> None:
        super().__init__(f"stopped: the score is from {bounds.lower} to {bounds.upper}")
        self.bounds = bounds
