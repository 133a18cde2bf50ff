"""What the server tells its operator: one line an event on the standard error output."""

import logging
import sys


def configure(level: str) -> None:
    """Log events of that level and graver: time, level, what happened, key=value details."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)-7s %(message)s", "%Y-%m-%dT%H:%M:%S")
    )
    logger = logging.getLogger("plywire")
    logger.handlers = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False
    # Whoever scans the port may send what is no handshake; that is no news.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
