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
    """In how many positions of a game it has to move."""
    margin: int
    """How far a move may come after its time, in ms."""
    tell: Callable[[str], None]
    """Told how far a long check is."""

    @property
    def quick(self) -> Limits:
        """Little time, in the words of the dialect: GTP tells none below a second."""
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
