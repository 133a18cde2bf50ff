"""A limit for how long a task works before other tasks of the event loop run.

An `await` does not always let other tasks run: received bytes are returned at once.
"""

import asyncio
import time

#: Maximum time in seconds that a task works without a pause. Its last step may exceed it.
LONGEST = 0.001


class TimeSlice:
    """The turn of a task that would work without a pause; it begins at once."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    async def pause(self) -> None:
        """Let other tasks run, if the turn has lasted for `LONGEST`."""
        if time.monotonic() - self._began >= LONGEST:
            await asyncio.sleep(0)
            self._began = time.monotonic()
