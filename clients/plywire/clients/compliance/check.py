"""A check, and what it works with."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from plywire.engine.game import Game
from plywire.protocol.messages.limits import Clock, Limits

from .checked_engine import CheckedEngine, Subject


@dataclass(frozen=True, slots=True)
class Trial:
    """An engine, the game in which it is checked, and the limits of the checks."""

    subject: Subject
    game: Game
    engine: CheckedEngine
    """The connection to the engine, after the greeting."""
    positions: int
    """Number of positions for each game; the engine must move in each position."""
    margin: int
    """Longest time by which a move may be late, in ms."""
    tell: Callable[[str], None]

    @property
    def quick(self) -> Limits:
        """Limits that need little time; in GTP the shortest time is a second."""
        if self.subject.dialect == "gtp":
            return Limits(clock=Clock(p1=1000, p2=1000))
        return Limits(movetime=20)


@dataclass(frozen=True, slots=True)
class Check:
    """One check of an engine."""

    name: str
    expected: str
    run: Callable[[Trial], Awaitable[str]]
    """Return what the engine did.

    Raises FailedError if the engine fails, InapplicableError if the check does not apply to it.
    """
    is_vital: bool = False
    """Whether no later check can run if this one fails."""
