"""What a WebSocket peer may do to the server beneath the lines that it says."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from websockets.frames import Opcode

from plywire.server.serve import Server
from plywire.server.transports.websocket_connection import GuardedConnection
from tests.support.peers import TcpPeer, WebSocketPeer, hear_until, settings
from tests.support.raw_websocket import HANDSHAKE, RawWebSocket
from tests.support.until import until


def _connection(server: Server) -> GuardedConnection:
    (connection,) = server._websocket.connections
    assert isinstance(connection, GuardedConnection)
    return connection


async def test_pings_are_answered() -> None:
    async with Server(settings(message_burst=20)) as server:
        peer = await WebSocketPeer.connect(server)
        for _ in range(10):
            await (await peer.connection.ping())
        await peer.say("ping")
        assert await peer.hear() == "pong"
        await peer.leave()


@pytest.mark.parametrize(
    ("opcode", "fin"), [(Opcode.PING, True), (Opcode.PONG, True), (Opcode.TEXT, False)]
)
async def test_control_frames_and_fragments_are_limited(opcode: Opcode, fin: bool) -> None:
    chosen = settings(messages_per_second=0.001, message_burst=50)
    async with Server(chosen) as server:
        peer = await RawWebSocket.connect(server)
        await peer.send(opcode, fin=fin)
        for _ in range(60):
            await peer.send(Opcode.CONT if opcode is Opcode.TEXT else opcode, fin=fin)
        assert b"too many control frames: 0.001 a second are accepted" in await peer.rest()
        peer.leave()
        await until(lambda: not server.sessions)


async def test_whole_messages_are_counted_by_their_lines_alone() -> None:
    chosen = settings(messages_per_second=0.001, message_burst=50)
    async with Server(chosen) as server:
        peer = await WebSocketPeer.connect(server)
        for _ in range(60):
            await peer.say("ping")
        heard = [await peer.hear() for _ in range(60)]
        assert heard.count("pong") == 50
        assert all(str(line).startswith(("pong", "error too-many ")) for line in heard)
        await peer.leave()


async def test_pongs_that_are_not_read_are_unsent_output(caplog: pytest.LogCaptureFixture) -> None:
    """A peer that asks for ever more of them is hung up on, and takes no memory."""
    caplog.set_level("INFO")
    chosen = settings(messages_per_second=0, max_unsent=4096)
    async with Server(chosen) as server:
        peer = await RawWebSocket.connect(server)
        transport = _connection(server).transport
        largest = 0

        async def flood() -> None:
            while True:
                await peer.send(Opcode.PING, b"x" * 125)

        flooding = asyncio.create_task(flood())
        while server.sessions:
            largest = max(largest, transport.get_write_buffer_size())
            await asyncio.sleep(0)
        assert largest < 4096 + 2048
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        assert "reason='reads too slowly'" in caplog.text
        peer.leave()


async def test_a_peer_that_reads_nothing_is_sent_away() -> None:
    """Its connection ends, though it takes no part in that."""
    async with Server(settings(messages_per_second=0, write_timeout=0.05)) as server:
        peer = await RawWebSocket.connect(server)
        with suppress(ConnectionError):
            while server.sessions:
                await peer.send(Opcode.TEXT, b"games\n" * 1000)
        await until(lambda: not server.sessions)
        peer.leave()


@pytest.mark.parametrize("frame", [(Opcode.PING, b""), (Opcode.TEXT, b"ping")])
async def test_others_get_their_turn_while_one_floods(frame: tuple[Opcode, bytes]) -> None:
    chosen = settings(messages_per_second=0, max_unsent=2**24)
    async with Server(chosen) as server:
        flooding, peer = await RawWebSocket.connect(server), await WebSocketPeer.connect(server)
        taken = 0
        connection = next(
            one
            for one in server._websocket.connections
            if one.remote_address == flooding.writer.get_extra_info("sockname")
        )
        pass
        take = connection.buffer_updated

        def count(nbytes: int) -> None:
            nonlocal taken
            taken += 1
            take(nbytes)

        connection.buffer_updated = count  # type: ignore[method-assign]
        for _ in range(2000):
            await flooding.send(*frame)
        before = taken
        for _ in range(5):
            await peer.say("ping")
            assert await peer.hear() == "pong"
        assert taken - before < 100  # a hundred KiB
        flooding.leave()
        await peer.leave()


async def test_handshakes_that_never_end_keep_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plywire.server.serve._HANDSHAKES", 20)
    async with Server(settings(max_sessions=2)) as server:
        half = [await asyncio.open_connection(*server.websocket_address) for _ in range(50)]
        for _, writer in half:
            writer.write(HANDSHAKE[:40])
        await until(lambda: len(server._handshakes) == 20)
        peer = await WebSocketPeer.connect(server)
        await peer.say("ping")
        assert await peer.hear() == "pong"
        other = await TcpPeer.connect(server)
        await other.say("ping")
        assert await other.hear() == "pong"
        assert len(server._handshakes) == 19
        for reader, _ in half[:30]:  # the oldest were cut
            with suppress(ConnectionError):
                assert await reader.read() == b""
        for _, writer in half:
            writer.transport.abort()
        await peer.leave()
        await other.leave()
        await until(lambda: not len(server._handshakes))


async def test_handshakes_that_never_end_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywire.server.serve._OPEN_WITHIN", 0.05)
    async with Server(settings()) as server:
        reader, writer = await asyncio.open_connection(*server.websocket_address)
        writer.write(HANDSHAKE[:40])
        assert await reader.read() == b""
        assert not len(server._handshakes)
        writer.close()


async def test_who_is_turned_away_is_let_go() -> None:
    async with Server(settings(max_sessions=1)) as server:
        first = await WebSocketPeer.connect(server)
        await first.say("ping")
        await hear_until(first, "pong")
        deaf = [await RawWebSocket.connect(server) for _ in range(20)]
        await until(lambda: not len(server._handshakes))
        await first.leave()
        for peer in deaf:
            peer.leave()
