"""File descriptors: how many there may be, and what happens when there are no more."""

import asyncio
import errno
import logging
import sys
import time
from typing import Any

log = logging.getLogger(__name__)

#: What a process opens beside its connections: files, pipes, the broker's.
_OTHERS = 64
#: Seconds between two complaints that there are no more.
_COMPLAIN_EVERY = 60.0

_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def raise_limit() -> None:
    """Allow this process as many as the system lets it have."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError) as error:  # macOS names a limit that it does not accept
            log.debug("descriptors limit=%d error=%s", soft, error)


def connections() -> int | None:
    """How many connections there may be; None where no limit is known."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else max(soft - _OTHERS, 2)


class Complaints:
    """Says now and then that connections cannot be accepted, where asyncio tells each time."""

    def __init__(self) -> None:
        """Nothing to complain about yet."""
        self._silent_until = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle what the loop could not: see `loop.set_exception_handler`."""
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in _EXHAUSTED):
            loop.default_exception_handler(context)
        elif (now := time.monotonic()) >= self._silent_until:
            self._silent_until = now + _COMPLAIN_EVERY
            log.error("cannot accept connections error=%s", error.strerror)
