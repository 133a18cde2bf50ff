"""A crowd of bots on one server: most are idle, some play.

    python benchmarks/crowd.py

Measured is what lies between two moves and is not thinking: from when a bot has chosen its move
until its opponent is asked for the next, the way over the network, the referee, the journal's disk
flush and both clients included. Aim: the 99th percentile under 20 ms with 500 idle bots and 50
that play, each thinking for about a tenth of a second a move. The second row is what the machine
does to a bare echo meanwhile; where others are busy on it, `chrt -r 1` keeps them out of both.
"""

import asyncio
import logging
import os
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from processes import percentile, plywire_server, python_server
from rich.table import Table

from plywire.clients.connecting.arena_bot import ArenaBot
from plywire.clients.play.players.base import GameLine, Player
from plywire.protocol.messages.arena import Seek
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.cli.common import screen, table

#: The least a server can do.
_ECHO = """
import asyncio, sys

async def echo(reader, writer):
    while line := await reader.readline():
        writer.write(line)

async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], file=sys.stderr, flush=True)
    await server.serve_forever()

asyncio.run(main())
"""

#: Enough for every bot to be late now and then.
_MOVETIME = 60_000


@dataclass
class _Pair:
    """Two bots that meet again and again; limits that nobody else seeks bring them together."""

    number: int
    chosen: float | None = None
    """When the latest move of their game was."""
    overheads: list[float] = field(default_factory=list)
    """In ms."""

    @property
    def seek(self) -> Seek:
        return Seek(game="othello", limits=Limits(movetime=_MOVETIME + self.number))


class _Paced(Player):
    """Plays at random, after a while."""

    def __init__(self, pair: _Pair, think: float) -> None:
        self._pair = pair
        self._think = think

    async def choose(self, line: GameLine, limits: Limits) -> int:
        pair = self._pair
        if pair.chosen is not None and line.moves:
            pair.overheads.append((time.perf_counter() - pair.chosen) * 1000)
        await asyncio.sleep(self._think * random.uniform(0.5, 1.5))
        move = random.choice(line.position.moves())
        pair.chosen = time.perf_counter()
        return move


async def _echo(port: int, wait: float, times: list[float]) -> None:
    """Ask an echo now and then; adds how long the answers took, in ms."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while True:
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            began = time.perf_counter()
            writer.write(b"echo\n")
            await reader.readline()
            times.append((time.perf_counter() - began) * 1000)
    finally:
        writer.close()


async def _measure(idle: int, playing: int, think: float, seconds: float) -> Table:
    with tempfile.TemporaryDirectory() as folder:
        accounts = accounts_of(Path(folder))
        tokens = {name: accounts.add(name) for name in (f"bot{i}" for i in range(idle + playing))}
        flags = ("--arena", folder, "--max-sessions", str(idle + playing + 16), "--no-warmup")
        async with plywire_server(*flags) as (port, *_), python_server(_ECHO) as echo:
            url = f"tcp://127.0.0.1:{port}"
            echoes: list[float] = []
            pairs = [_Pair(number) for number in range(playing // 2)]
            bots = [
                ArenaBot(url, name, token, lambda: _Paced(_Pair(-1), think), timeout=60)
                for name, token in list(tokens.items())[playing:]
            ]
            for index, (name, token) in enumerate(list(tokens.items())[: 2 * len(pairs)]):
                pair = pairs[index // 2]
                player = lambda pair=pair: _Paced(pair, think)  # noqa: E731
                bots.append(ArenaBot(url, name, token, player, offers=[pair.seek], timeout=60))
            tasks = [asyncio.create_task(bot.run()) for bot in bots]
            await asyncio.sleep(5)  # all have come
            for pair in pairs:
                pair.overheads.clear()
            tasks += [asyncio.create_task(_echo(echo, think, echoes)) for _ in pairs]
            await asyncio.sleep(seconds)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    overheads = [overhead for pair in pairs for overhead in pair.overheads]
    headings = ("what", "a second", "p50 ms", "p90 ms", "p99 ms", "max ms")
    title = f"{idle} idle bots, {playing} that play, {seconds:g} s"
    figures = table(*headings, left="what", title=title)
    for what, times in (("between moves", overheads), ("echo", echoes)):
        parts = (f"{percentile(times, part):.1f}" for part in (0.5, 0.9, 0.99, 1.0))
        figures.add_row(what, f"{len(times) / seconds:.0f}", *parts)
    figures.caption = f"load average {os.getloadavg()[0]:.1f}"
    return figures


def main(
    idle: Annotated[int, typer.Option(help="Bots that only wait.", min=0)] = 500,
    playing: Annotated[int, typer.Option(help="Bots that play.", min=2)] = 50,
    think: Annotated[float, typer.Option(help="Seconds a move, on average.", min=0)] = 0.1,
    seconds: Annotated[float, typer.Option(help="How long to measure.", min=1)] = 30,
) -> None:
    """Measure a server full of bots."""
    logging.disable(logging.WARNING)  # they are cut off in the middle of their games
    screen().print(asyncio.run(_measure(idle, playing, think, seconds)))


if __name__ == "__main__":
    typer.run(main)
