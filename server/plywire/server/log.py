"""What the server tells its operator: one line an event on the standard error output."""

import logging
import sys
from datetime import datetime


class _Formatter(logging.Formatter):
    """Times are ISO 8601 in the local zone, with its offset from UTC."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """The time of a record, such as 2026-11-27T00:39:49+00:00."""
        return datetime.fromtimestamp(record.created).astimezone().isoformat(timespec="seconds")


def configure(level: str) -> None:
    """Log events of that level and graver: time, level, what happened, key=value details."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)-7s %(message)s"))
    logger = logging.getLogger("plywire")
    logger.handlers = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False
    # Whoever scans the port may send what is no handshake; that is no news.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
