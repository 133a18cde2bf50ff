"""The load that a server takes: moves a second, and how long a move waits for its `ok`.

    python benchmarks/load.py --bots 2000 --rates 500,1000,2000
    python benchmarks/load.py --bots 2 --watchers 1000 --rates 5
    python benchmarks/load.py --bots 2 --slots 64 --rates 300

Bots on plain sockets play Connect Four at random, in pairs; each pair has its own limits. They
think for as long as the asked rate of moves needs. The knee is the highest rate of which the server
reached 95 %, with a 99th percentile under 100 ms. If other work uses the server's core, the figures
are worse. Linux only: the benchmark reads the server's time from /proc.
"""

import asyncio
import multiprocessing
import os
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Annotated

import typer
from processes import percentile, plywire_server
from rich.console import Console

from plywire.server.arena.store.accounts import accounts_of
from plywire.server.cli.common import screen, table
from plywire.server.transports import descriptors

#: A limit that no bot exceeds, in ms.
MOVETIME = 600_000
#: Bots that log in at the same time.
_AT_A_TIME = 32
#: Seconds before a rate is measured.
_SETTLE = 3.0
#: The least share of the rate that counts as reached, and the greatest 99th percentile, in ms.
_REACHED, _PATIENCE = 0.95, 100.0
_COLUMNS = [str(column).encode() for column in range(1, 8)]
_HEIGHT = 6


class Pace:
    """How long bots think, and how long their moves waited for `ok`, in ms."""

    def __init__(self) -> None:
        self.think: float | None = None
        """Seconds on average; with None, nobody moves."""
        self.waits: list[float] = []
        self.logins: list[float] = []
        self.waiting: list[Callable[[], None]] = []
        """Moves to make when there is a pace."""

    def spend(self, act: Callable[[], None]) -> None:
        """Think, then act."""
        if self.think is None:
            self.waiting.append(act)
        else:
            wait = random.expovariate(1 / self.think) if self.think else 0.0
            asyncio.get_running_loop().call_later(wait, act)

    def begin(self, think: float) -> None:
        """Let all bots think `think` seconds on average."""
        self.think = think
        acts, self.waiting = self.waiting, []
        for act in acts:
            self.spend(act)


class Bot(asyncio.Protocol):
    """A bot that seeks games of Connect Four for its slots and moves at random."""

    def __init__(self, name: str, token: str, slots: int, seek: str, pace: Pace) -> None:
        self._login = f"login {name} {token} slots={slots}"
        self._slots = slots
        self._seek = seek
        self._pace = pace
        self._rest = b""
        self._asked: deque[tuple[str, float]] = deque()
        self._transport: asyncio.Transport
        self.is_in: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Done after the login; true if the bot came back to a game."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Log in."""
        self._transport = transport  # type: ignore[assignment]
        self._ask(self._login)

    def _ask(self, line: str) -> None:
        if self._transport.is_closing():
            return
        self._asked.append((line.split(" ", 1)[0], time.perf_counter()))
        self._transport.write(f"{line}\n".encode())

    def data_received(self, data: bytes) -> None:
        """Do what the server asks for."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._hear(line.split(b" "))

    def _hear(self, words: list[bytes]) -> None:
        match words[0]:
            case b"turn":
                self._pace.spend(lambda: self._play(words))
            case b"probe":
                self._ask(f"echo {words[1].decode()}")
            case b"over":
                self.seek(1)
            case b"ok" | b"welcome" | b"offered" | b"error":
                self._answered(words)
            case b"bye":
                raise RuntimeError(b" ".join(words).decode())

    def _answered(self, words: list[bytes]) -> None:
        what, asked = self._asked.popleft()
        wait = (time.perf_counter() - asked) * 1000
        if words[:2] in ([b"error", b"game-over"], [b"error", b"busy"]):
            return  # the game ended, or began, while the command was on its way
        if words[0] == b"error":
            raise RuntimeError(f"{what}: {b' '.join(words).decode()}")
        if what == "play":
            self._pace.waits.append(wait)
        elif what == "login":
            self._pace.logins.append(wait)
            self.is_in.set_result(words[-1] != b"tables=0")

    def leave(self) -> None:
        """Hang up, even in the middle of a game."""
        self._transport.abort()

    def seek(self, games: int | None = None) -> None:
        """Seek that many games, or one for each slot."""
        if self._seek:
            for _ in range(games or self._slots):
                self._ask(self._seek)

    def _play(self, turn: list[bytes]) -> None:
        table, number, moves = turn[1], turn[2], turn[turn.index(b"moves") + 1 :]
        free = [column for column in _COLUMNS if moves.count(column) < _HEIGHT]
        move = random.choice(free)
        self._ask(f"play {table.decode()} {number.decode()} {move.decode()}")


def _watch(port: int, count: int, command: str, ready: Event, over: Event) -> None:
    """Watch with `count` connections, in another process."""
    os.nice(5)
    descriptors.raise_limit()
    asyncio.run(_watch_all(port, count, command, ready, over))


async def _watch_all(port: int, count: int, command: str, ready: Event, over: Event) -> None:
    loop = asyncio.get_running_loop()
    for _ in range(count):
        transport, _ = await loop.create_connection(asyncio.Protocol, "127.0.0.1", port)
        transport.write(f"{command}\n".encode())
    ready.set()
    await asyncio.to_thread(over.wait)


def cpu_time(pid: int) -> float:
    """Return the CPU time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _measure(
    bots: int,
    slots: int,
    idle: int,
    watchers: int,
    topic: str,
    rates: list[float],
    seconds: float,
    console: Console,
) -> None:
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        console.print(f"Making {bots + idle} accounts…")
        accounts = accounts_of(Path(folder))
        names = [f"bot{number}" for number in range(bots + idle)]
        tokens = await asyncio.to_thread(lambda: [accounts.add(name) for name in names])
        flags = ("--arena", folder, "--max-sessions", str(bots + idle + watchers + 16))
        server = await stack.enter_async_context(plywire_server(*flags, "--no-warmup"))
        pace = Pace()
        gate = asyncio.Semaphore(_AT_A_TIME)

        async def enter(number: int) -> Bot:
            seek = f"seek connect4 movetime {MOVETIME + number // 2}" if number < bots else ""
            make = lambda: Bot(names[number], tokens[number], slots, seek, pace)  # noqa: E731
            async with gate:
                _, bot = await loop.create_connection(make, "127.0.0.1", server.tcp)
                await bot.is_in
            return bot

        began, cpu = time.perf_counter(), cpu_time(server.pid)
        playing = await asyncio.gather(*(enter(number) for number in range(bots + idle)))
        for bot in playing:
            stack.callback(bot.leave)
        took, worked = time.perf_counter() - began, cpu_time(server.pid) - cpu
        console.print(
            f"{bots + idle} logins in {took:.1f} s, the server's part {worked:.1f} s;"
            f" the last 100 took {percentile(pace.logins[-100:], 0.5):.1f} ms each"
        )
        began, cpu = time.perf_counter(), cpu_time(server.pid)
        for bot in playing:
            bot.seek()
        while len(pace.waiting) < bots // 2 * slots:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        took, worked = time.perf_counter() - began, cpu_time(server.pid) - cpu
        console.print(f"{bots * slots} seeks in {took:.1f} s, the server's part {worked:.1f} s")
        if watchers:
            context = multiprocessing.get_context("spawn")
            ready, over = context.Event(), context.Event()
            command = f"watch {topic}".strip()
            watching = context.Process(
                target=_watch, args=(server.tcp, watchers, command, ready, over)
            )
            watching.start()
            stack.callback(watching.join)
            stack.callback(over.set)
            await asyncio.to_thread(ready.wait)
        columns = ("asked/s", "moves/s", "p50 ms", "p99 ms", "max ms", "core %", "ms a move")
        title = f"{bots} bots, {slots} slots, {idle} idle, {watchers} watchers"
        figures = table(*columns, title=title)
        knee = 0.0
        for rate in rates:
            pace.begin(bots / 2 * slots / rate)
            await asyncio.sleep(_SETTLE)
            pace.waits = waits = []
            began, cpu = time.perf_counter(), cpu_time(server.pid)
            await asyncio.sleep(seconds)
            took, worked = time.perf_counter() - began, cpu_time(server.pid) - cpu
            reached, slow = len(waits) / took, percentile(waits, 0.99)
            if reached >= _REACHED * rate and slow <= _PATIENCE:
                knee = max(knee, rate)
            times = (f"{percentile(waits, part):.1f}" for part in (0.5, 0.99, 1.0))
            share, each = f"{worked / took:.0%}", f"{worked * 1000 / len(waits):.2f}"
            figures.add_row(f"{rate:g}", f"{reached:.0f}", *times, share, each)
        figures.caption = f"knee: {knee:g} moves a second; load average {os.getloadavg()[0]:.1f}"
        console.print(figures)


def main(
    bots: Annotated[int, typer.Option(help="Bots that play.", min=2)] = 200,
    slots: Annotated[int, typer.Option(help="Games of each at a time.", min=1)] = 1,
    idle: Annotated[int, typer.Option(help="Bots that only log in.", min=0)] = 0,
    watchers: Annotated[int, typer.Option(help="Connections that watch.", min=0)] = 0,
    topic: Annotated[str, typer.Option(help="What they watch; all unless given.")] = "",
    rates: Annotated[str, typer.Option(help="Moves a second to try.")] = "100,200,400,800",
    seconds: Annotated[float, typer.Option(help="How long to measure each.", min=1)] = 10,
) -> None:
    """Load a server with bots that move at random."""
    descriptors.raise_limit()
    each = [float(rate) for rate in rates.split(",")]
    asyncio.run(_measure(bots, slots, idle, watchers, topic, each, seconds, screen()))


if __name__ == "__main__":
    typer.run(main)
