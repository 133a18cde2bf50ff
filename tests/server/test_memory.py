"""What is left of those who left: nothing."""

from __future__ import annotations

import gc
import weakref
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from plywire.server import freed_memory
from plywire.server.serve import Server
from tests.support.peers import TcpPeer, WebSocketPeer, hear_until, settings
from tests.support.until import until

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(autouse=True)
def _nothing_else_is_collected(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server itself frees sessions soon after they end, and nothing else does."""
    monkeypatch.setattr(freed_memory, "_AFTER", 0.05)
    gc.disable()
    yield
    gc.enable()


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=[False, True], ids=["no arena", "arena"]
)
async def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Server]:
    folder = tmp_path_factory.mktemp("arena") if request.param else None
    async with Server(settings(arena=folder)) as server:
        yield server


@pytest.mark.parametrize("kind", [TcpPeer, WebSocketPeer])
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
    said: str,
    heard: str | tuple[str, ...],
    server: Server,
) -> None:
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
