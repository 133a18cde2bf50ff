"""Time as the server sees it: a seam where tests put a clock that they turn themselves."""

import asyncio
from contextlib import suppress
from typing import Protocol

from plywire.clients.play.matches.clock import RefereeClock, RunningClock

#: Seconds for which clocks stand still after a long pause: those who hung up meanwhile come back.
_SETTLING = 10.0


class Clock(RefereeClock, Protocol):
    """Tells the time and waits."""

    async def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""


class MonotonicClock(RunningClock):
    """The clock of the machine, as referees see it."""

    def __init__(self) -> None:
        """Notice no pauses before a game is played."""
        super().__init__(settling=_SETTLING)

    async def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""
        with suppress(TimeoutError):
            async with self.timeout(seconds):
                await asyncio.Event().wait()
