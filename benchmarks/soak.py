"""A server at half load for half an hour: do its memory and its delays stay flat?

    python benchmarks/soak.py
    python benchmarks/soak.py --bots 1000 --rate 500

Bots play as in `load.py`, at a rate that should be half of its knee. They leave in the middle of
games, and come back in time or too late. Spectators come and go, and some of them read slowly.
Connections that send fuzzed lines come and go, too, as in `siege.py`. Each minute has a row: the
greatest memory, moves a second, how long a move waited for its `ok`, and CPU time a move. Aims: no
fault, and flat memory: after the minutes of settling, the last third of the time needs at most 5 %
more memory than the first third. Linux only.
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import random
import tempfile
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Annotated

import typer
from load import MOVETIME, Bot, Pace, cpu_time
from processes import percentile
from rich.console import Console
from siege import LINES, Place, be_elsewhere, serve, talk, watch_slowly

from plywire.server.arena.store.accounts import accounts_of
from plywire.server.cli.common import screen
from plywire.server.transports import descriptors

#: Mean time of a bot's stay, greatest time away, and the arena's grace, in seconds.
_STAY, _AWAY, _GRACE = 120.0, 20.0, 10.0
#: Mean time of a spectator's stay in seconds, and the share of spectators that read slowly.
_WATCH, _SLOW = 30.0, 0.2
#: Seconds between connections that send fuzzed lines.
_JUNK_EVERY = 2.0
#: The greatest growth of memory that counts as flat.
_FLAT = 1.05


async def _come_and_go(place: Place, name: str, token: str, seek: str, pace: Pace) -> None:
    loop = asyncio.get_running_loop()
    while True:
        make = lambda: Bot(name, token, 1, seek, pace)  # noqa: E731
        _, bot = await loop.create_connection(make, "127.0.0.1", place.tcp)
        try:
            if not await bot.is_in:
                bot.seek()
            await asyncio.sleep(random.expovariate(1 / _STAY))
        finally:
            bot.leave()
        await asyncio.sleep(random.uniform(0, _AWAY))


def _strangers(place: Place, watchers: int, faults: multiprocessing.Queue[str]) -> None:
    """Run spectators and junk in another process."""
    be_elsewhere()
    asyncio.run(_all_strangers(place, watchers, faults))


async def _all_strangers(place: Place, watchers: int, faults: multiprocessing.Queue[str]) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(watchers):
            group.create_task(_watch_now_and_then(place))
        for number in itertools.count():
            if fault := await talk(place, number, LINES):
                faults.put(fault)
            await asyncio.sleep(_JUNK_EVERY)


async def _watch_now_and_then(place: Place) -> None:
    while True:
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(random.expovariate(1 / _WATCH)):
                await (watch_slowly if random.random() < _SLOW else _watch)(place)


async def _watch(place: Place) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", place.tcp)
    try:
        writer.write(b"watch\n")
        while await reader.read(1 << 16):
            pass
    finally:
        writer.transport.abort()


async def _soak(
    minutes: int, settle: int, bots: int, rate: float, watchers: int, console: Console
) -> bool:
    loop = asyncio.get_running_loop()
    context = multiprocessing.get_context("spawn")
    told: multiprocessing.Queue[str] = context.Queue()
    faults: list[str] = []
    loop.set_exception_handler(lambda _, what: faults.append(str(what.get("exception"))))
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        accounts = accounts_of(folder)
        names = [f"bot{number}" for number in range(bots)]
        tokens = await asyncio.to_thread(lambda: [accounts.add(name) for name in names])
        sessions = bots + watchers + 32
        place = await stack.enter_async_context(
            serve(folder, sessions, "--arena-grace", str(_GRACE))
        )
        strangers = context.Process(target=_strangers, args=(place, watchers, told), daemon=True)
        strangers.start()
        stack.callback(strangers.terminate)
        pace = Pace()
        pace.begin(bots / 2 / rate)
        for number, (name, token) in enumerate(zip(names, tokens, strict=True)):
            seek = f"seek connect4 movetime {MOVETIME + number // 2}"
            bot = asyncio.create_task(_come_and_go(place, name, token, seek, pace))
            bot.add_done_callback(
                lambda task: task.cancelled() or faults.append(str(task.exception()))
            )
            stack.callback(bot.cancel)
        console.print("minute      MB  moves/s  p50 ms  p99 ms  max ms  logins  ms a move  faults")
        memory = []
        for minute in range(1, minutes + 1):
            pace.waits, pace.logins, most = [], [], 0.0
            began, cpu = time.perf_counter(), cpu_time(place.pid)
            while time.perf_counter() < began + 60:
                await asyncio.sleep(1)
                most = max(most, place.memory())
            memory.append(most)
            while not told.empty():
                faults.append(told.get())
            faults += place.faults()
            each = (cpu_time(place.pid) - cpu) * 1000 / max(len(pace.waits), 1)
            p50, p99, longest = (percentile(pace.waits, part) for part in (0.5, 0.99, 1.0))
            console.print(
                f"{minute:6} {most:7.1f} {len(pace.waits) / 60:8.0f} {p50:7.1f} {p99:7.1f}"
                f" {longest:7.1f} {len(pace.logins):7} {each:10.2f} {len(faults):7}"
            )
        if not strangers.is_alive():
            faults.append(f"the watchers ended with {strangers.exitcode}")
    settled = memory[settle:]
    third = max(len(settled) // 3, 1)
    first, last = max(settled[:third]), max(settled[-third:])
    console.print(
        f"after minute {settle}: {first:.1f} MB, at the end {last:.1f} MB;"
        f" load average {os.getloadavg()[0]:.1f}"
    )
    for fault in faults[:10]:
        console.print(fault, markup=False)
    return not faults and last <= first * _FLAT


def main(
    minutes: Annotated[int, typer.Option(help="How long.", min=2)] = 30,
    settle: Annotated[int, typer.Option(help="Minutes that do not count.", min=1)] = 5,
    bots: Annotated[int, typer.Option(help="Bots that play, come and go.", min=2)] = 500,
    rate: Annotated[float, typer.Option(help="Moves a second of all of them.", min=1)] = 250,
    watchers: Annotated[int, typer.Option(help="Spectators of the whole arena.", min=0)] = 20,
) -> None:
    """Keep a server busy for long; fails if an aim is missed."""
    descriptors.raise_limit()
    if not asyncio.run(_soak(minutes, settle, bots, rate, watchers, screen())):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
