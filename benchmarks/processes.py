"""Servers in other processes, so that they do not share an interpreter with the benchmark."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

_PLYWIRE = "from plywire.server.cli import app; app(prog_name='plywire')"


def plywire_command(*flags: str) -> list[str]:
    """Return the command that starts a server on free ports."""
    command = [sys.executable, "-c", _PLYWIRE, "serve", "--port", "0", "--websocket-port", "0"]
    return [*command, *flags]


class Served(NamedTuple):
    """The addresses of a server that listens."""

    tcp: int
    """The port of line clients."""
    websocket: int
    pid: int


@asynccontextmanager
async def plywire_server(*flags: str) -> AsyncIterator[Served]:
    """Start a server and wait for its games, except with `--no-warmup`."""
    async with _process(plywire_command(*flags)) as (process, lines):
        ports: list[int] = []
        ready = 3 if "--no-warmup" in flags else 0
        while ready < 3 or len(ports) < 2:
            line = await anext(lines)
            ports += map(int, re.findall(r"url=\w+://[^ ]*:(\d+)", line))
            ready += " ready game=" in line
        # If nobody read its log, the server would stop.
        reading = asyncio.create_task(_read(lines))
        try:
            yield Served(ports[0], ports[1], process.pid)
        finally:
            reading.cancel()


async def _read(lines: AsyncIterator[str]) -> None:
    async for _ in lines:
        pass


@asynccontextmanager
async def python_server(code: str) -> AsyncIterator[int]:
    """Start a program that prints its port to standard error; yields the port."""
    async with _process([sys.executable, "-c", code]) as (_, lines):
        yield int(await anext(lines))


@asynccontextmanager
async def _process(
    command: Sequence[str],
) -> AsyncIterator[tuple[asyncio.subprocess.Process, AsyncIterator[str]]]:
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    if process.stderr is None:
        raise RuntimeError("no pipe")
    stderr = process.stderr

    async def lines() -> AsyncIterator[str]:
        while line := await stderr.readline():
            yield line.decode()

    try:
        yield process, lines()
    finally:
        process.terminate()
        await process.wait()


def resident_memory(pid: int) -> float:
    """Return the resident memory of a process, in MB; Linux only."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]
