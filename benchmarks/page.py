"""What it costs to open the page, and to watch many games.

    python benchmarks/page.py

A visit's clock runs from the navigation to the first frame in which a move can be played, in a new
browser each time, and once more in the same. The links are a proxy's: all connections share its
rate, what is sent arrives half a round trip later, and a new connection costs one round trip. Bytes
are those that the server sends, headers included.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

import typer
from browser import FRAMES, launch
from playwright.async_api import Browser, CDPSession, Page, async_playwright
from processes import percentile, plywire_server
from rich.table import Table

from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.watching import GameState
from plywire.server.arena.feed.feed import Feed
from plywire.server.cli.common import screen
from plywire.server.serve import Server
from plywire.server.settings import Settings

#: Notes when a move can be played first.
_PLAYABLE = """
const look = () => {
  if (document.querySelector(".place[aria-disabled=false]")) window.playable = performance.now();
  else requestAnimationFrame(look);
};
look();
"""


class Link(NamedTuple):
    """What lies between browser and server."""

    name: str
    rtt: float
    """Seconds."""
    rate: float
    """Bytes a second each way."""


_LINKS = (
    Link("this machine", 0, 1e9),
    Link("100 ms, 1.6 Mbit/s", 0.1, 200e3),
    Link("300 ms, 400 kbit/s", 0.3, 50e3),
)


#: Bytes of a packet's TCP and IP headers.
_HEADERS = 40


class _Line:
    """One direction of a link."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._free_at = 0.0
        self.bytes = 0

    async def carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ready: float = 0
    ) -> None:
        """Pass on all that comes, not before the line is `ready` and free."""
        loop = asyncio.get_running_loop()
        data = b"-"
        while data:
            data = await reader.read(1400)
            self.bytes += len(data)
            spent = (len(data) + _HEADERS) / self._link.rate
            self._free_at = max(loop.time(), ready, self._free_at) + spent
            arrival = self._free_at + self._link.rtt / 2
            loop.call_at(arrival, writer.write if data else lambda _: writer.close(), data)


@asynccontextmanager
async def _linked(link: Link, port: int) -> AsyncIterator[tuple[int, _Line]]:
    """The port of a proxy, and what it carries to the browser."""
    up, down = _Line(link), _Line(link)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ready = asyncio.get_running_loop().time() + link.rtt
        from_server, to_server = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(
            up.carry(reader, to_server, ready),
            down.carry(from_server, writer),
            return_exceptions=True,
        )

    proxy = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield proxy.sockets[0].getsockname()[1], down
    proxy.close()


class Visit(NamedTuple):
    """What opening the page took."""

    playable: float
    """ms."""
    requests: int
    bytes: int
    main_thread: float
    """ms, until a second after it could be played."""


async def _visits(browser: Browser, link: Link, port: int) -> tuple[Visit, Visit]:
    """A first visit, and a second."""
    async with _linked(link, port) as (linked, line):
        context = await browser.new_context()
        await context.add_init_script(_PLAYABLE)
        visits = []
        for _ in range(2):
            page, before = await context.new_page(), line.bytes
            session = await _metrics(page)
            await page.goto(f"http://127.0.0.1:{linked}/")
            took = await page.wait_for_function("window.playable")
            await asyncio.sleep(1)
            visits.append(
                Visit(
                    await took.json_value(),
                    await page.evaluate("performance.getEntriesByType('resource').length + 1"),
                    line.bytes - before,
                    1000 * await _task_time(session),
                )
            )
            await page.close()
        await context.close()
    return visits[0], visits[1]


async def _metrics(page: Page) -> CDPSession:
    """What `_task_time` asks, from before the page is opened."""
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


async def _task_time(session: CDPSession) -> float:
    """Seconds of a core that the main thread has worked, whoever else is busy."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def _game(table: int, length: int) -> GameState:
    """A game that is being played, after so many random moves, the same for the same table."""
    game, chance = load("othello" if table % 2 else "connect4"), random.Random(table)
    position, moves = game.start(), list[str]()
    while position.result() is None and len(moves) < length:
        move = chance.choice(position.moves())
        moves.append(game.move_name(move))
        position = position.play(move)
    return GameState(
        table=f"1.{table}",
        round=1,
        game=game.name,
        size=game.size,
        players=(f"bot-{table}-a", f"bot-{table}-b"),
        limits=Limits(clock=Clock(p1=60_000, p2=60_000)),
        fen=game.start().fen(),
        moves=tuple(moves),
        turn=2 if position.turn else 1,
        clock=Clock(p1=59_000, p2=58_000),
        updated=datetime.now(UTC),
    )


async def _play(feed: Feed, games: int) -> None:
    """A move a second in each game, one after the other."""
    for number in range(10**6):
        for table in range(games):
            feed.publish(_game(table, 1 + number % 30))
            await asyncio.sleep(1 / games)


async def _watch(
    browser: Browser, place: str, games: int, seconds: float
) -> tuple[list[float], float]:
    """Intervals between frames while so many games are played, and how busy the page is."""
    with TemporaryDirectory() as arena:
        settings = Settings(port=0, websocket_port=0, warmup=False, arena=Path(arena))
        async with Server(settings) as server:
            for table in range(games):
                server.feed.publish(_game(table, 1))
            playing = asyncio.create_task(_play(server.feed, games))
            page = await browser.new_page()
            session = await _metrics(page)
            await page.goto(f"http://127.0.0.1:{server.websocket_address[1]}/#{place}")
            await page.get_by_text("bot-0-a").first.wait_for()
            await asyncio.sleep(2)
            before = await _task_time(session)
            intervals = await page.evaluate(FRAMES, seconds * 1000)
            busy = await _task_time(session) - before
            await page.close()
            playing.cancel()
    return intervals, busy / seconds


async def _main(visits: int, seconds: float) -> None:
    table = Table("what", "figure")
    async with plywire_server() as server, async_playwright() as playwright:
        for link in _LINKS:
            both = []
            for _ in range(visits):
                browser = await launch(playwright)
                both.append(await _visits(browser, link, server.websocket))
                await browser.close()
            for name, each in zip(("first", "second"), zip(*both, strict=True), strict=True):
                median = [percentile(values, 0.5) for values in zip(*each, strict=True)]
                playable, requests, size, busy = median
                figures = (
                    f"playable in {playable:.0f} ms, {requests} requests, {size / 1000:.1f} KB"
                )
                table.add_row(f"{link.name}, {name} visit", f"{figures}, main thread {busy:.0f} ms")
        browser = await launch(playwright)
        for games, place in product((20, 100), ("mode=watch", "boards")):
            intervals, busy = await _watch(browser, place, games, seconds)
            figures = f"{len(intervals) / seconds:.1f} frames/s, main thread {busy:.0%}"
            name = f"{games} games at #{place}, a move a second each"
            worst = f"99 % within {percentile(intervals, 0.99):.1f} ms"
            table.add_row(name, f"{figures}, {worst}")
        await browser.close()
    screen().print(table)


def main(
    visits: Annotated[int, typer.Option(help="Visits over each link.")] = 5,
    seconds: Annotated[float, typer.Option(help="How long to count frames.")] = 10.0,
) -> None:
    """Measure visits to the page in Chromium."""
    asyncio.run(_main(visits, seconds))


if __name__ == "__main__":
    typer.run(main)
