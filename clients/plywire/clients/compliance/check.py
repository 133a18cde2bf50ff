"""What a check is, and what it works with."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from plywire.engine.game import Game
from plywire.protocol.messages.limits import Clock, Limits

from .checked_engine import CheckedEngine, Subject


@dataclass(frozen=True, slots=True)
class Trial:
    """An engine, the game in which it is tried, and how much is asked of it."""

    subject: Subject
    game: Game
    engine: CheckedEngine
    """The connection to the engine, which has introduced itself."""
    positions: int
    """Number of positions of a game in which the engine has to move."""
    margin: int
    """Most time that a move may come late, in ms."""
    tell: Callable[[str], None]
    """Called with the progress of a long check."""

    @property
    def quick(self) -> Limits:
        """Limits of little time; in GTP no time is below a second."""
        if self.subject.dialect == "gtp":
            return Limits(clock=Clock(p1=1000, p2=1000))
        return Limits(movetime=20)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is tried."""

    name: str
    expected: str
    run: Callable[[Trial], Awaitable[str]]
    """Tries it and says what the engine did; raises FailedError if that is not what is expected,
    InapplicableError if it cannot be tried."""
    is_vital: bool = False
    """Whether nothing that follows can be tried if this fails."""
