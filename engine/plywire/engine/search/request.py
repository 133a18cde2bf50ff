"""One analysis that is asked for."""

import time
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
    """Ends the analysis; set when the time of the budget is over, too."""
    began: float
    """The `time.monotonic()` from which its time counts."""
    budget: Budget
    """How much time the limits leave."""

    def __post_init__(self) -> None:
        self.stop.set_at(self.began + self.budget.hard / 1000)

    @property
    def elapsed(self) -> int:
        """The time since the analysis began, in ms."""
        return int((time.monotonic() - self.began) * 1000)

    @property
    def is_forced(self) -> bool:
        """Whether there is but one move, and a clock that runs."""
        limits = self.limits
        return limits.is_timed and not limits.infinite and len(self.position.moves()) == 1
