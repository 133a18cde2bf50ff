"""TLS on both ports, and clients that look at whom they talk to."""

from __future__ import annotations

import asyncio
import json
import ssl
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trustme

from plywire.clients.connecting.client import Backoff, connect
from plywire.clients.connecting.errors import ConnectionLostError
from plywire.clients.connecting.transports.open import open_transport
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.peers import settings
from tests.support.until import until


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """One that clients trust."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    return authority


def secure(folder: Path, authority: trustme.CA, name: str = "127.0.0.1") -> Settings:
    """Settings of a server with a certificate of that name."""
    issued = authority.issue_cert(name)
    for number, blob in enumerate(issued.cert_chain_pems):
        blob.write_to_path(str(folder / "cert.pem"), append=number > 0)
    issued.private_key_pem.write_to_path(str(folder / "key.pem"))
    return settings(tls_cert=folder / "cert.pem", tls_key=folder / "key.pem")


@pytest.fixture
async def server(tmp_path: Path, authority: trustme.CA) -> AsyncIterator[Server]:
    async with Server(secure(tmp_path, authority)) as running:
        yield running


def urls(server: Server) -> list[str]:
    tcp, websocket = server.tcp_address[1], server.websocket_address[1]
    return [f"tls://127.0.0.1:{tcp}", f"wss://127.0.0.1:{websocket}"]


async def test_clients_play_over_tls(server: Server) -> None:
    for url in urls(server):
        async with connect(url) as game:
            await game.new_game("tictactoe")
            assert len(await game.legal()) == 9
    await until(lambda: not server.sessions)


async def test_the_page_is_given_over_tls(server: Server) -> None:
    def ask(path: str) -> bytes:
        where = urls(server)[1].replace("wss", "https")
        context = ssl.create_default_context()
        with urllib.request.urlopen(f"{where}{path}", timeout=10, context=context) as response:
            body: bytes = response.read()
            return body

    assert json.loads(await asyncio.to_thread(ask, "/healthz"))["status"] == "ok"
    assert b"<!doctype html>" in await asyncio.to_thread(ask, "/")


async def test_a_certificate_may_hold_its_key(tmp_path: Path, authority: trustme.CA) -> None:
    issued = authority.issue_cert("127.0.0.1")
    issued.private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "both.pem"))
    async with (
        Server(settings(tls_cert=tmp_path / "both.pem")) as server,
        connect(urls(server)[0]) as game,
    ):
        assert len(await game.legal()) == 7


async def test_a_certificate_of_an_unknown_authority_is_refused(
    tmp_path: Path, authority: trustme.CA
) -> None:
    async with Server(secure(tmp_path, trustme.CA())) as server:
        for url in urls(server):
            with pytest.raises(ConnectionRefusedError) as refused:
                await open_transport(url)
            where = url.partition("://")[2]
            said = str(refused.value)
            assert said.startswith(f"the certificate of {where} is not trusted: ")
            assert said.endswith("; SSL_CERT_FILE may name a file of other authorities")
            assert "\n" not in said


async def test_a_certificate_of_another_name_is_refused(
    tmp_path: Path, authority: trustme.CA
) -> None:
    async with Server(secure(tmp_path, authority, "games.example.org")) as server:
        for url in urls(server):
            with pytest.raises(ConnectionRefusedError, match=r"not valid for '127\.0\.0\.1'"):
                await open_transport(url)


async def test_tls_where_there_is_none_and_none_where_there_is(server: Server) -> None:
    async with Server(settings()) as plain:
        for url in urls(plain):
            with pytest.raises(ConnectionRefusedError, match=r"^no TLS at 127\.0\.0\.1:"):
                await open_transport(url)
    tcp, websocket = urls(server)
    with pytest.raises(ConnectionRefusedError, match=r"^no WebSocket at 127\.0\.0\.1:"):
        await open_transport(websocket.replace("wss", "ws"))
    with pytest.raises(ConnectionLostError, match="no connection to tcp://"):
        async with connect(tcp.replace("tls", "tcp"), backoff=Backoff(attempts=1)):
            pass
    async with connect(tcp) as game:
        assert len(await game.legal()) == 7


async def test_files_that_are_no_certificate_are_an_error(
    tmp_path: Path, authority: trustme.CA
) -> None:
    good = secure(tmp_path, authority)
    (tmp_path / "junk.pem").write_text("junk")
    for changes in (
        {"tls_cert": tmp_path / "none.pem"},
        {"tls_cert": tmp_path / "junk.pem"},
        {"tls_key": tmp_path / "junk.pem"},
        {"tls_key": None},
    ):
        with pytest.raises(OSError, match=r"no certificate and key can be read from .*\.pem"):
            async with Server(good.model_copy(update=changes)):
                raise AssertionError("a server without a certificate")


def test_a_key_needs_a_certificate(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--tls-key needs --tls-cert"):
        Settings(tls_key=tmp_path / "key.pem")
