"""Lines on a TCP stream."""

import asyncio
import socket
from collections.abc import Awaitable, Sequence

from .round_trip import round_trip

#: The most bytes read at once. It is small, because many lines may be much work.
_CHUNK = 1 << 12
#: Seconds for closing, before the connection is aborted.
_CLOSE_WITHIN = 1.0


class TcpTransport:
    """One TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        address = writer.get_extra_info("peername") or ("?", 0)
        self.host: str | None = address[0]
        self.peer = f"tcp:{address[0]}:{address[1]}"
        # A spectator sends nothing, so only this option detects that its machine is gone.
        self._socket = writer.get_extra_info("socket")
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    @property
    def round_trip(self) -> float | None:
        return round_trip(self._socket)

    async def receive(self) -> bytes:
        return await self._reader.read(_CHUNK)

    def send(self, lines: Sequence[str]) -> Awaitable[None] | None:
        """Send lines; return an awaitable if the client has not taken them at once."""
        self._writer.write("\n".join((*lines, "")).encode())
        transport = self._writer.transport
        if transport.get_write_buffer_size() or transport.is_closing():
            return self._writer.drain()
        return None

    async def close(self) -> None:
        """Close the connection; abort it if the client does not read the last lines."""
        self._writer.close()
        try:
            async with asyncio.timeout(_CLOSE_WITHIN):
                await self._writer.wait_closed()
        except OSError as error:  # TimeoutError is one
            # The connection keeps the error, whose traceback would keep this transport.
            error.__traceback__ = None
            self._writer.transport.abort()
