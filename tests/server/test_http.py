"""The page and its files over plain HTTP, and which web pages may open a WebSocket."""

from __future__ import annotations

import asyncio
import http.client
import re
from dataclasses import dataclass

import pytest
from websockets.exceptions import InvalidStatus

from plywire.server.http import WEB
from plywire.server.serve import Server
from tests.support.peers import WebSocketPeer, settings

#: All that a browser loads, together.
MOST_BYTES = 150_000


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


async def get(server: Server, path: str, **headers: str) -> Answer:
    def ask() -> Answer:
        connection = http.client.HTTPConnection(*server.websocket_address, timeout=10)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers=fields)
        response = connection.getresponse()
        answer = Answer(response.status, dict(response.headers.items()), response.read())
        connection.close()
        return answer

    return await asyncio.to_thread(ask)


@pytest.mark.parametrize(
    ("path", "type_", "start"),
    [
        ("/", "text/html; charset=utf-8", b"<!doctype html>"),
        ("/?x=1", "text/html; charset=utf-8", b"<!doctype html>"),
        ("/main.js", "text/javascript; charset=utf-8", b"/**"),
        ("/boards/othello.js", "text/javascript; charset=utf-8", b"/**"),
        ("/style.css", "text/css; charset=utf-8", b"/*"),
        ("/icon.svg", "image/svg+xml", b"<svg"),
    ],
)
async def test_files(path: str, type_: str, start: bytes) -> None:
    async with Server(settings()) as server:
        answer = await get(server, path)
    assert (answer.status, answer.headers["Content-Type"]) == (200, type_)
    assert answer.body.startswith(start)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["/nothing", "/../settings.py", "/index.html", "/boards/", "//"])
async def test_nothing_else_is_served(path: str) -> None:
    async with Server(settings()) as server:
        answer = await get(server, path)
    assert (answer.status, answer.body) == (404, b"there is no such page\n")


async def test_a_file_is_sent_again_only_when_it_changed() -> None:
    async with Server(settings()) as server:
        first = await get(server, "/main.js")
        assert first.headers["Cache-Control"] == "no-cache"
        again = await get(server, "/main.js", If_None_Match=f'"other", {first.headers["ETag"]}')
        other = await get(server, "/main.js", If_None_Match='"other"')
    assert (again.status, again.body) == (304, b"")
    assert (other.status, other.body) == (200, first.body)


async def test_an_origin_must_be_the_servers_own_or_chosen() -> None:
    async with Server(settings(origins=("https://example.org",))) as server:
        host, port = server.websocket_address
        for origin in (f"http://{host}:{port}", f"https://{host}:{port}", "https://example.org"):
            peer = await WebSocketPeer.connect(server, origin=origin)
            await peer.leave()
        for origin in (f"http://{host}:1", "http://example.org", "null", "https://example.com"):
            with pytest.raises(InvalidStatus) as refused:
                await WebSocketPeer.connect(server, origin=origin)
            assert refused.value.response.status_code == 403


async def test_a_star_lets_every_origin_in() -> None:
    async with Server(settings(origins=("*",))) as server:
        peer = await WebSocketPeer.connect(server, origin="null")
        await peer.say("ping")
        assert await peer.hear() == "pong"
        await peer.leave()


def test_the_page_is_small_and_loads_nothing_from_elsewhere() -> None:
    texts = {path: path.read_text() for path in WEB.rglob("*") if path.is_file()}
    assert sum(len(text.encode()) for text in texts.values()) < MOST_BYTES
    for path, text in texts.items():
        urls = set(re.findall(r"https?://[^\s\"'`)]+", text))
        assert urls <= {"http://www.w3.org/2000/svg"}, path
