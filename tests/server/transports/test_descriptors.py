"""A server that may open few files, and peers that would have it open many."""

from __future__ import annotations

import asyncio
import errno
import logging
import re
import sys

import pytest

from plywire.server.transports.descriptors import Complaints
from tests.support.raw_websocket import HANDSHAKE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such limit")

#: Runs a server that may have no more open files than this.
FEW = 200
LIMITED = f"""
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({FEW}, {FEW}))
from plywire.server.cli import app
app(prog_name="plywire")
"""


async def test_upgrades_left_half_open_keep_nobody_out_of_a_server_with_few_files() -> None:
    flags = ("serve", "--port", "0", "--websocket-port", "0", "--no-warmup")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LIMITED, *flags, stderr=asyncio.subprocess.PIPE
    )
    if process.stderr is None:
        raise RuntimeError("no pipe")
    logged, ports = "", []
    while len(ports) < 2:
        logged += (await process.stderr.readline()).decode()
        ports = [int(port) for port in re.findall(r"listening url=\w+://\S*?:(\d+)", logged)]
    half = []
    for _ in range(2 * FEW):
        _, writer = await asyncio.open_connection("127.0.0.1", ports[1])
        writer.write(HANDSHAKE[:40])
        half.append(writer)
    reader, writer = await asyncio.open_connection("127.0.0.1", ports[0])
    writer.write(b"ping\n")
    assert await reader.readline() == b"pong\n"
    for one in (writer, *half):
        one.transport.abort()
    process.terminate()
    logged += (await process.communicate())[1].decode()
    assert process.returncode == 0
    assert "Traceback" not in logged


async def test_what_cannot_be_accepted_is_complained_about_now_and_then(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop, complaints = asyncio.get_running_loop(), Complaints()
    for _ in range(100):
        error = OSError(errno.EMFILE, "Too many open files")
        complaints(loop, {"message": "socket.accept() out of system resource", "exception": error})
    (record,) = caplog.records
    assert record.getMessage() == "cannot accept connections error=Too many open files"
    assert record.exc_info is None


async def test_all_else_is_told_as_ever(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.get_running_loop()
    for error in (OSError(errno.EPIPE, "Broken pipe"), KeyError("bug"), KeyError("bug")):
        Complaints()(loop, {"message": "failed", "exception": error})
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 3
    assert all(record.exc_info for record in caplog.records)
