"""What the server tells of where it listens."""

from __future__ import annotations

from pathlib import Path

import pytest

from plywire.clients.connecting.client import connect
from plywire.server.serve import Server
from plywire.server.settings import Settings
from plywire.server.transports.addresses import Listening, exposure
from tests.support.peers import settings


def test_addresses_of_ipv6_can_be_used_as_they_are_told() -> None:
    addresses = Listening.at(Settings(host="::1"), ("::1", 7590), ("::1", 7591))
    assert addresses.for_logs() == (
        "listening url=tcp://[::1]:7590",
        "listening url=ws://[::1]:7591 health=http://[::1]:7591/healthz",
        "listening url=http://[::1]:7591/",
    )
    assert addresses.for_people() == (
        "Page in the browser:  http://[::1]:7591/",
        "Line clients:         tcp://[::1]:7590  (try: nc ::1 7590)",
        "WebSocket clients:    ws://[::1]:7591",
    )


async def test_a_server_on_ipv6_is_reached_as_it_says() -> None:
    async with Server(settings(host="::1")) as server:
        told = Listening.at(settings(host="::1"), server.tcp_address, server.websocket_address)
        for url in (told.lines, told.websocket):
            async with connect(url) as game:
                assert len(await game.legal()) == 7


@pytest.mark.parametrize(("host", "told"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])
def test_where_everybody_gets_an_address_is_told_that_can_be_opened(host: str, told: str) -> None:
    chosen = Settings(host=host, tls_cert=Path("cert.pem"))
    addresses = Listening.at(chosen, (host, 1), (host, 2))
    assert addresses.for_logs() == (
        f"listening url=tls://{told}:1",
        f"listening url=wss://{told}:2 health=https://{told}:2/healthz",
        f"listening url=https://{told}:2/",
    )
    assert addresses.for_people() == (
        f"Page in the browser:  https://{told}:2/",
        f"Line clients:         tls://{told}:1",
        f"WebSocket clients:    wss://{told}:2",
    )


def test_what_it_means_that_others_get_there() -> None:
    for host in ("127.0.0.1", "127.1.2.3", "::1", "localhost"):
        assert exposure(Settings(host=host)) is None
    everywhere = exposure(Settings(host="0.0.0.0", mqtt="embedded"))
    assert everywhere is not None
    assert "every client that reaches any address of this machine may connect" in everywhere
    assert "nothing is encrypted (see --tls-cert)" in everywhere
    assert "the embedded broker asks for no name" in everywhere
    one = exposure(Settings(host="192.0.2.1", tls_cert=Path("cert.pem")))
    assert one is not None
    assert "every client that reaches 192.0.2.1 may connect" in one
    assert "encrypted" not in one
