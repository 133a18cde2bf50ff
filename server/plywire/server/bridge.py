"""A bridge that passes lines between a client and another server, in any dialect."""

import asyncio
import logging
from contextlib import suppress

from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.connecting.transports.open import open_transport
from plywire.protocol.dialects import DRIVING, detect
from plywire.protocol.framing import LineReader
from plywire.protocol.messages.play import Quit

from .sessions.peer_loop import Transport

log = logging.getLogger(__name__)

#: Maximum length of a line that the bridge passes on, in bytes.
_MAX_LINE = 2**24


async def bridge(near: Transport, url: str) -> None:
    """Pass lines between a client and the server at `url`, until either of them leaves.

    At the end of the client's input, the bridge sends `quit`. So the last answers arrive even by
    WebSocket, which cannot be closed in one direction only. Raises OSError if no server answers,
    ValueError if `url` is not the URL of a server.
    """
    far = await open_transport(url)
    going = asyncio.create_task(_to_server(near, far))
    try:
        # Read until the server closes the connection. Before that, it may still send answers.
        with suppress(OSError):
            await _from_server(far, near)
    finally:
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
        await far.close()


async def _to_server(near: Transport, far: ClientTransport) -> None:
    reader = LineReader(_MAX_LINE)
    dialect: str | None = None
    while data := await near.receive():
        lines: list[str] = []
        reader.receive(data.encode() if isinstance(data, str) else data)
        for line in iter(reader.next_line, None):
            if isinstance(line, str):
                lines.append(line)
                if dialect is None and line.strip():
                    dialect = detect(line).name
            else:
                log.warning("left out: %s", line)
        if lines:
            await far.write(lines)
    reader.receive_eof()
    last = [line for line in iter(reader.next_line, None) if isinstance(line, str)]
    farewell = DRIVING[dialect or detect("quit").name]().encode_command(Quit())
    await far.write([*last, *farewell])


async def _from_server(far: ClientTransport, near: Transport) -> None:
    reader = LineReader(_MAX_LINE)
    while data := await far.read():
        reader.receive(data)
        lines = [line for line in iter(reader.next_line, None) if isinstance(line, str)]
        if lines and (sending := near.send(lines)) is not None:
            await sending
