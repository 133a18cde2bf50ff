"""The log for the operator: one line an event, on the standard error output."""

import logging
import sys
from datetime import datetime


class _Formatter(logging.Formatter):
    """Times are ISO 8601 in the local zone, with its offset from UTC."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """The time of a record, such as 2026-11-27T00:39:49+00:00."""
        return datetime.fromtimestamp(record.created).astimezone().isoformat(timespec="seconds")


def configure(level: str) -> None:
    """Log events of a level and above: time, level, event, details as key=value."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)-7s %(message)s"))
    logger = logging.getLogger("plywire")
    logger.handlers = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False
    # Port scanners send bytes that are no handshake, which is not worth a line.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
