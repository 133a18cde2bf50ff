"""Peers that speak lines to a server, over every transport."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.connecting.transports.open import open_transport
from plywire.server.clock import ServerClock
from plywire.server.searching.search_pool import SearchPool
from plywire.server.serve import Server
from plywire.server.sessions.peer_loop import PeerLoop
from plywire.server.sessions.session import Session
from plywire.server.settings import Settings
from tests.support.forks import forked

#: How the command is run in a process of its own.
PLYWIRE = (sys.executable, "-c", "from plywire.server.cli import app; app(prog_name='plywire')")


class Peer(Protocol):
    """Someone at the other end."""

    async def say(self, line: str) -> None:
        """Send a line."""

    async def hear(self) -> str | None:
        """The next line, None at the end."""

    async def leave(self) -> None:
        """Hang up without a word."""


class MemoryTransport:
    """Both ends of a connection that never leaves the process."""

    def __init__(self) -> None:
        self.host: str | None = None
        self.round_trip: float | None = None
        self.peer = "memory"
        self.is_closed = False
        self.reading = asyncio.Event()
        """Cleared, the peer does not read."""
        self.reading.set()
        self.queued = 0
        """Lines that wait for the peer to read them."""
        self._to_server: asyncio.Queue[bytes] = asyncio.Queue()
        self._to_peer: asyncio.Queue[str | None] = asyncio.Queue()

    async def receive(self) -> bytes:
        return await self._to_server.get()

    async def send(self, lines: Sequence[str]) -> None:
        self.queued = len(lines)
        await self.reading.wait()
        for line in lines:
            self._to_peer.put_nowait(line)

    async def close(self) -> None:
        self.is_closed = True
        self._to_peer.put_nowait(None)

    async def say(self, line: str) -> None:
        self.say_bytes(f"{line}\n".encode())

    def say_bytes(self, data: bytes) -> None:
        if data:
            self._to_server.put_nowait(data)

    async def hear(self) -> str | None:
        return await self._to_peer.get()

    async def leave(self) -> None:
        self._to_server.put_nowait(b"")


class TcpPeer:
    """A peer on a TCP stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def connect(cls, server: Server) -> TcpPeer:
        return cls(*await asyncio.open_connection(*server.tcp_address))

    async def say(self, line: str) -> None:
        self._writer.write(f"{line}\n".encode())
        await self._writer.drain()

    async def hear(self) -> str | None:
        line = await self._reader.readline()
        return line.decode().removesuffix("\n") if line else None

    async def leave(self) -> None:
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


class WebSocketPeer:
    """A peer on a WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    @classmethod
    async def connect(cls, server: Server, **options: object) -> WebSocketPeer:
        host, port = server.websocket_address
        return cls(await connect(f"ws://{host}:{port}", proxy=None, **options))  # type: ignore[arg-type]

    async def say(self, line: str) -> None:
        await self.connection.send(line)

    async def hear(self) -> str | None:
        try:
            return str(await self.connection.recv())
        except ConnectionClosed:
            return None

    async def leave(self) -> None:
        await self.connection.close()


class MqttPeer:
    """A peer beyond the server's broker."""

    def __init__(self, transport: ClientTransport) -> None:
        self._transport = transport
        self._lines: list[str] = []

    @classmethod
    async def connect(cls, server: Server, name: str = "peer") -> MqttPeer:
        return cls(await open_transport(await mqtt_url(server, name)))

    async def say(self, line: str) -> None:
        await self._transport.write([line])

    async def hear(self) -> str | None:
        while not self._lines:
            data = await self._transport.read()
            if not data:
                return None
            self._lines = data.decode().splitlines()
        return self._lines.pop(0)

    async def leave(self) -> None:
        await self._transport.close()


async def mqtt_url(server: Server, name: str) -> str:
    """Where a bot of that name meets the server."""
    if server.broker is None:
        raise RuntimeError("the server has no broker")
    return str((await server.broker.url()).named(name))


class StdioPeer:
    """A peer that started `plywire engine`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, *arguments: str, program: Sequence[str] = PLYWIRE) -> StdioPeer:
        process = await asyncio.create_subprocess_exec(
            *program,
            "engine",
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=dict(os.environ),
        )
        return cls(process)

    async def say(self, line: str) -> None:
        if self.process.stdin is None:
            raise RuntimeError("the engine has no input")
        self.process.stdin.write(f"{line}\n".encode())
        await self.process.stdin.drain()

    async def hear(self) -> str | None:
        if self.process.stdout is None:
            raise RuntimeError("the engine has no output")
        line = await self.process.stdout.readline()
        return line.decode().rstrip("\r\n") if line else None

    async def leave(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        await self.process.wait()


def settings(**changes: object) -> Settings:
    """Settings for tests: any free ports, no games readied before they are needed."""
    chosen: dict[str, object] = {
        "port": 0,
        "websocket_port": 0,
        "mqtt_port": 0,
        "warmup": False,
        "threads": 2,
    }
    return Settings(**(chosen | changes))  # type: ignore[arg-type]


@asynccontextmanager
async def in_memory(
    chosen: Settings | None = None, clock: ServerClock | None = None, pool: SearchPool | None = None
) -> AsyncIterator[tuple[MemoryTransport, Session]]:
    """A session and the peer that it serves."""
    chosen = chosen or settings()
    own = pool or SearchPool(chosen.threads, longest=chosen.max_think_time)
    transport, session = MemoryTransport(), Session(chosen, own)
    serving = asyncio.create_task(PeerLoop(transport, session, chosen, clock).run())
    try:
        yield transport, session
    finally:
        transport.reading.set()
        await transport.leave()
        await serving
        if pool is None:
            await own.close()


@asynccontextmanager
async def connected(transport: str, chosen: Settings | None = None) -> AsyncIterator[Peer]:
    """A peer over the named transport, one of `TRANSPORTS`."""
    peer: Peer
    if transport == "memory":
        async with in_memory(chosen) as (peer, _):
            yield peer
    elif transport == "stdio":
        peer = await StdioPeer.start(program=[forked("plywire")])
        try:
            yield peer
        finally:
            await peer.leave()
    else:
        chosen = chosen or settings()
        if transport == "mqtt":
            chosen = chosen.model_copy(update={"mqtt": "embedded"})
        async with Server(chosen) as server:
            peer = await _KINDS[transport].connect(server)
            try:
                yield peer
            finally:
                await peer.leave()


_KINDS: dict[str, type[TcpPeer] | type[WebSocketPeer] | type[MqttPeer]] = {
    "tcp": TcpPeer,
    "websocket": WebSocketPeer,
    "mqtt": MqttPeer,
}

TRANSPORTS = ("memory", "stdio", *_KINDS)


async def hear_until(peer: Peer, *starts: str) -> list[str]:
    """The lines up to the first one that starts like this."""
    heard: list[str] = []
    while (line := await peer.hear()) is not None:
        heard.append(line)
        if line.startswith(starts):
            return heard
    raise AssertionError(f"hung up before {starts}, after {heard}")
