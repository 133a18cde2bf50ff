"""A request for one analysis."""

import time
from dataclasses import dataclass

from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits

from .stop import Stop
from .time_management import Budget


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A position to analyse, and the limits of the analysis."""

    position: Position
    """A position that is not over."""
    limits: SearchLimits
    multipv: int
    """The number of best moves to report."""
    stop: Stop
    """Ends the analysis; also set when the budget's time is over."""
    began: float
    """The `time.monotonic()` at which the time starts."""
    budget: Budget
    """The time that the limits leave."""

    def __post_init__(self) -> None:
        self.stop.set_at(self.began + self.budget.hard / 1000)

    @property
    def elapsed(self) -> int:
        return int((time.monotonic() - self.began) * 1000)

    @property
    def is_forced(self) -> bool:
        """Whether there is only one move, and the clock runs."""
        limits = self.limits
        return limits.is_timed and not limits.infinite and len(self.position.moves()) == 1
