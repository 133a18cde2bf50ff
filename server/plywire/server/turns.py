"""How long one task works before others on the event loop get their turn.

Awaiting does not give way by itself: what is there already, such as bytes that have come, is
returned at once.
"""

import asyncio
import time

#: The longest that a task works at a stretch, in seconds; what is not divisible comes on top.
LONGEST = 0.001


class Turn:
    """The turn of a task that would work on and on."""

    def __init__(self) -> None:
        """It begins now."""
        self._began = time.monotonic()

    async def pause(self) -> None:
        """Let others run, if the turn has lasted long enough."""
        if time.monotonic() - self._began >= LONGEST:
            await asyncio.sleep(0)
            self._began = time.monotonic()
