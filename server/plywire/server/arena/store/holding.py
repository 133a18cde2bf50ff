"""Write to the journal. While the disk fails, writes wait and the clocks of games stop."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from plywire.server.clock import ServerClock

from .database import JournalHinderedError

T = TypeVar("T")

log = logging.getLogger(__name__)

#: Seconds until a write that failed is tried again.
_RETRY = 1.0


async def until_kept(write: Callable[[], Awaitable[T]], clock: ServerClock | None) -> T:
    """Write to the journal; while the disk or another process prevents that, try again.

    Without a clock, try once. Raises JournalError if another try cannot succeed.
    """
    is_held = False
    while True:
        try:
            result = await write()
        except JournalHinderedError as error:
            if clock is None:
                raise
            if not is_held:
                log.error("held error=%s", error)
            is_held = True
            await clock.sleep(_RETRY)
        else:
            if is_held:
                log.info("kept what was held")
            return result
