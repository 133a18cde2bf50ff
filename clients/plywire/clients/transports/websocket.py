"""Lines in the text frames of a WebSocket."""

from __future__ import annotations

from collections.abc import Sequence

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import (
    ConnectionClosed,
)

from plywire.protocol.text import printable

from .base import Transport


class WebSocketTransport(Transport):
    """A line a text message."""

    def __init__(self, connection: ClientConnection) -> None:
        """Take over the connection."""
        self._connection = connection

    async def read(self) -> bytes:
        """The next message, ended as a line."""
        try:
            return await self._connection.recv(decode=False) + b"\n"
        except ConnectionClosed:
            return b""

    async def write(self, lines: Sequence[str]) -> None:
        """Send a message a line."""
        try:
            for line in lines:
                await self._connection.send(line)
        except ConnectionClosed as error:
            raise ConnectionResetError(printable(str(error))) from error

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()
