"""One analysis that is asked for."""

from dataclasses import dataclass

from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits

from .stop import Stop
from .time_management import Budget


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to analyse, and what ends it."""

    position: Position
    """In which the game goes on."""
    limits: SearchLimits
    multipv: int
    """How many of the best moves to report."""
    stop: Stop
    """Ends the analysis."""
    began: float
    """The `time.monotonic()` from which its time counts."""
    budget: Budget
    """How much time the limits leave."""
