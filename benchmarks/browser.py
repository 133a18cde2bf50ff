"""How quickly the page draws: the engine's reply to a click, and analysis as it comes.

    python benchmarks/browser.py

A reply's clock runs from the browser's time stamp of the click to the frame after the one in which
the engine's move is on the board, the engine at its instant level. Analysis is twenty updates a
second of every move of an Othello position, from a stand-in for the engine; a frame is dropped
where two frames are more than one and a half of the screen's intervals apart. Aims: 100 ms at the
95th percentile; no more frames dropped than without updates.
"""

import asyncio
import json
import os
import random
import re
import shutil
from typing import Annotated, Any

import typer
from playwright.async_api import Browser, Playwright, WebSocketRoute, async_playwright, expect
from processes import percentile, plywire_server
from rich.table import Table

from plywire.server.cli.common import screen

_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")

#: What the page says when it is the user's turn, or the game is over.
_SETTLED = re.compile("Your turn|win|draw")

#: Takes the time of the next click until as many moves are drawn; null if the game ends before.
_CLOCK = """moves => {
  window.drawn = new Promise(resolve => {
    let clicked = 0;
    addEventListener("click", event => { clicked = event.timeStamp; }, {capture: true, once: true});
    const look = () => {
      if (clicked && document.querySelectorAll("#moves .move").length >= moves) {
        requestAnimationFrame(() => resolve(performance.now() - clicked));
      } else if (/win|draw/.test(document.querySelector("#status").textContent)) resolve(null);
      else requestAnimationFrame(look);
    };
    look();
  });
}"""

#: The intervals between frames for so many ms.
FRAMES = """duration => new Promise(resolve => {
  const intervals = [], began = performance.now();
  let last = began;
  const next = now => {
    if (now > last) intervals.push(now - last);
    last = now;
    if (now - began < duration) requestAnimationFrame(next);
    else resolve(intervals);
  };
  requestAnimationFrame(next);
})"""

_MOVES = ("d2", "f2", "b4", "c6", "e6", "f4", "g4", "e2", "c2", "b6")


async def launch(playwright: Playwright) -> Browser:
    """Chromium, `$PLYWIRE_CHROMIUM` or by one of its names."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("PLYWIRE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    return await playwright.chromium.launch(executable_path=path, args=_FLAGS)


async def _replies(browser: Browser, url: str, count: int) -> list[float]:
    """Milliseconds from click to drawn reply, in games of random moves."""
    page, chance, times = await browser.new_page(), random.Random(1), list[float]()
    await page.goto(f"{url}#mode=play&game=connect4&size=7x6")
    await page.locator("#setup [name=strength]").select_option("instant")
    status, moves = page.locator("#status"), page.locator("#moves .move")
    while len(times) < count:
        await page.get_by_role("button", name="Start a new game").click()
        await expect(moves).to_have_count(0)
        played = 0
        while len(times) < count:
            await expect(status).to_have_text(_SETTLED)
            squares = await page.locator(".place[aria-disabled=false]").all()
            if not squares:
                break
            played += 2
            await page.evaluate(_CLOCK, played)
            await chance.choice(squares).click()
            took = await page.evaluate("window.drawn")
            if took is not None:
                times.append(took)
    await page.close()
    return times


async def _analysis(
    browser: Browser, url: str, rate: int, seconds: float
) -> tuple[list[float], int]:
    """The intervals between frames while so many updates a second come, and how many came."""
    page, updates = await browser.new_page(), 0
    feeding: list[asyncio.Task[None]] = []

    async def feed(route: WebSocketRoute, number: int) -> None:
        nonlocal updates
        for depth in range(1, 10**6):
            for rank, move in enumerate(_MOVES, 1):
                route.send(json.dumps(_info(number, depth, rank, move)))
            updates += 1
            await asyncio.sleep(1 / rate)

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            for line in str(message).splitlines():
                command = json.loads(line)
                if command["type"] != "go":
                    server.send(line)
                elif rate:
                    feeding.append(asyncio.create_task(feed(route, command["id"])))

        route.on_message(from_page)

    await page.route_web_socket("**/*", connect)
    await page.goto(f"{url}#mode=analyse&game=othello&size=8x8&moves=d3.c3.c4.e3")
    if rate:
        await page.locator(".chip").first.wait_for()
    before = updates
    intervals = await page.evaluate(FRAMES, seconds * 1000)
    for task in feeding:
        task.cancel()
    await page.close()
    return intervals, updates - before


def _info(number: int, depth: int, rank: int, move: str) -> dict[str, Any]:
    pv = [move, *_MOVES[:12]]
    return {
        **{"type": "info", "id": number, "depth": depth, "multipv": rank, "time": depth * 50},
        **{"nodes": depth * 10_000, "nps": 2_000_000, "hashfull": 5, "pv": pv, "squares": pv},
        "score": {"kind": "cp", "value": (depth * 37 + rank * 91) % 900 - 450},
    }


async def _main(clicks: int, seconds: float) -> None:
    table = Table("what", "figure")
    async with plywire_server() as server, async_playwright() as playwright:
        url = f"http://127.0.0.1:{server.websocket}/"
        browser = await launch(playwright)
        replies = await _replies(browser, url, clicks)
        for part in (0.5, 0.95, 0.99):
            name = f"click to drawn reply, {part:.0%} of {len(replies)}"
            table.add_row(name, f"{percentile(replies, part):.0f} ms")
        for rate in (0, 20, 60):
            intervals, updates = await _analysis(browser, url, rate, seconds)
            usual = percentile(intervals, 0.5)
            dropped = sum(max(round(interval / usual) - 1, 0) for interval in intervals)
            shown = (
                f"{updates / seconds:.0f} updates/s of {len(_MOVES)} lines"
                if rate
                else "no updates"
            )
            figures = f"{len(intervals) / seconds:.1f} frames/s, {dropped} dropped"
            table.add_row(shown, f"{figures}, 99 % within {percentile(intervals, 0.99):.1f} ms")
        await browser.close()
    screen().print(table)


def main(
    clicks: Annotated[int, typer.Option(help="Replies to time.")] = 200,
    seconds: Annotated[float, typer.Option(help="How long to count frames.")] = 10.0,
) -> None:
    """Measure the page in Chromium."""
    asyncio.run(_main(clicks, seconds))


if __name__ == "__main__":
    typer.run(main)
