"""How long one task works before other tasks of the event loop get their turn.

An `await` does not always give way to others: bytes that have come already are returned at once.
"""

import asyncio
import time

#: The longest time that a task works without a pause, in seconds; its last step may take longer.
LONGEST = 0.001


class Turn:
    """The turn of a task that would work without a pause; it begins now."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    async def pause(self) -> None:
        """Let others run, if the turn has lasted long enough."""
        if time.monotonic() - self._began >= LONGEST:
            await asyncio.sleep(0)
            self._began = time.monotonic()
