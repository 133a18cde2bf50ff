"""A clock that the test turns."""

import asyncio


class TurnedClock:
    """Stands still until it is advanced."""

    def __init__(self) -> None:
        self._now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        wake = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + seconds, wake))
        await wake

    async def advance(self, seconds: float) -> None:
        """Let time pass, and let those who wake run."""
        self._now += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self._now]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper[0] > self._now]
        for _, wake in due:
            if not wake.done():
                wake.set_result(None)
        for _ in range(10):
            await asyncio.sleep(0)
