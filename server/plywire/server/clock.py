"""The clock of the server. Tests replace it by a clock that they turn themselves."""

import asyncio
from contextlib import suppress
from typing import Protocol

from plywire.clients.play.matches.clock import RefereeClock, RunningClock

#: Seconds for which clocks of games stop after a long pause, so that lost bots can come back.
_SETTLING = 10.0


class Clock(RefereeClock, Protocol):
    """Tells the time and waits."""

    async def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""


class MonotonicClock(RunningClock):
    """The clock of the machine, as referees use it."""

    def __init__(self) -> None:
        super().__init__(settling=_SETTLING)

    async def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""
        with suppress(TimeoutError):
            async with self.timeout(seconds):
                await asyncio.Event().wait()
