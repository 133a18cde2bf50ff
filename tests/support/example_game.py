"""The game of `examples/gomoku`, installed as anybody installs it, and a server that plays it."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "gomoku"
PLYWIRE = [sys.executable, "-c", "from plywire.server.cli import app; app(prog_name='plywire')"]


@dataclass(frozen=True)
class Addresses:
    """Where a server listens."""

    tcp_address: tuple[str, int]
    websocket_address: tuple[str, int]


def install(folder: Path) -> dict[str, str]:
    """The environment of programs that find the example, installed by pip."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-build-isolation", "--no-compile", "--target", folder]
    subprocess.run([*pip, "install", *options, EXAMPLE], check=True)
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return os.environ | {"PYTHONPATH": path, "COLUMNS": "200", "NO_COLOR": "1"}


@asynccontextmanager
async def serving(environment: Mapping[str, str]) -> AsyncIterator[Addresses]:
    """A server that is a program of its own."""
    process = await asyncio.create_subprocess_exec(
        *[*PLYWIRE, "serve", "--port", "0", "--websocket-port", "0", "--no-warmup"],
        env=environment,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        ports = list[int]()
        while len(ports) < 2:
            line = (await process.stderr.readline()).decode()
            assert line, "the server ended"
            ports += [int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", line)]
        yield Addresses(("127.0.0.1", ports[0]), ("127.0.0.1", ports[1]))
    finally:
        process.terminate()
        await process.communicate()
