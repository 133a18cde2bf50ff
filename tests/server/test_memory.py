"""What is left of those who left: nothing."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from plywire.server.serve import Server
from tests.support.peers import TcpPeer, WebSocketPeer, hear_until, settings
from tests.support.until import until


@pytest.fixture(autouse=True)
def _nothing_is_collected() -> Iterator[None]:
    """Sessions are to be freed when they end, not when circles are looked for."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("kind", [TcpPeer, WebSocketPeer])
@pytest.mark.parametrize("has_arena", [False, True])
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("ping", "pong"),
        ("go depth 3", "bestmove"),
        ("go infinite", "info"),
        ("watch", ("ok", "error")),
        ("login nobody wrong", "error"),
        ("what is \x07 this", "error"),
        ("no-such-command", "error"),
        ("move z9", "error"),
        ("new-game chess", "error"),
    ],
)
async def test_a_session_and_its_tables_end_with_the_connection(
    kind: type[TcpPeer] | type[WebSocketPeer],
    has_arena: bool,
    said: str,
    heard: str | tuple[str, ...],
    tmp_path: Path,
) -> None:
    async with Server(settings(arena=tmp_path / "arena" if has_arena else None)) as server:
        peer = await kind.connect(server)
        await peer.say(said)
        await hear_until(peer, *((heard,) if isinstance(heard, str) else heard))
        (peer_loop,) = server._peers
        left = [
            weakref.ref(what)
            for what in (peer_loop, peer_loop._session, peer_loop._session._thinking.engine)
        ]
        del peer_loop
        await peer.leave()
        await until(lambda: not server.sessions)
        await until(lambda: not any(ref() for ref in left))
