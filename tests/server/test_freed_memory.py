"""Memory that is free goes back to the system."""

import platform
import re
from pathlib import Path

import pytest

from plywire.server import freed_memory
from plywire.server.serve import Server
from tests.support.peers import TcpPeer, settings
from tests.support.until import until


def resident() -> int:
    """How much memory this process holds, in KB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1])


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators give it back")
async def test_what_is_free_between_what_is_not_goes_back_when_a_peer_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(freed_memory, "_AFTER", 0.0)
    async with Server(settings()) as server:
        peer = await TcpPeer.connect(server)
        blocks: list[bytes | None] = [bytes(4000) for _ in range(20_000)]
        for number in range(len(blocks)):
            if number % 200:
                blocks[number] = None
        held = resident()
        await peer.leave()
        await until(lambda: resident() < held - 40_000)
