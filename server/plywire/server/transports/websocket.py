"""Text frames on a WebSocket, each with one or more whole lines; one line a frame going out."""

import asyncio
from collections.abc import Sequence

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from plywire.server.turns import Turn

from .websocket_connection import CLOSE_WITHIN


class WebSocketTransport:
    """One WebSocket connection."""

    def __init__(self, connection: ServerConnection) -> None:
        """Take over a connection after its opening handshake."""
        self._connection = connection
        self._turn = Turn()
        address = connection.remote_address or ("?", 0)
        self.host: str | None = address[0]
        self.peer = f"websocket:{address[0]}:{address[1]}"

    async def receive(self) -> bytes | str:
        """The next message; empty bytes at the end, and after a message that is not text."""
        try:
            message = await self._connection.recv()
        except ConnectionClosed:
            return b""
        if isinstance(message, bytes):
            await self._close(
                CloseCode.UNSUPPORTED_DATA, "binary frames are not understood: send text frames"
            )
            return b""
        return message

    async def send(self, lines: Sequence[str]) -> None:
        """Send each line as a frame, and wait while the peer is slow to read them."""
        try:
            for line in lines:
                await self._connection.send(line)
                await self._turn.pause()
        except ConnectionClosed as error:
            raise ConnectionResetError("the peer closed the connection") from error

    async def close(self) -> None:
        """Do the closing handshake, or cut the connection if the peer does not answer or read."""
        await self._close(CloseCode.NORMAL_CLOSURE, "")

    async def _close(self, code: CloseCode, reason: str) -> None:
        try:
            async with asyncio.timeout(CLOSE_WITHIN):
                await self._connection.close(code, reason)
        except TimeoutError:
            self._connection.transport.abort()
