"""The referee's clock, which stops while the process does not run.

A stopped, starved or swapped-out process cannot receive moves, and no player should lose that time.
During games a heartbeat on the event loop shows that the process runs. The clock goes on for
LATEST_BEAT seconds after the latest beat and then stops. When the process runs again, the clock
waits for up to LATEST_BEAT seconds more, to repay the player to move. Suspended machines need no
special care.
"""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from typing import Protocol

log = logging.getLogger(__name__)

_BEAT = 0.01
#: The clock stops when no beat has come for this number of seconds. After a pause it stays stopped
#: for at most this time, or for `settling` if the pause was long.
LATEST_BEAT = 0.025
#: Pauses longer than this are logged, in seconds.
_LOGGED = 0.25
#: During pauses longer than this, in seconds, clients may disconnect. The clock then stops for
#: `settling`.
_LONG = 5.0


class RefereeClock(Protocol):
    """Measures players' time, and limits waits."""

    @property
    def paused(self) -> float:
        """Total seconds for which the clock stopped because the process did not run."""

    def now(self) -> float:
        """Return seconds since a fixed moment, never decreasing; callable from any thread."""

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[asyncio.Timeout]:
        """Work like `asyncio.timeout`, in seconds of this clock."""

    def watched(self) -> AbstractContextManager[None]:
        """Detect pauses until the block ends; enter it on the event loop."""


class RunningClock:
    """The system's monotonic clock, minus the time in which the event loop did not run."""

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, *, settling: float = 0.0
    ) -> None:
        """`settling` is how long the clock stops after a pause of over 5 seconds, in seconds."""
        self._monotonic = monotonic
        self._settling = settling
        self._resumes: float | None = None
        # The time of the latest beat, and the sum of the pauses until then, in seconds. They are
        # one tuple, so that other threads always read a matching pair.
        self._latest = (math.inf, 0.0)
        self._watchers = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def paused(self) -> float:
        beat, paused = self._latest
        return paused + max(0.0, self._monotonic() - beat - LATEST_BEAT)

    def now(self) -> float:
        beat, paused = self._latest
        return min(self._monotonic(), beat + LATEST_BEAT) - paused

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[asyncio.Timeout]:
        loop = asyncio.get_running_loop()
        end = self.now() + seconds
        timer: asyncio.TimerHandle

        def look() -> None:
            nonlocal timer
            if (left := end - self.now()) > 0:
                timer = loop.call_later(left, look)
            else:
                timeout.reschedule(loop.time())

        async with asyncio.timeout(None) as timeout:
            timer = loop.call_later(seconds, look)
            try:
                yield timeout
            finally:
                timer.cancel()

    @contextmanager
    def watched(self) -> Iterator[None]:
        self._watchers += 1
        if self._timer is None:
            self._latest = (self._monotonic(), self._latest[1])
            self._resumes = None
            self._beat()
        try:
            yield
        finally:
            self._watchers -= 1
            if not self._watchers and self._timer is not None:
                self._timer.cancel()
                self._timer = None
                self._latest = (math.inf, self.paused)

    def _beat(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(_BEAT, self._beat)
        now, (latest, paused) = self._monotonic(), self._latest
        pause = max(0.0, now - latest - LATEST_BEAT)
        if self._resumes is None:
            self._resumes = now + max(
                self._settling if pause > _LONG else 0.0, min(pause, LATEST_BEAT)
            )
            if pause > _LOGGED:
                log.info("paused seconds=%.1f: no player is charged", pause)
        if now >= self._resumes:
            self._resumes = None
            self._latest = (now, paused + pause)
