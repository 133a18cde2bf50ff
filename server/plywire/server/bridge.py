"""A bridge: what comes in here goes out there, line by line, whatever the lines say."""

import asyncio
import logging
from contextlib import suppress

from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.connecting.transports.open import open_transport
from plywire.protocol.dialects import Dialect, detect
from plywire.protocol.framing import LineReader
from plywire.protocol.messages.play import Quit

from .sessions.peer_loop import Transport

log = logging.getLogger(__name__)

#: The longest line that is passed on, in bytes; the server at the other end may accept less.
_MAX_LINE = 2**24


async def bridge(near: Transport, url: str) -> None:
    """Connect a peer to the server at `url`, until either of them leaves.

    When the peer says nothing more, `quit` is said for it, so that it hears the last answers also
    over a WebSocket, which cannot be closed in one direction only.

    Raises OSError if nobody answers there, ValueError if it is no server's URL.
    """
    far = await open_transport(url)
    going = asyncio.create_task(_to_server(near, far))
    try:
        # The server hangs up after a farewell; until then it may have something to say.
        with suppress(OSError):
            await _from_server(far, near)
    finally:
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
        await far.close()


async def _to_server(near: Transport, far: ClientTransport) -> None:
    reader = LineReader(_MAX_LINE)
    dialect: Dialect | None = None
    while data := await near.receive():
        lines: list[str] = []
        reader.receive(data.encode() if isinstance(data, str) else data)
        for line in iter(reader.next_line, None):
            if isinstance(line, str):
                lines.append(line)
                if dialect is None and line.strip():
                    dialect = detect(line)
            else:
                log.warning("left out: %s", line)
        if lines:
            await far.write(lines)
    reader.receive_eof()
    last = [line for line in iter(reader.next_line, None) if isinstance(line, str)]
    farewell = (dialect or detect("quit")).encode_command(Quit())
    await far.write([*last, *farewell])


async def _from_server(far: ClientTransport, near: Transport) -> None:
    reader = LineReader(_MAX_LINE)
    while data := await far.read():
        reader.receive(data)
        lines = [line for line in iter(reader.next_line, None) if isinstance(line, str)]
        if lines and (sending := near.send(lines)) is not None:
            await sending
