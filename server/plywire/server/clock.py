"""Time as the server sees it: a seam where tests put a clock that they turn themselves."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""

    def timeout(self, seconds: float) -> asyncio.Timeout:
        """Ends what is done in it after that many seconds, as `asyncio.timeout` does."""


class MonotonicClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Seconds of the clock that event loops go by."""
        # To ask the loop itself costs a system call, and this is asked for each line that comes.
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""
        await asyncio.sleep(seconds)

    def timeout(self, seconds: float) -> asyncio.Timeout:
        """`asyncio.timeout` itself."""
        return asyncio.timeout(seconds)
