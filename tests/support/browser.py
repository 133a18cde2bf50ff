"""A browser that drives the page, and what must be true of every visit."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    WebSocketRoute,
    async_playwright,
    expect,
)

from plywire.server.serve import Server
from tests.support.example_game import Addresses
from tests.support.programs import CHROMIUM

#: A browser that asks nobody for anything.
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_AXE = files("axe_playwright_python") / "axe.min.js"

DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 780}

#: What a test waits for at most, in ms: compiling kernels on a busy machine takes a while.
_PATIENCE = 90_000


@asynccontextmanager
async def launch() -> AsyncIterator[Browser]:
    """A browser, which loads and says nothing by itself."""
    expect.set_options(timeout=_PATIENCE)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM.path(), args=_FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


class Visit:
    """A page that is open, and what it did that it should not have."""

    def __init__(self, page: Page, host: str) -> None:
        self.page = page
        self.host = host
        self.faults: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.faults.append(f"raised {error}"))
        page.on("request", self._asked)
        page.on("websocket", lambda socket: self._check(socket.url))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        self._check(request.url)

    def _check(self, url: str) -> None:
        if urlsplit(url.removeprefix("blob:")).netloc != self.host:
            self.faults.append(f"asked for {url}")

    def forgive_losses(self) -> None:
        """Leave out what the browser itself says of tries to reach a server that is not there."""
        lost = ("WebSocket", "ERR_CONNECTION_REFUSED")
        self.faults = [fault for fault in self.faults if not any(word in fault for word in lost)]

    # ---- what one sees and does ----

    async def play(self, *moves: str) -> None:
        """Click the squares or columns of moves, each when it can be played."""
        for move in moves:
            square = self.page.locator(f".place[data-move='{move}'][aria-disabled='false']")
            await square.click()

    async def swipe(self, right: float) -> None:
        """Swipe a finger over the board, so many pixels to the right."""
        board = self.page.locator("#board")
        for event, x in (("pointerdown", 200), ("pointerup", 200 + right)):
            where = {"clientX": x, "clientY": 200, "pointerType": "touch"}
            await board.dispatch_event(event, where)

    async def expect_status(self, text: str) -> None:
        await expect(self.page.locator("#status")).to_contain_text(text)

    async def expect_moves(self, *moves: str) -> None:
        noted = [re.compile(rf"^{move}([WDL+−0?!✓].*)?$") for move in moves]
        await expect(self.page.locator("#moves .move")).to_have_text(noted)

    async def choose(self, **fields: str) -> None:
        """Fill in the form of a new game, and start it."""
        for name, value in fields.items():
            field = self.page.locator(f"#setup [name={name}]")
            if name in ("width", "height"):
                await field.fill(value)
            else:
                await field.select_option(value)
        await self.page.locator("#start").click()

    async def chips(self) -> dict[str, str]:
        """What is written under each column or on each square, by the move."""
        found = await self.page.locator(".chip").evaluate_all(
            "chips => chips.map(chip => [chip.dataset.move,"
            " [...chip.querySelectorAll('text')].map(text => text.textContent).join(' ')])"
        )
        return dict(found)

    async def findings(self) -> list[str]:
        """What axe-core finds that is serious, in words."""
        await self.page.evaluate(_AXE.read_text("utf-8"))
        # What passes is megabytes, which take longer to read than to find.
        violations: list[dict[str, Any]] = await self.page.evaluate(
            "async () => (await axe.run({resultTypes: ['violations']})).violations"
        )
        return [
            f"{rule['id']}: {node['html'][:120]}: {node['failureSummary']}"
            for rule in violations
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]


@asynccontextmanager
async def visit(
    browser: Browser, server: Server | Addresses, place: str = "", **options: Any
) -> AsyncIterator[Visit]:
    """The page of a server, opened at a place; raises AssertionError if it did wrong."""
    host, port = server.websocket_address
    context = await browser.new_context(**({"viewport": DESKTOP} | options))
    context.set_default_timeout(_PATIENCE)
    try:
        visited = Visit(await context.new_page(), f"{host}:{port}")
        await visited.page.goto(f"http://{host}:{port}/{place}")
        yield visited
        assert visited.faults == [], visited.faults
    finally:
        await context.close()


class HeldLine:
    """What a page asks of its server, and answers that are held back."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        """The types of commands so far."""
        self.held: list[Callable[[], None]] | None = []

    def release(self) -> None:
        """Send what was held back, and hold back no more."""
        held, self.held = self.held or [], None
        for send in held:
            send()


async def hold_back(visit: Visit, *types: str) -> HeldLine:
    """Open the page anew, and hold back answers of these types."""
    line = HeldLine()

    def connect(socket: WebSocketRoute) -> None:
        def ask(message: str | bytes) -> None:
            line.asked.extend(json.loads(each)["type"] for each in str(message).splitlines())
            server.send(message)

        def answer(message: str | bytes) -> None:
            is_held = any(json.loads(each)["type"] in types for each in str(message).splitlines())
            if is_held and line.held is not None:
                line.held.append(partial(socket.send, message))
            else:
                socket.send(message)

        server = socket.connect_to_server()
        server.on_message(answer)
        socket.on_message(ask)

    await visit.page.route_web_socket("**", connect)
    await visit.page.reload()
    return line
