"""Games are held while the journal cannot be written: their clocks stand still until it can."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from plywire.server.clock import Clock

from .database import JournalHinderedError

T = TypeVar("T")

log = logging.getLogger(__name__)

#: Seconds until what could not be written is tried again.
_RETRY = 1.0


async def until_kept(write: Callable[[], Awaitable[T]], clock: Clock | None) -> T:
    """Write to the journal, over and over while the disk or another process is in the way.

    Without a clock once only. Raises JournalError if no other try can succeed.
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
