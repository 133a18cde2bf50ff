"""A server under siege: hostile clients of all kinds at once, and two honest ones.

    python benchmarks/siege.py

Meanwhile bots play in the arena, and spectators watch. Aims: no internal error; the 99th percentile
of an honest client's pings under 50 ms, and of another's `go movetime 200` under 250 ms; and after
all have left, the server's memory back within 30 MB. Linux only: the benchmark reads the server's
memory from /proc.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import logging
import multiprocessing
import os
import random
import re
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Annotated

import typer
from processes import percentile, plywire_command, resident_memory
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.arena import Seek
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.cli.common import screen
from plywire.server.transports import descriptors

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.garbage import OPENINGS, PINGS, STOPS, line

#: Fuzzed lines of a connection; a client may send as many at once.
LINES = 500
#: Connections that send fuzzed lines at the same time.
_FUZZERS = 6
#: Bytes a second of the flood of junk.
_JUNK_RATE = 1.6e6
#: Seconds from an answer to an honest client's next question.
_ASK_EVERY = 0.01
#: Dozens of connections that send fuzzed lines before memory is measured.
_WARM_UP = 3
#: Handshakes that never end.
_HALF_OPEN = 300
#: Marks of a fault in the server's log or in an answer.
_FAULT = re.compile(r"Traceback| ERROR |error internal|\"internal\"")


@dataclass(frozen=True)
class Place:
    """A running server."""

    pid: int
    tcp: int
    websocket: int
    log: Path

    @property
    def url(self) -> str:
        """The address of WebSocket."""
        return f"ws://127.0.0.1:{self.websocket}"

    def memory(self) -> float:
        """Return the resident memory, in MB."""
        return resident_memory(self.pid)

    def faults(self) -> list[str]:
        """Return the lines of the log that show faults."""
        return [text for text in self.log.read_text().splitlines() if _FAULT.search(text)]


@asynccontextmanager
async def serve(folder: Path, sessions: int, *flags: str) -> AsyncIterator[Place]:
    """Start a server with an arena, and wait for its games."""
    log = folder / "log"
    command = plywire_command("--arena", str(folder), "--max-sessions", str(sessions), *flags)
    with log.open("w") as file:
        process = await asyncio.create_subprocess_exec(*command, stderr=file)
        try:
            ports: list[int] = []
            while len(ports) < 2 or log.read_text().count(" ready game=") < 3:
                await asyncio.sleep(0.1)
                ports = [int(port) for port in re.findall(r"url=\w+://\S*?:(\d+)", log.read_text())]
            yield Place(process.pid, ports[0], ports[1], log)
        finally:
            process.terminate()
            await process.wait()


# ---- honest clients ----


def _honest(
    place: Place,
    over: Event,
    results: multiprocessing.Queue[list[float]],
    question: bytes,
    answer: bytes,
) -> None:
    """Ask again and again with blocking calls; reports the times, in ms."""
    times = []
    with socket.create_connection(("127.0.0.1", place.tcp)) as own, own.makefile("rb") as answers:
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        own.sendall(b"new-game othello\noption book 0\n")
        answers.readline()
        answers.readline()
        while not over.is_set():
            began = time.perf_counter()
            own.sendall(question)
            while not (line := answers.readline()).startswith(answer):
                if not line.startswith(b"info "):
                    raise RuntimeError(f"the honest peer was sent away: {line!r}")
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(_ASK_EVERY)
    results.put(times)


def be_elsewhere() -> None:
    """Leave the processor to the server, as if this process ran on another machine."""
    os.nice(19)
    descriptors.raise_limit()


# ---- fuzzed lines ----


def _fuzz(place: Place, lines: int, done: multiprocessing.Queue[tuple[int, str]]) -> None:
    be_elsewhere()
    asyncio.run(_fuzz_all(place, lines, done))


async def _fuzz_all(place: Place, lines: int, done: multiprocessing.Queue[tuple[int, str]]) -> None:
    """Send fuzzed lines in all dialects by both transports; reports each connection."""
    jobs = iter(range(0, lines, LINES))

    async def work() -> None:
        for number in jobs:
            count = min(LINES, lines - number)
            done.put((count, await talk(place, number // LINES, count)))

    await asyncio.gather(*(work() for _ in range(_FUZZERS)))


async def talk(place: Place, number: int, lines: int) -> str:
    """Send fuzzed lines by one connection; returns an answer that shows a fault, or ''."""
    chance = random.Random(number)
    dialect = list(OPENINGS)[number % len(OPENINGS)]
    said = [OPENINGS[dialect][0], *(line(dialect, chance) for _ in range(lines))]
    said += [STOPS[dialect], PINGS[dialect][0]]
    speak = _by_tcp if number // len(OPENINGS) % 2 else _by_websocket
    answers = await speak(place, said, PINGS[dialect][1])
    return next((answer for answer in answers if _FAULT.search(answer)), "")


async def _by_tcp(place: Place, said: list[bytes], last: str) -> list[str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", place.tcp, limit=2**20)
    answers: list[str] = []

    async def listen() -> None:
        while answer := await reader.readline():
            answers.append(answer.decode(errors="replace").rstrip())
            if answers[-1].startswith(last):
                return

    listening = asyncio.create_task(listen())
    with suppress(ConnectionError):
        for one in said:
            writer.write(one + b"\n")
            await writer.drain()
        await listening
    listening.cancel()
    writer.transport.abort()
    return answers


async def _by_websocket(place: Place, said: list[bytes], last: str) -> list[str]:
    answers: list[str] = []

    async def listen(connection: ClientConnection) -> None:
        async for message in connection:
            answers.append(str(message))
            if answers[-1].startswith(last):
                return

    # With many connections at once, the server may drop a handshake: then connect again.
    async for connection in connect(place.url, proxy=None, compression=None, ping_interval=None):
        listening = asyncio.create_task(listen(connection))
        with suppress(ConnectionClosed):
            for one in said:
                await connection.send(one.decode(errors="replace"))
            await listening
        listening.cancel()
        await connection.close()
        break
    return answers


# ---- floods ----


def _flood(place: Place, over: Event) -> None:
    be_elsewhere()
    asyncio.run(_flood_all(place, over))


async def _flood_all(place: Place, over: Event) -> None:
    floods = [_again(flood, place) for flood in (_ping_flood, _junk_flood, _size_flood)]
    tasks = [asyncio.create_task(flood) for flood in (*floods, _half_open(place))]
    await asyncio.to_thread(over.wait)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _again(flood: Callable[[Place], Coroutine[None, None, None]], place: Place) -> None:
    """Connect again whenever the server hangs up."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            await flood(place)
        await asyncio.sleep(0.05)


def _upgrade(place: Place) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{place.websocket}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    ).encode()


async def _ping_flood(place: Place) -> None:
    """Send WebSocket pings as fast as the server takes them, and read no pong."""
    reader, writer = await asyncio.open_connection("127.0.0.1", place.websocket, limit=256)
    try:
        writer.write(_upgrade(place))
        await reader.readuntil(b"\r\n\r\n")
        pings = Frame(Opcode.PING, b"x" * 125).serialize(mask=True) * 100
        while True:
            writer.write(pings)
            await writer.drain()
    finally:
        writer.transport.abort()


async def _junk_flood(place: Place) -> None:
    """Send lines without an answer at the rate of junk."""
    _, writer = await asyncio.open_connection("127.0.0.1", place.tcp)
    try:
        writer.write(b"nboard 2\n")
        while True:
            writer.write(b"junk of no use\n" * int(_JUNK_RATE / 15 / 50))
            await writer.drain()
            await asyncio.sleep(0.02)
    finally:
        writer.transport.abort()


def _sizes() -> Iterator[str]:
    """Yield all board sizes of Connect Four."""
    for width, height in itertools.product(range(4, 13), range(4, 16)):
        if width * (height + 1) <= 64:
            yield f"{width}x{height}"


async def _ask_of_all_sizes(place: Place, question: str, answer: bytes) -> None:
    """Ask a question for boards of all sizes, each after the answer to the one before."""
    reader, writer = await asyncio.open_connection("127.0.0.1", place.tcp)
    try:
        for size in _sizes():
            writer.write(question.format(size=size).encode())
            await reader.readuntil(answer)
    finally:
        writer.transport.abort()


async def _size_flood(place: Place) -> None:
    """Search boards of all sizes, each for a moment."""
    question = "new-game connect4 size={size}\ngo movetime 1\n"
    await _ask_of_all_sizes(place, question, b"bestmove")


async def _half_open(place: Place) -> None:
    writers = []
    for _ in range(_HALF_OPEN):
        _, writer = await asyncio.open_connection("127.0.0.1", place.websocket)
        writer.write(_upgrade(place)[:40])
        writers.append(writer)
    await asyncio.Event().wait()


# ---- quiet clients ----


async def _idle(place: Place) -> asyncio.StreamWriter:
    reader, writer = await asyncio.open_connection("127.0.0.1", place.tcp)
    writer.write(b"ping\n")
    await reader.readline()
    return writer


async def watch_slowly(place: Place) -> None:
    """Watch the arena, and read slowly."""
    reader, writer = await asyncio.open_connection("127.0.0.1", place.tcp, limit=256)
    try:
        writer.write(b"watch\n")
        while True:
            if not await reader.read(64):
                break
            await asyncio.sleep(1)
    finally:
        writer.transport.abort()


def _bots(place: Place, tokens: dict[str, str]) -> list[ArenaBot]:
    url = f"tcp://127.0.0.1:{place.tcp}"
    seeks = [Seek(game="othello", limits=Limits(movetime=60_000 + pair)) for pair in range(2)]
    return [
        ArenaBot(url, name, token, RandomPlayer, BotOptions(offers=[seeks[number % 2]], timeout=60))
        for number, (name, token) in enumerate(tokens.items())
    ]


# ---- all clients ----


async def _besiege(lines: int, idle: int, watchers: int, console: Console) -> bool:
    context = multiprocessing.get_context("spawn")
    over = context.Event()
    pongs: multiprocessing.Queue[list[float]] = context.Queue()
    moves: multiprocessing.Queue[list[float]] = context.Queue()
    done: multiprocessing.Queue[tuple[int, str]] = context.Queue()
    faults: list[str] = []
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        accounts = accounts_of(folder)
        tokens = {name: accounts.add(name) for name in ("ann", "bob", "cem", "dot")}
        place = await stack.enter_async_context(serve(folder, idle + watchers + 200))
        empty = place.memory()
        # Modules that load late, and memory that the allocator keeps after a peak, do not count as
        # growth. So the server meets everything once before its memory is measured.
        await _ask_of_all_sizes(place, "prepare connect4 size={size}\n", b"ready")
        for _ in range(_WARM_UP):
            await _fuzz_all(place, 12 * LINES, done)
        for _ in range(_WARM_UP * 12):
            await asyncio.to_thread(done.get)
        for writer in [await _idle(place) for _ in range(idle)]:
            writer.close()
        await asyncio.sleep(5)
        before = largest = place.memory()

        tasks = [asyncio.create_task(bot.run()) for bot in _bots(place, tokens)]
        tasks += [asyncio.create_task(watch_slowly(place)) for _ in range(watchers)]
        writers = [await _idle(place) for _ in range(idle)]
        floods = context.Process(target=_flood, args=(place, over))
        fuzz = context.Process(target=_fuzz, args=(place, lines, done))
        pings = context.Process(target=_honest, args=(place, over, pongs, b"ping\n", b"pong"))
        asked = (place, over, moves, b"go movetime 200\n", b"bestmove")
        searches = context.Process(target=_honest, args=asked)
        for process in (floods, pings, searches, fuzz):
            process.start()
        columns = (TextColumn("fuzzed lines"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), console=console) as progress:
            bar = progress.add_task("", total=lines)
            while fuzz.is_alive() or not done.empty():
                largest = max(largest, place.memory())
                while not done.empty():
                    count, fault = done.get()
                    progress.advance(bar, count)
                    faults += [fault] if fault else []
                await asyncio.sleep(0.2)
        over.set()
        times = await asyncio.to_thread(pongs.get)
        searched = await asyncio.to_thread(moves.get)
        for process in (floods, pings, searches, fuzz):
            await asyncio.to_thread(process.join)
            if process.exitcode:
                faults.append(f"a process of the siege ended with {process.exitcode}")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.close()
        await asyncio.sleep(5)  # all have left
        after = place.memory()
        faults += place.faults()
    table = Table(title=f"{lines} fuzzed lines, {idle} idle peers, {watchers} watchers, floods")
    for heading in (
        "faults",
        "pings",
        "p50 ms",
        "p99 ms",
        "max ms",
        "moves",
        "p99 ms",
        "max ms",
        "MB at first",
        "before",
        "most",
        "after",
    ):
        table.add_column(heading, justify="right")
    is_prompt = percentile(times, 0.99) < 50 and percentile(searched, 0.99) < 250
    table.add_row(
        str(len(faults)),
        str(len(times)),
        *(f"{percentile(times, part):.1f}" for part in (0.5, 0.99, 1.0)),
        str(len(searched)),
        *(f"{percentile(searched, part):.0f}" for part in (0.99, 1.0)),
        *(f"{memory:.0f}" for memory in (empty, before, largest, after)),
    )
    table.caption = f"load average {os.getloadavg()[0]:.1f}"
    console.print(table)
    for fault in faults[:10]:
        console.print(fault, markup=False)
    return not faults and is_prompt and after < before + 30


def main(
    lines: Annotated[int, typer.Option(help="Fuzzed lines.", min=1)] = 150_000,
    idle: Annotated[int, typer.Option(help="Clients that do nothing.", min=0)] = 2000,
    watchers: Annotated[int, typer.Option(help="Spectators that read slowly.", min=0)] = 100,
) -> None:
    """Besiege a server; fails if an aim is missed."""
    logging.disable(logging.WARNING)  # bots are cut off in the middle of their games
    descriptors.raise_limit()
    if not asyncio.run(_besiege(lines, idle, watchers, screen())):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
