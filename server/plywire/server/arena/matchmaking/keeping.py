"""What bots are told where the journal cannot be used."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from plywire.protocol.messages.base import ErrorCode
from plywire.server.arena.store.journal import JournalError
from plywire.server.errors import RefusedError

log = logging.getLogger(__name__)


@contextmanager
def keeping() -> Iterator[None]:
    """Raises RefusedError where the journal cannot be used."""
    try:
        yield
    except JournalError as error:
        log.error("journal error=%s", error)
        message = "the server cannot keep games now; try again later"
        raise RefusedError(ErrorCode.INTERNAL, message) from error
