"""The limit of open file descriptors, and the log lines when all are used."""

import asyncio
import errno
import logging
import sys
import time
from typing import Any

log = logging.getLogger(__name__)

#: Descriptors that are not connections, such as files, pipes and those of the broker.
_OTHERS = 64
#: Seconds between two log lines about exhausted descriptors.
_COMPLAIN_EVERY = 60.0

_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def raise_limit() -> None:
    """Raise the limit of open files as far as the system allows."""
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
    """Return the number of connections that the limit allows; None if there is no limit."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else max(soft - _OTHERS, 2)


class Complaints:
    """Logs that connections cannot be accepted, but only once a minute, unlike asyncio."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in _EXHAUSTED):
            loop.default_exception_handler(context)
        elif (now := time.monotonic()) >= self._silent_until:
            self._silent_until = now + _COMPLAIN_EVERY
            log.error("cannot accept connections error=%s", error.strerror)
