"""The login, what is told before and after it, and connections that are lost."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

import pytest

from plywire.clients import Backoff
from plywire.clients.connecting.errors import CommandError, ConnectionLostError
from plywire.clients.connecting.ggs.ask import Ask
from plywire.clients.connecting.ggs.connection import GgsConnection
from plywire.clients.connecting.transports.open import open_transport
from tests.support.ggs_bots import Make, Thinker, games_of, play
from tests.support.ggs_server import FakeGgs
from tests.support.proxy import Proxy
from tests.support.until import until


async def test_nothing_is_told_before_the_login() -> None:
    """A move that is found meanwhile would be taken for the name."""
    heard: list[bytes] = []
    connected = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.set()
        while line := await reader.readline():
            heard.append(line)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    connect = partial(open_transport, url)
    connection = GgsConnection(url, "ann", "secret", connect, backoff=Backoff(), timeout=60)
    opening = asyncio.create_task(connection.open())
    await connected.wait()
    await connection.say("play .2 D3")
    await connection.write("ann")
    await until(lambda: heard)
    assert heard == [b"ann\n"]
    opening.cancel()
    with suppress(asyncio.CancelledError):
        await opening
    await connection.close()
    server.close()
    await server.wait_closed()


async def test_a_silent_line_is_made_again(ggs: FakeGgs, make: Make) -> None:
    thinker = Thinker()
    thinker.go.clear()
    async with Proxy("127.0.0.1", ggs.port) as proxy:
        ann = make("ann", make_player=lambda: thinker, port=proxy.port, silence=0.1, timeout=1)
        bob = make("bob", asks=[Ask.parse("8w 05:00//02:00 ann")])
        playing = asyncio.create_task(play(ann, bob, games=1))
        await until(lambda: thinker.asked)
        proxy.silence()
        await until(lambda: proxy.connections > 1)
        thinker.go.set()
        await playing
    assert games_of(ggs)[0].position.is_over


async def test_a_refused_login_is_for_good(make: Make) -> None:
    async with FakeGgs(passwords={"ann": "other"}) as ggs:
        with pytest.raises(CommandError, match="Password is incorrect"):
            await make("ann", port=ggs.port).run()
        assert ggs.connected == 1


async def test_a_server_that_is_not_there(make: Make) -> None:
    async with FakeGgs() as gone:
        port = gone.port
    backoff = Backoff(attempts=3, first=0.001)
    with pytest.raises(ConnectionLostError, match=f"no connection to 127.0.0.1:{port}"):
        await make("ann", port=port, backoff=backoff).run()
