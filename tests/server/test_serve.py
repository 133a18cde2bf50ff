"""The server as a whole: its ports, its limits, and how it leaves."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plywire.engine.game import RulesError
from plywire.engine.readiness import PreparationProgress
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.serve import Server
from tests.support.fake_engine import FakeWarmer
from tests.support.peers import Peer, TcpPeer, WebSocketPeer, hear_until, settings
from tests.support.raw_websocket import connect_slow_reader
from tests.support.turned_clock import TurnedClock
from tests.support.until import until


def _get(url: str) -> tuple[int, str, bytes]:
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.status, response.headers["Content-Type"], response.read()


async def test_healthz() -> None:
    async with Server(settings()) as server:
        peer = await TcpPeer.connect(server)
        await peer.say("go infinite")
        await hear_until(peer, "info")
        host, port = server.websocket_address
        status, kind, body = await asyncio.to_thread(_get, f"http://{host}:{port}/healthz")
        assert (status, kind) == (200, "application/json")
        assert json.loads(body) == {"status": "ok", "sessions": 1, "searches": 1}
        await peer.leave()


async def test_readyz_waits_for_the_usual_game() -> None:
    async with Server(settings(game="othello")) as server:
        warmer = server._pool.warmer = FakeWarmer(is_warm=False)  # type: ignore[assignment]
        host, port = server.websocket_address
        url = f"http://{host}:{port}/readyz"
        unready = {"connect4": False, "othello": False, "tictactoe": False}
        said = {"status": "preparing", "game": "othello", "ready": unready, "seconds_left": None}
        assert await asyncio.to_thread(_get_json, url) == (503, said)
        warmer.told = PreparationProgress("machine code", 1.5)
        assert await asyncio.to_thread(_get_json, url) == (503, {**said, "seconds_left": 2})
        warmer.ready.set_result(None)
        said |= {"status": "ready", "ready": dict.fromkeys(unready, True)}
        assert await asyncio.to_thread(_get_json, url) == (200, said)
        status, _, body = await asyncio.to_thread(_get, f"http://{host}:{port}/healthz")
        assert (status, json.loads(body)["status"]) == (200, "ok")


def _get_json(url: str) -> tuple[int, object]:
    try:
        status, _, body = _get(url)
    except urllib.error.HTTPError as refusal:
        with refusal:
            status, body = refusal.code, refusal.read()
    return status, json.loads(body)


@pytest.mark.parametrize("kind", [TcpPeer, WebSocketPeer])
async def test_shutdown_lets_searches_answer(kind: type[TcpPeer] | type[WebSocketPeer]) -> None:
    async with Server(settings()) as server:
        thinking, silent = await kind.connect(server), await kind.connect(server)
        await thinking.say("go infinite")
        await hear_until(thinking, "info")
        await silent.say("ping")
        await hear_until(silent, "pong")
    lines = await hear_until(thinking, "bye")
    assert lines[-2].startswith("bestmove ")
    assert lines[-1] == "bye the server is shutting down"
    assert await hear_until(silent, "bye") == ["bye the server is shutting down"]
    assert await silent.hear() is None
    await thinking.leave()
    await silent.leave()


@pytest.mark.parametrize("kind", [TcpPeer, WebSocketPeer])
async def test_disconnecting_ends_the_search(kind: type[TcpPeer] | type[WebSocketPeer]) -> None:
    async with Server(settings()) as server:
        peer = await kind.connect(server)
        await peer.say("go infinite")
        await hear_until(peer, "info")
        await peer.leave()
        await until(lambda: not server.sessions)
        assert server.searches == 0


@pytest.mark.parametrize("kind", [TcpPeer, WebSocketPeer])
async def test_no_more_sessions_than_there_may_be(
    kind: type[TcpPeer] | type[WebSocketPeer],
) -> None:
    async with Server(settings(max_sessions=1)) as server:
        first = await kind.connect(server)
        await first.say("ping")
        assert await first.hear() == "pong"
        second = await kind.connect(server)
        lines = await hear_until(second, "bye")
        assert lines[0].startswith("error too-many all 1 sessions are taken")
        assert await second.hear() is None
        await first.leave()
        await until(lambda: not server.sessions)
        third = await kind.connect(server)
        await third.say("ping")
        assert await third.hear() == "pong"
        await second.leave()
        await third.leave()


@pytest.mark.parametrize("kind", [TcpPeer, WebSocketPeer])
async def test_the_last_sessions_are_for_bots_that_log_in(
    kind: type[TcpPeer] | type[WebSocketPeer], tmp_path: Path
) -> None:
    token = accounts_of(tmp_path).add("ann")
    clock = TurnedClock()
    chosen = settings(arena=tmp_path, max_sessions=4, reserved_sessions=2)
    async with Server(chosen, clock) as server:
        peers = [await kind.connect(server) for _ in range(4)]
        await peers[3].say(f"login ann {token}")
        await hear_until(peers[3], "welcome")
        for peer in peers[:3]:
            await peer.say("ping")
            assert await peer.hear() == "pong"
        await clock.advance(10)
        assert (await hear_until(peers[2], "bye"))[-1].endswith("kept for bots that log in")
        for peer in (peers[0], peers[1], peers[3]):
            await peer.say("ping")
            await hear_until(peer, "pong")
        for peer in peers:
            await peer.leave()


async def test_connections_that_say_nothing_keep_nobody_out() -> None:
    clock = TurnedClock()
    async with Server(settings(max_sessions=4), clock) as server:
        idle = [await TcpPeer.connect(server) for _ in range(4)]
        await until(lambda: server.sessions == 4)
        refused = await TcpPeer.connect(server)
        assert (await hear_until(refused, "bye"))[0].startswith("error too-many all 4 sessions")
        await clock.advance(1)
        newcomer = await TcpPeer.connect(server)
        await newcomer.say("ping")
        assert await newcomer.hear() == "pong"
        assert await idle[0].hear() == "bye nothing said, and others need the session"
        for peer in (*idle, refused, newcomer):
            await peer.leave()


@pytest.mark.parametrize("kind", [TcpPeer, WebSocketPeer])
async def test_an_address_has_only_so_many_sessions(
    kind: type[TcpPeer] | type[WebSocketPeer], monkeypatch: pytest.MonkeyPatch
) -> None:
    # This machine's own address is not limited: have it look like another's.
    for module in ("serve", "sessions.peer_loop"):
        monkeypatch.setattr(f"plywire.server.{module}.network_of", lambda host: host)
    async with Server(settings(max_sessions_per_address=2)) as server:
        peers = [await kind.connect(server) for _ in range(3)]
        for peer in peers[:2]:
            await peer.say("ping")
            assert await peer.hear() == "pong"
        lines = await hear_until(peers[2], "bye")
        assert lines[0].startswith("error too-many all 2 sessions of your address are taken")
        for peer in peers:
            await peer.leave()


async def test_a_peer_that_reads_nothing_is_sent_away() -> None:
    async with Server(settings(messages_per_second=0, write_timeout=0.05)) as server:
        peer = TcpPeer(*await connect_slow_reader(server.tcp_address, server))
        with suppress(ConnectionError):
            while server.sessions:
                await peer.say("games\n" * 1000)
        await until(lambda: not server.sessions)
        await peer.leave()


async def test_binary_frames_are_refused() -> None:
    async with Server(settings()) as server:
        peer = await WebSocketPeer.connect(server)
        await peer.connection.send(b"ping")
        with pytest.raises(ConnectionClosed) as closed:
            await peer.connection.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, "text frames" in closed.value.rcvd.reason) == (1003, True)


async def test_a_frame_may_hold_several_lines() -> None:
    async with Server(settings()) as server:
        peer = await WebSocketPeer.connect(server)
        await peer.say("ping\nlegal\n")
        assert [await peer.hear() for _ in range(3)] == ["pong", "legal 1 2 3 4 5 6 7", "ok"]
        await peer.leave()


async def test_origins() -> None:
    chosen = settings(origins=("https://example.org",))
    async with Server(chosen) as server:
        for origin in ("https://example.org", None):
            peer: Peer = await WebSocketPeer.connect(server, origin=origin)
            await peer.say("ping")
            assert await peer.hear() == "pong"
            await peer.leave()
        with pytest.raises(InvalidStatus) as refused:
            await WebSocketPeer.connect(server, origin="https://example.com")
        assert refused.value.response.status_code == 403


async def test_a_taken_port_is_an_error_and_leaves_nothing_behind() -> None:
    async with Server(settings()) as server:
        port = server.tcp_address[1]
        for option, chosen in (
            ("--port", settings(port=port)),
            ("--websocket-port", settings(websocket_port=port)),
        ):
            told = (
                f"^127.0.0.1:{port}: address already in use; choose another port by {option},"
                " or 0 for a free one$"
            )
            with pytest.raises(OSError, match=told):
                async with Server(chosen):
                    raise AssertionError("two servers on one port")


def test_an_unknown_game_is_an_error() -> None:
    with pytest.raises(RulesError, match="unknown game"):
        Server(settings(game="chess"))


async def test_more_thinking_peers_than_threads() -> None:
    async with Server(settings(threads=1, hash=1)) as server:
        peers = [await TcpPeer.connect(server) for _ in range(12)]
        await peers[0].say("eval")  # readies the game
        await hear_until(peers[0], "ok")
        await peers[0].say("go infinite")
        for peer in peers[1:]:
            await peer.say("go movetime 300")
        for peer in peers[1:]:
            lines = await hear_until(peer, "bestmove")
            assert any(line.startswith("info depth ") for line in lines)
        await peers[0].say("stop")
        await hear_until(peers[0], "bestmove")
        for peer in peers:
            await peer.leave()


async def test_a_web_page_cannot_drive_the_line_port() -> None:
    """By a request whose body is commands, which any page may send to any port."""
    async with Server(settings()) as server:
        host, port = server.tcp_address
        reader, writer = await asyncio.open_connection(host, port)
        body = "new-game othello\nlegal\ngo depth 3\n" * 100
        head = f"POST /game HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write((head + body).encode())
        assert await reader.readline() == (
            b"error syntax this connection speaks HTTP: only lines of a dialect are accepted here\n"
        )
        assert await reader.readline() == b"bye\n"
        writer.close()
        await until(lambda: not server.sessions)
        assert server.searches == 0
