"""Peers that read when they like, and one that sends what it likes on a WebSocket."""

from __future__ import annotations

import asyncio
import socket
from typing import Self

from websockets.frames import Frame, Opcode

from plywire.server.serve import Server

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def connect_slow_reader(
    address: tuple[str, int], server: Server
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection that has as small buffers for what the server sends as the system allows."""
    for listening in (*server._tcp.sockets, *server._websocket.sockets):
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)  # connections inherit it
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    own.setblocking(False)
    await asyncio.get_running_loop().sock_connect(own, address)
    return await asyncio.open_connection(sock=own, limit=256)


class RawWebSocket:
    """Frames on a connection that reads slowly."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def connect(cls, server: Server) -> Self:
        host, port = server.websocket_address
        reader, writer = await connect_slow_reader((host, port), server)
        writer.write(HANDSHAKE % f"{host}:{port}".encode())
        await reader.readuntil(b"\r\n\r\n")
        return cls(reader, writer)

    async def send(self, opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> None:
        self.writer.write(Frame(opcode, data, fin=fin).serialize(mask=True))
        await self.writer.drain()

    async def rest(self) -> bytes:
        """All that comes until the connection ends, also by a reset."""
        heard = b""
        try:
            while data := await self.reader.read(65536):
                heard += data
        except ConnectionError:
            pass
        return heard

    def leave(self) -> None:
        self.writer.transport.abort()
