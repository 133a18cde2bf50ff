"""How long a search may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clock:
    """The time left to each player."""

    p1: int
    """Time left to the first player, in ms."""
    p2: int
    """Time left to the second player, in ms."""
    inc1: int = 0
    """What the first player gains after each move, in ms."""
    inc2: int = 0
    """What the second player gains after each move, in ms."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at the first of the limits given, or when the result is proven."""

    movetime: int | None = None
    """Time for this move, in ms."""
    depth: int | None = None
    """Deepest iteration, in plies."""
    nodes: int | None = None
    """Positions to visit at most."""
    clock: Clock | None = None
    """Game clocks; the time manager decides how much of the mover's to spend."""
    infinite: bool = False
    """Return only when stopped, even after the result is proven."""
