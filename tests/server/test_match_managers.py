"""What match managers were seen to say, and what they need to hear, over every way to reach us."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from plywire.server.bridge import bridge
from plywire.server.serve import Server
from tests.support.peers import MemoryTransport, Peer, StdioPeer, in_memory, settings
from tests.support.transcripts import ScriptedPeer, Transcript, read_transcript

pytestmark = pytest.mark.usefixtures("searched_games")

TRANSCRIPTS = [
    read_transcript(path)
    for path in sorted(Path(__file__).with_name("match_managers").glob("*.txt"))
]


@asynccontextmanager
async def reached(way: str) -> AsyncIterator[Peer]:
    """The manager's end of a pipe: to an engine of its own, or to a server through the bridge."""
    if way == "engine":
        async with in_memory() as (peer, _):
            yield peer
        return
    async with Server(settings()) as server:
        host, port = server.tcp_address if way == "tcp" else server.websocket_address
        near = MemoryTransport()
        bridging = asyncio.create_task(bridge(near, f"{way}://{host}:{port}"))
        yield near
        await bridging


@pytest.mark.parametrize("way", ["engine", "tcp", "ws"])
@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda transcript: transcript.title)
async def test_a_manager_hears_what_it_waits_for(way: str, transcript: Transcript) -> None:
    script = ScriptedPeer(transcript)
    async with reached(way) as peer:
        while not script.is_done:
            if (said := script.says()) is not None:
                await peer.say(said)
            else:
                heard = await peer.hear()
                assert heard is not None
                script.hears(heard)


async def test_the_command_that_a_manager_starts() -> None:
    """Over real pipes too, from a process that has everything yet to load."""
    script = ScriptedPeer(next(t for t in TRANSCRIPTS if t.title == "cutechess-tictactoe"))
    peer = await StdioPeer.start()
    try:
        while not script.is_done:
            if (said := script.says()) is not None:
                await peer.say(said)
            else:
                script.hears(await peer.hear() or "")
    finally:
        await peer.leave()
    assert peer.process.returncode == 0


def test_both_managers_are_here() -> None:
    assert {transcript.dialect for transcript in TRANSCRIPTS} == {"uci", "ugi"}
