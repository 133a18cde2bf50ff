"""Bounds of a score that a solver has proven."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """The proven range of a score: at least `lower` and at most `upper`."""

    lower: int
    upper: int

    @property
    def is_exact(self) -> bool:
        return self.lower == self.upper

    @property
    def sign(self) -> int | None:
        """1 if the player to move wins, 0 for a draw, -1 for a loss, None if unknown."""
        if self.lower > 0:
            return 1
        if self.upper < 0:
            return -1
        return 0 if self.is_exact else None

    def __neg__(self) -> Bounds:
        return Bounds(-self.upper, -self.lower)

    def and_(self, other: Bounds) -> Bounds:
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))


class StoppedError(RuntimeError):
    """The solver was stopped, or ran out of nodes, before the score was known."""

    def __init__(self, bounds: Bounds) -> None:
        super().__init__(f"stopped: the score is from {bounds.lower} to {bounds.upper}")
        self.bounds = bounds
