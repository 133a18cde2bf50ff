"""The round-trip times that the kernel finds."""

import asyncio
import socket
from pathlib import Path

import pytest

from plywire.protocol.messages.arena import Echo, Login
from plywire.server.transports.round_trip import round_trip
from tests.support.arena import Arena


def pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of a TCP connection over which a byte has come."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        here = socket.create_connection(listening.getsockname())
        there, _ = listening.accept()
    here.sendall(b"x")
    there.recv(1)
    return here, there


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="this system does not tell it")
def test_the_kernel_knows_how_long_a_way_is() -> None:
    here, there = pair()
    with here, there:
        found = round_trip(here)
        assert found is not None
        assert 0 < found < 1


def test_what_is_no_tcp_connection_has_none() -> None:
    here, there = socket.socketpair()
    with here, there:
        assert round_trip(here) is None
    here, there = pair()
    there.close()
    here.close()
    assert round_trip(here) is None


@pytest.mark.parametrize(("host", "counts"), [("192.0.2.7", True), ("127.0.0.1", False)])
async def test_the_way_to_a_proxy_on_this_machine_says_nothing(
    host: str, counts: bool, tmp_path: Path
) -> None:
    async with Arena(tmp_path) as arena:
        connection = arena.connect(host)
        connection.round_trip = 0.03
        token = await asyncio.to_thread(arena.accounts.add, "ann")
        await connection.ask(Login(name="ann", token=token))
        await arena.advance(0.6)
        await connection.ask(Echo(number=1))
        assert arena.lobby.bots[0].lag == (40 if counts else 600)
