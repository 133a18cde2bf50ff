"""The page and its files over plain HTTP, and which web pages may open a WebSocket."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import re
import socket
from dataclasses import dataclass

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Request

from plywire.server.serve import Server
from plywire.server.transports.http import Http, load
from plywire.server.transports.http_connection import _PIECE
from tests.support.peers import WebSocketPeer, settings
from tests.support.until import until

#: All that a browser loads, together, as it travels.
MOST_BYTES = 80_000


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


async def get(server: Server, path: str, method: str = "GET", **headers: str) -> Answer:
    def ask() -> Answer:
        connection = http.client.HTTPConnection(*server.websocket_address, timeout=10)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=fields)
        response = connection.getresponse()
        answer = Answer(response.status, dict(response.headers.items()), response.read())
        connection.close()
        return answer

    return await asyncio.to_thread(ask)


def _named(start: str, end: str) -> str:
    """The path of a file of the engine in the page, whose name has a hash."""
    return next(
        path for path in load() if path.startswith(f"/engine/{start}-") and path.endswith(end)
    )


async def raw(server: Server, request: str) -> str:
    """All that is answered to a request."""
    reader, writer = await asyncio.open_connection(*server.websocket_address)
    writer.write(request.encode())
    answer = (await reader.read()).decode()
    writer.close()
    return answer


@pytest.mark.parametrize(
    ("path", "type_", "start"),
    [
        ("/", "text/html; charset=utf-8", b"<!doctype html>"),
        ("/?x=1", "text/html; charset=utf-8", b"<!doctype html>"),
        ("/main.js", "text/javascript; charset=utf-8", b"const m0 = "),
        ("/style.css", "text/css; charset=utf-8", b"/*"),
        ("/icon.svg", "image/svg+xml", b"<svg"),
        ("/engine/worker.js", "text/javascript; charset=utf-8", b"const m0 = "),
        (_named("connect4", ".wasm"), "application/wasm", b"\0asm"),
        (_named("othello", ".bin"), "application/octet-stream", b"\x1f\x8b"),
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
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    # The page is isolated from other origins, so that it may share memory with its engine.
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"


@pytest.mark.parametrize(
    "path", ["/nothing", "/../settings.py", "/index.html", "/view/boards/", "//"]
)
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


async def test_a_file_whose_name_has_a_hash_is_kept() -> None:
    async with Server(settings()) as server:
        answer = await get(server, _named("othello", ".wasm"))
        missing = await get(server, "/engine/othello-0123456789abcdef.wasm")
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert (missing.status, "Cache-Control" in missing.headers) == (404, False)


async def test_a_file_is_sent_as_fast_as_it_is_read() -> None:
    path = _named("othello", ".bin")
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
    client.setblocking(False)
    async with Server(settings()) as server:
        await asyncio.get_running_loop().sock_connect(client, server.websocket_address)
        reader, writer = await asyncio.open_connection(sock=client, limit=1 << 10)
        await until(lambda: len(server._handshakes) == 1)
        (connection,) = server._handshakes._pending
        served = connection.transport.get_extra_info("socket")
        served.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await until(lambda: connection.paused)
        assert connection.transport.get_write_buffer_size() <= 2 * _PIECE
        assert connection._late.cancelled()  # the time for a request
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
    assert head.startswith(b"HTTP/1.1 200 ")
    assert body == load()[path].body


@pytest.mark.parametrize("path", ["/", "/main.js", "/healthz", "/readyz", "/nothing"])
async def test_head_is_get_without_a_body(path: str) -> None:
    async with Server(settings()) as server:
        got, head = (
            await get(server, path),
            await raw(server, f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        )
    lines, _, body = head.partition("\r\n\r\n")
    assert lines.startswith(f"HTTP/1.1 {got.status} ")
    assert f"\r\nContent-Length: {len(got.body)}\r\n" in lines
    assert body == ""


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"])
@pytest.mark.parametrize(
    "body", ["", "Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n0"]
)
async def test_other_methods_are_not_allowed(method: str, body: str) -> None:
    async with Server(settings()) as server:
        answer = await raw(server, f"{method} / HTTP/1.1\r\nHost: localhost\r\n{body}\r\n\r\n")
    assert answer.startswith("HTTP/1.1 405 Method Not Allowed\r\n")
    assert "\r\nAllow: GET, HEAD\r\n" in answer
    assert answer.endswith("only GET, HEAD are accepted\n")


@pytest.mark.parametrize(
    ("bound", "host", "status"),
    [
        ("127.0.0.1", "127.0.0.1", 200),
        ("127.0.0.1", "localhost:80", 200),
        ("127.0.0.1", "LOCALHOST.", 200),
        ("127.0.0.1", "[::1]:7591", 200),
        ("127.0.0.1", "games.example.org", 200),
        ("127.0.0.1", "games.example.org:8443", 200),
        ("127.0.0.1", "example.org", 421),
        ("127.0.0.1", "evil.example:7591", 421),
        ("127.0.0.1", "localhost.evil.example", 421),
        ("127.0.0.1", "127.0.0.1.evil.example", 421),
        ("127.0.0.1", "192.0.2.1:7591", 421),
        ("127.0.0.1", "[::1", 421),
        ("localhost", "127.0.0.1", 200),
    ],
)
async def test_the_server_answers_to_its_own_names_alone(
    bound: str, host: str, status: int
) -> None:
    """A page of a name whose owner has it lead here is of the server's origin, to the browser."""
    async with Server(settings(host=bound, origins=("https://games.example.org",))) as server:
        for path in ("/", "/healthz"):
            assert (await get(server, path, Host=host)).status == status
        port = server.websocket_address[1]
        handshake = (
            f"GET / HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(handshake.encode())
        first = (await reader.readline()).decode()
        writer.close()
        assert first.startswith(f"HTTP/1.1 {101 if status == 200 else status} ")


@pytest.mark.parametrize(
    ("bound", "host", "is_ours"),
    [
        ("0.0.0.0", "192.0.2.1:7591", True),
        ("::", "[2001:db8::1]:7591", True),
        ("0.0.0.0", "evil.example", False),
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("games.example.org", "Games.example.org:80", True),
    ],
)
def test_where_the_server_listens_is_a_name_of_it(bound: str, host: str, is_ours: bool) -> None:
    answer = Http({}, bound, (), dict, lambda: (True, {})).answer(
        Request("/healthz", Headers(Host=host)), "2001:db8::1" if ":" in bound else "192.0.2.1"
    )
    assert answer is not None
    assert answer.status_code == (200 if is_ours else 421)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ("GET / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: a://b\r\nOrigin: a://b\r\n", 400),
        ("GET /healthz HTTP/1.0\r\n", 200),
    ],
)
async def test_one_host_is_told(request_: str, status: int) -> None:
    async with Server(settings()) as server:
        assert (await raw(server, f"{request_}\r\n")).startswith(f"HTTP/1.1 {status} ")


GET = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (f"{GET}\r\n{GET}\r\n", 200),
        (f"{GET}\r\n{'x' * 5000}", 200),
        (f"{GET}Content-Length: 0\r\n\r\n", 200),
        (f"{GET}Content-Length: 5\r\n\r\nhello", 400),
        (f"{GET}Content-Length: five\r\n\r\n", 400),
        (f"{GET}Content-Length: -1\r\n\r\n", 400),
        (f"{GET}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (f"{GET}bad field: x\r\n\r\n", 400),
        (f"{GET}no colon\r\n\r\n", 400),
        ("GET /healthz HTTP/3.0\r\n\r\n", 400),
        ("GET /healthz\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\n\n", 400),
        (f"{GET}X: {'x' * 10_000}\r\n\r\n", 431),
    ],
)
async def test_every_request_is_answered_once(request_: str, status: int) -> None:
    async with Server(settings()) as server:
        answer = await raw(server, request_)
    assert answer.startswith(f"HTTP/1.1 {status} ")
    assert answer.count("\r\nDate: ") == 1
    assert "\r\nConnection: close\r\n" in answer


async def test_a_request_may_come_byte_by_byte() -> None:
    async with Server(settings()) as server:
        reader, writer = await asyncio.open_connection(*server.websocket_address)
        for byte in f"{GET}\r\n{GET}\r\n".encode():
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)
        answer = (await reader.read()).decode()
        writer.close()
    assert answer.startswith("HTTP/1.1 200 ")


async def test_an_origin_must_be_the_servers_own_or_chosen() -> None:
    async with Server(settings(origins=("https://example.org",))) as server:
        host, port = server.websocket_address
        for origin in (f"http://{host}:{port}", f"https://{host}:{port}", "https://example.org"):
            peer = await WebSocketPeer.connect(server, origin=origin)
            await peer.leave()
        for origin in (
            f"http://{host}:1",
            "http://example.org",
            "null",
            "https://example.com",
            "http://[",
        ):
            with pytest.raises(InvalidStatus) as refused:
                await WebSocketPeer.connect(server, origin=origin)
            assert refused.value.response.status_code == 403


async def test_a_star_lets_every_origin_in() -> None:
    async with Server(settings(origins=("*",))) as server:
        peer = await WebSocketPeer.connect(server, origin="null")
        await peer.say("ping")
        assert await peer.hear() == "pong"
        await peer.leave()


async def test_files_travel_compressed_where_the_browser_takes_that() -> None:
    async with Server(settings()) as server:
        plain = await get(server, "/main.js", Accept_Encoding="br, gzip;q=0")
        packed = await get(server, "/main.js", Accept_Encoding="br, gzip")
        again = await get(server, "/main.js", If_None_Match=packed.headers["ETag"])
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain.body
    assert again.status == 304


async def test_a_field_on_several_lines_is_one_list() -> None:
    request = "GET / HTTP/1.1\r\nHost: localhost\r\n{0}: a\r\n{0}: b\r\n\r\n"
    async with Server(settings()) as server:
        for field in ("Accept-Encoding", "If-None-Match"):
            assert (await raw(server, request.format(field))).startswith("HTTP/1.1 200 ")


def test_the_page_is_small() -> None:
    files = load()
    later = {path for path in files if path.startswith("/engine/")} | {"/main.js.map"}
    assert files.keys() - later == {"/", "/style.css", "/main.js", "/icon.svg"}
    assert sum(len(files[path].compressed) for path in files.keys() - later) < MOST_BYTES


def test_the_page_loads_nothing_from_elsewhere() -> None:
    for path, file in load().items():
        text = file.body.decode(errors="replace")
        urls = set(re.findall(r"https?://[^\s\"'`)\\]+", text))
        assert urls <= {"http://www.w3.org/2000/svg"}, path


def test_games_and_tournaments_are_shown_by_the_page() -> None:
    http = Http(load(), "127.0.0.1", (), dict, lambda: (True, {}))

    def kind(path: str) -> tuple[int, str]:
        response = http.answer(Request(path, Headers(Host="localhost")), "127.0.0.1")
        assert response is not None
        return response.status_code, response.headers["Content-Type"].partition(";")[0]

    assert kind("/game/1.3") == kind("/tournament/Spring%20cup") == (200, "text/html")
    assert kind("/game/1.3/moves")[0] == kind("/games/1.3")[0] == 404
