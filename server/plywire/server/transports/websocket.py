"""Text frames on a WebSocket: each has whole lines, and each from the server has one."""

import asyncio
from collections.abc import Awaitable, Sequence

from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from .round_trip import round_trip
from .websocket_connection import CLOSE_WITHIN, GuardedConnection

#: Frames written without a pause, which takes half a millisecond.
_AT_ONCE = 64


class WebSocketTransport:
    """One WebSocket connection."""

    def __init__(self, connection: GuardedConnection) -> None:
        self._connection = connection
        address = connection.remote_address or ("?", 0)
        self.host: str | None = address[0]
        self.peer = f"websocket:{address[0]}:{address[1]}"

    @property
    def round_trip(self) -> float | None:
        return round_trip(self._connection.transport.get_extra_info("socket"))

    async def receive(self) -> bytes | str:
        """Return the next message; empty bytes at the end, and after a message that is not text."""
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

    def send(self, lines: Sequence[str]) -> Awaitable[None] | None:
        """Send each line as a frame; return an awaitable if they are many or not read."""
        self._connection.send_frames(lines[:_AT_ONCE])
        rest = lines[_AT_ONCE:]
        return self._send_rest(rest) if rest or self._connection.paused else None

    async def _send_rest(self, lines: Sequence[str]) -> None:
        await self._connection.drain()
        for first in range(0, len(lines), _AT_ONCE):
            await asyncio.sleep(0)
            self._connection.send_frames(lines[first : first + _AT_ONCE])
            await self._connection.drain()

    async def close(self) -> None:
        """Do the closing handshake; abort the connection if the client does not answer or read."""
        await self._close(CloseCode.NORMAL_CLOSURE, "")

    async def _close(self, code: CloseCode, reason: str) -> None:
        try:
            async with asyncio.timeout(CLOSE_WITHIN):
                await self._connection.close(code, reason)
        except TimeoutError:
            self._connection.transport.abort()
