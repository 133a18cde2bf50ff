"""The log for the operator: one line for each event, on standard error."""

import logging
import sys
from datetime import datetime


class _Formatter(logging.Formatter):
    """A formatter with ISO 8601 times in the local zone, with its offset from UTC."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return datetime.fromtimestamp(record.created).astimezone().isoformat(timespec="seconds")


def configure(level: str) -> None:
    """Log events of `level` and above as time, level, event, and details as key=value."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)-7s %(message)s"))
    logger = logging.getLogger("plywire")
    logger.handlers = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False
    # websockets logs each connection without a valid handshake. Port scanners open many of them.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
