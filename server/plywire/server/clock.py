"""The clock of the server. Tests replace it by a clock that they set themselves."""

import asyncio
from contextlib import suppress
from typing import Protocol

from plywire.clients.play.matches.clock import RefereeClock, RunningClock

#: After a long pause of the server, game clocks stop for this number of seconds, so that bots can
#: reconnect.
_SETTLING = 10.0


class ServerClock(RefereeClock, Protocol):
    """A referee's clock that can also sleep."""

    async def sleep(self, seconds: float) -> None:
        """Return after this number of seconds."""


class MonotonicClock(RunningClock):
    """The clock of the machine, as referees use it."""

    def __init__(self) -> None:
        super().__init__(settling=_SETTLING)

    async def sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with self.timeout(seconds):
                await asyncio.Event().wait()
