"""The bridge carries lines of every dialect, both ways, until either side leaves."""

import asyncio
import shlex
from collections.abc import AsyncIterator

import pytest

from plywire.server.bridge import bridge
from plywire.server.serve import Server
from tests.support.forks import forked
from tests.support.peers import MemoryTransport, hear_until, settings
from tests.support.until import until

SCHEMES = ("tcp", "ws")


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server(settings()) as server:
        yield server


def url(server: Server, scheme: str) -> str:
    host, port = server.tcp_address if scheme == "tcp" else server.websocket_address
    return f"{scheme}://{host}:{port}"


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_lines_go_both_ways(server: Server, scheme: str) -> None:
    near = MemoryTransport()
    bridging = asyncio.create_task(bridge(near, url(server, scheme)))
    await near.say("ugi")
    assert "ugiok" in await hear_until(near, "ugiok")
    near.say_bytes(b"setoption name Game value tict")
    near.say_bytes(b"actoe\nposition startpos moves b2\ngo depth 2\n")
    assert (await hear_until(near, "bestmove"))[-1] != "bestmove 0000"
    await near.say("quit")
    await bridging


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ('{"type":"ping","id":3}', '{"type":"pong","id":3}'),
        ("ping", "pong"),
    ],
)
async def test_the_end_of_the_input_is_said_as_quit(
    server: Server, scheme: str, said: str, heard: str
) -> None:
    near = MemoryTransport()
    await near.say(said)
    await near.leave()
    await bridge(near, url(server, scheme))
    assert await near.hear() == heard
    await until(lambda: server.sessions == 0)


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_ends_when_the_server_does(scheme: str) -> None:
    near = MemoryTransport()
    async with Server(settings()) as server:
        bridging = asyncio.create_task(bridge(near, url(server, scheme)))
        await near.say("ping")
        assert await near.hear() == "pong"
    await bridging


async def test_what_is_no_text_is_left_out(server: Server) -> None:
    near = MemoryTransport()
    near.say_bytes(b"\xff\xfe\nping\n")
    await near.leave()
    await bridge(near, url(server, "tcp"))
    assert await near.hear() == "pong"


async def run(*arguments: str, said: bytes = b"") -> tuple[int | None, str, str]:
    process = await asyncio.create_subprocess_exec(
        forked("plywire"),
        "bridge",
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(said)
    return process.returncode, out.decode(), err.decode()


async def test_command(server: Server) -> None:
    code, out, err = await run(url(server, "ws"), said=b"uci\nisready\nquit\n")
    assert (code, err) == (0, "")
    assert "uciok" in out.splitlines()
    assert "readyok" in out.splitlines()


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:1", "http://127.0.0.1:1", "nowhere"])
async def test_command_without_a_server(where: str) -> None:
    code, out, err = await run(where)
    assert (code, out) == (1, "")
    assert err.startswith("plywire bridge: ")
    assert len(err.splitlines()) == 1


async def test_a_match_is_played_through_the_bridge(server: Server) -> None:
    command = shlex.join([forked("plywire"), "bridge", url(server, "tcp")])
    process = await asyncio.create_subprocess_exec(
        forked("plywire"),
        "match",
        f"ugi:{command}",
        "random:seed=1",
        *("--game", "tictactoe", "--games", "2", "--depth", "2"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()
    assert "Elo" in out.decode()
