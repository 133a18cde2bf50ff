"""The limits of a search."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClockTimes:
    """The time left to each player; raises ValueError if a time is negative."""

    p1: int
    """Time left to player 1, in ms."""
    p2: int
    """Time left to player 2, in ms."""
    inc1: int = 0
    """Time that player 1 gains after each move, in ms."""
    inc2: int = 0
    """Time that player 2 gains after each move, in ms."""

    def __post_init__(self) -> None:
        for name in ("p1", "p2", "inc1", "inc2"):
            _at_least(0, name, getattr(self, name))

    def of(self, turn: int) -> tuple[int, int]:
        """Return the time left and the increment of a player, 0 or 1, in ms."""
        return (self.p1, self.inc1) if turn == 0 else (self.p2, self.inc2)


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The limits of a search, which ends at the first limit or when the result is proven."""

    movetime: int | None = None
    """Time for this move, in ms."""
    depth: int | None = None
    """The deepest iteration, in plies; at least 1. Passes cost no depth."""
    nodes: int | None = None
    """Maximum number of positions to visit, by all threads together; at least 1."""
    clock: ClockTimes | None = None
    """Game clocks; the time manager decides how much time the move gets."""
    infinite: bool = False
    """Return only when stopped or out of time, even after the result is proven."""

    def __post_init__(self) -> None:
        for name, least in (("movetime", 0), ("depth", 1), ("nodes", 1)):
            value = getattr(self, name)
            if value is not None:
                _at_least(least, name, value)

    @property
    def is_timed(self) -> bool:
        return self.movetime is not None or self.clock is not None

    @property
    def may_run_out(self) -> bool:
        return self.is_timed or self.nodes is not None

    @property
    def is_for_play(self) -> bool:
        """Whether there are limits of time alone, so that a book may give the move."""
        return self.is_timed and self.depth is None and self.nodes is None and not self.infinite


def _at_least(least: int, name: str, value: int) -> None:
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
