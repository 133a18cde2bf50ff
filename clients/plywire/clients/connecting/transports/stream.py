"""Lines over a stream of bytes."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from .base import CLOSED_WITHIN, ClientTransport

CHUNK = 65536


class StreamTransport(ClientTransport):
    """Lines over a pair of asyncio streams, such as TCP's."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self) -> bytes:
        """Return the next bytes, at most 64 KiB; empty after the end of the stream."""
        try:
            return await self._reader.read(CHUNK)
        except OSError:
            return b""

    async def write(self, lines: Sequence[str]) -> None:
        """Send the lines, and wait while the other end is slow to read."""
        self._writer.write("".join(f"{line}\n" for line in lines).encode())
        await self._writer.drain()

    async def close(self) -> None:
        """Close the stream; unread data is lost."""
        self._writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(CLOSED_WITHIN):
                await self._writer.wait_closed()
        self._writer.transport.abort()
