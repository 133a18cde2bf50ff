"""A game of another distribution is on the page like any other."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser import visit
from tests.support.example_game import install, serving

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_it_is_chosen_and_played(browser: Browser, tmp_path: Path) -> None:
    async with serving(install(tmp_path)) as server, visit(browser, server) as page:
        await page.choose(game="gomoku", opponent="person")
        await page.expect_status("Black to move.")
        await expect(page.page.locator(".place")).to_have_count(49)
        names = page.page.locator(".board .name")
        await expect(names).to_have_text([*"abcdefg", *"7654321"])
        await page.play("d4", "a1", "e4", "b1", "c4", "g1", "b4", "f1")
        await expect(page.page.get_by_role("button", name="d4, Black", exact=True)).to_be_visible()
        await page.play("f4")
        await page.expect_status("Black wins: five in a row.")
        await expect(page.page.locator(".board .piece.player-1")).to_have_count(5)
        await page.choose(game="gomoku", opponent="engine", strength="instant", side="2")
        await expect(page.page.locator("#moves .move")).to_have_count(1)
        await page.expect_status("Your turn: you play White.")
