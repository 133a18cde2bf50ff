"""A clock that the test turns."""

import asyncio
from contextlib import AbstractContextManager, nullcontext, suppress


class TurnedClock:
    """Stands still until it is advanced."""

    paused = 0.0
    """The process always runs."""

    def __init__(self) -> None:
        self._now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self._timeouts: list[tuple[float, asyncio.Timeout]] = []

    def now(self) -> float:
        return self._now

    def watched(self) -> AbstractContextManager[None]:
        return nullcontext()

    def pass_by(self, seconds: float) -> None:
        """Let time pass, and nobody run meanwhile."""
        self._now += seconds

    async def sleep(self, seconds: float) -> None:
        wake = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + seconds, wake))
        await wake

    def timeout(self, seconds: float) -> asyncio.Timeout:
        timeout = asyncio.timeout(None)
        self._timeouts.append((self._now + seconds, timeout))
        return timeout

    async def advance(self, seconds: float) -> None:
        """Let time pass, and let those who wake run."""
        self._now += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self._now]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper[0] > self._now]
        for _, wake in due:
            if not wake.done():
                wake.set_result(None)
        over = [timeout for timeout in self._timeouts if timeout[0] <= self._now]
        self._timeouts = [timeout for timeout in self._timeouts if timeout[0] > self._now]
        for _, timeout in over:
            with suppress(RuntimeError):  # what was done in it is over already
                timeout.reschedule(asyncio.get_running_loop().time())
        for _ in range(10):
            await asyncio.sleep(0)
