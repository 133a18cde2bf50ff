"""Lines in the text frames of a WebSocket."""

from __future__ import annotations

from collections.abc import Sequence

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from plywire.protocol.text import printable

from .base import CLOSED_WITHIN, ClientTransport
from .mqtt_url import bracketed
from .url import split_url

_MOST_SAID = 200


class WebSocketTransport(ClientTransport):
    """A transport that sends each line as one text message."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, url: str) -> WebSocketTransport:
        """Connect; raises OSError if that fails."""
        try:
            return cls(await connect(url, compression=None, close_timeout=CLOSED_WITHIN))
        except WebSocketException as error:
            _, host, port = split_url(url)
            where = f"{bracketed(host)}:{port}"
            raise ConnectionRefusedError(f"no WebSocket at {where}: {_reason(error)}") from error

    async def read(self) -> bytes:
        try:
            return await self._connection.recv(decode=False) + b"\n"
        except ConnectionClosed:
            return b""

    async def write(self, lines: Sequence[str]) -> None:
        try:
            for line in lines:
                await self._connection.send(line)
        except ConnectionClosed as error:
            raise ConnectionResetError(printable(str(error))) from error

    async def close(self) -> None:
        await self._connection.close()


def _reason(error: WebSocketException) -> str:
    body = error.response.body if isinstance(error, InvalidStatus) else None
    said = printable(bytes(body or b"")[:_MOST_SAID].decode(errors="replace").strip())
    return f"{error}: {said}" if said else str(error)
