"""The page that docs/how-to/connect-a-gui.md prints works as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from plywire.server.serve import Server
from tests.support.file_server import file_server
from tests.support.peers import settings

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "connect-a-gui.md"
(PAGE,) = re.findall(r"^```html\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_it_is_as_short_as_it_says() -> None:
    assert len(PAGE.splitlines()) <= 52


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("is_welcome", [True, False], ids=["welcome", "another origin"])
async def test_a_board_is_connected(browser: Browser, tmp_path: Path, is_welcome: bool) -> None:
    (tmp_path / "board.html").write_text(PAGE, "utf-8")
    with file_server(tmp_path) as files:
        origin = files.origin
        chosen = settings(origins=(origin if is_welcome else "http://example.org",))
        async with Server(chosen) as server:
            host, port = server.websocket_address
            page = await browser.new_page()
            await page.goto(f"{origin}/board.html?server=ws://{host}:{port}")
            status = page.locator("#status")
            if is_welcome:
                await expect(page.locator("#board button:enabled")).to_have_count(4)
                await page.get_by_role("button", name="d3").click()
                pieces = page.locator("#board button", has_text=re.compile("[●○]"))
                await expect(pieces).to_have_count(6)
                await expect(status).to_have_text("Your move")
            else:
                await expect(status).to_have_text("Connection lost")
            await page.close()
