"""How long it takes to open the page, in medians.

    python -m benchmarks.page

A visit's clock runs from the navigation to the first frame in which a move can be played. A second
later, the visitor asks for a hint, for which a first visit loads the engine of the page. Each first
visit has a new browser, and the second visit follows in the same browser. A proxy imitates the
links: all connections share its rate, data arrives half a round trip later, and a new connection
costs one round trip. Bytes are those that the server sends, with headers.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median
from typing import Annotated, NamedTuple

import typer
from playwright.async_api import Browser, CDPSession, Page
from rich.table import Table

from benchmarks.processes import plywire_server
from plywire.server.cli.common import screen
from tests.support.browser import launch

#: Stores the time at which a move can be played.
_PLAYABLE = """
const look = () => {
  if (document.querySelector(".place[aria-disabled=false]")) window.playable = performance.now();
  else requestAnimationFrame(look);
};
look();
"""


#: Asks for a hint; the value is the time until it is there.
_HINT = """
new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    const said = document.querySelector("#status").textContent;
    if (said.startsWith("Hint")) resolve(performance.now() - began);
    else requestAnimationFrame(look);
  };
  document.querySelector("#hint").click();
  look();
})
"""


class Link(NamedTuple):
    """A link between browser and server."""

    name: str
    rtt: float
    """Round trip, in seconds."""
    rate: float
    """Bytes a second, in each direction."""


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
        """Pass all data on, as soon as the line is `ready` and free."""
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
    """Run a proxy; yields its port, and its line to the browser."""
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
    """The cost of opening the page."""

    playable: float
    """In ms."""
    requests: int
    bytes: int
    main_thread: float
    """In ms, until a second after a move could be played."""
    hint: float
    """In ms, from the question."""
    hint_bytes: int


async def _visits(browser: Browser, link: Link, port: int) -> tuple[Visit, Visit]:
    """Make a first and a second visit."""
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
            first = (
                await took.json_value(),
                await page.evaluate("performance.getEntriesByType('resource').length + 1"),
                line.bytes - before,
                1000 * await _task_time(session),
            )
            before, hint = line.bytes, await page.evaluate(_HINT)
            visits.append(Visit(*first, hint, line.bytes - before))
            await page.close()
        await context.close()
    return visits[0], visits[1]


async def _metrics(page: Page) -> CDPSession:
    """Begin to measure the page's main thread; `_task_time` asks for the figure."""
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


async def _task_time(session: CDPSession) -> float:
    """Return the CPU time of the main thread, in seconds."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


async def _main(visits: int) -> None:
    columns = "visit", "playable, ms", "requests", "KB", "main thread, ms", "hint, ms", "hint, KB"
    table = Table(*columns)
    async with plywire_server() as server:
        for link in _LINKS:
            both = []
            for _ in range(visits):
                async with launch() as browser:
                    both.append(await _visits(browser, link, server.websocket))
            for name, each in zip(("first", "second"), zip(*both, strict=True), strict=True):
                medians = map(median, zip(*each, strict=True))
                playable, requests, size, busy, hint, more = medians
                figures = f"{playable:.0f}", f"{requests}", f"{size / 1000:.1f}", f"{busy:.0f}"
                later = f"{hint:.0f}", f"{more / 1000:.1f}"
                table.add_row(f"{link.name}, {name}", *figures, *later)
    screen().print(table)


def main(
    visits: Annotated[int, typer.Option(help="Visits over each link.")] = 5,
) -> None:
    """Measure visits to the page in Chromium."""
    asyncio.run(_main(visits))


if __name__ == "__main__":
    typer.run(main)
