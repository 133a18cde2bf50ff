"""Refuse clients that get no session."""

import logging

from plywire.protocol.connection import EngineConnection
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Error, ErrorCode

from .peer_loop import Transport

log = logging.getLogger(__name__)


async def turn_away(transport: Transport, code: ErrorCode, message: str) -> None:
    """Send a client the reason why it gets no session, and close the connection."""
    connection = EngineConnection()
    connection.send(Error(code=code, message=message))
    connection.send(play.Bye(reason=message))
    try:
        if (sending := transport.send(connection.lines_to_send())) is not None:
            await sending
    except OSError as error:
        log.debug("lost client=%s error=%r", transport.peer, error)
    await transport.close()
