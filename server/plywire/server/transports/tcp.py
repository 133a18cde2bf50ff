"""Lines on a TCP stream."""

import asyncio
import socket
from collections.abc import Awaitable, Sequence

from .round_trip import round_trip

#: The most bytes taken from the stream at once: as many lines as that may be work for a while.
_CHUNK = 1 << 12
#: Seconds that closing may take before the connection is cut.
_CLOSE_WITHIN = 1.0


class TcpTransport:
    """One TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take over a connection."""
        self._reader = reader
        self._writer = writer
        address = writer.get_extra_info("peername") or ("?", 0)
        self.host: str | None = address[0]
        self.peer = f"tcp:{address[0]}:{address[1]}"
        # Who only watches says nothing: else nobody would find out that its machine is gone.
        self._socket = writer.get_extra_info("socket")
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    @property
    def round_trip(self) -> float | None:
        """Seconds to the peer and back, as the kernel finds them; None if it does not say."""
        return round_trip(self._socket)

    async def receive(self) -> bytes:
        """The next bytes, none at the end."""
        return await self._reader.read(_CHUNK)

    def send(self, lines: Sequence[str]) -> Awaitable[None] | None:
        """Send lines; returns what to wait for where the peer has not taken them at once."""
        self._writer.write("\n".join((*lines, "")).encode())
        transport = self._writer.transport
        if transport.get_write_buffer_size() or transport.is_closing():
            return self._writer.drain()
        return None

    async def close(self) -> None:
        """Close the connection; cut it if the peer does not read what was sent."""
        self._writer.close()
        try:
            async with asyncio.timeout(_CLOSE_WITHIN):
                await self._writer.wait_closed()
        except OSError as error:  # TimeoutError is one
            error.__traceback__ = None  # it knows us, and the connection, which we know, keeps it
            self._writer.transport.abort()
