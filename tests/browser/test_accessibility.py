"""Games are played by those who see nothing of the page: by names, roles and the keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page, expect

from plywire.engine.game import Position
from plywire.engine.registry import load
from plywire.server.serve import Server
from tests.support.browser import visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

_HEARD = re.compile(r"Move (?P<number>\d+): \w+ played (?P<move>\w+)\.")


async def begin(page: Page, game: str) -> None:
    """Fill in the form, one field after the other, and press Enter in the last."""
    for field, value in {"Game": game, "Against": "the engine", "Strength": "Instant"}.items():
        await page.get_by_role("combobox", name=field, exact=True).select_option(label=value)
    await page.get_by_role("combobox", name="You play").select_option(index=0)
    await page.get_by_role("button", name="Start a new game").press("Enter")


async def listen(page: Page, number: int) -> str:
    """The move of that number, as it is announced."""
    log = page.get_by_role("log")
    await expect(log).to_contain_text(f"Move {number}: ")
    heard = _HEARD.search(await log.text_content() or "")
    assert heard is not None
    return heard["move"]


async def play_blindly(page: Page, position: Position, named: str) -> Position:
    """Play what can be played until the game is over; its end, by what was heard."""
    number = 0
    while position.result() is None:
        await expect(page.get_by_role("status").first).to_contain_text("Your turn")
        playable = page.get_by_role("button", name=re.compile(named))
        move = re.match(named, await playable.first.get_attribute("aria-label") or "")
        assert move is not None
        await playable.first.press("Enter")
        position, number = position.play_names([move[1]])[-1], number + 1
        if position.result() is None:
            number += 1
            position = position.play_names([await listen(page, number)])[-1]
    return position


@pytest.mark.parametrize(
    ("title", "name", "named", "reason"),
    [
        ("Connect Four", "connect4", r"^Column (\d+), .*playable", "four in a row"),
        ("Tic-Tac-Toe", "tictactoe", r"^([abc][123]), empty, playable", "three in a row"),
    ],
)
async def test_a_game_is_played_by_accessible_names_alone(
    browser: Browser, server: Server, title: str, name: str, named: str, reason: str
) -> None:
    async with visit(browser, server) as page:
        await begin(page.page, title)
        end = (await play_blindly(page.page, load(name).start(), named)).result()
        assert end is not None
        how = {0: "You won", 1: "You lost", None: "A draw"}[end.winner]
        why = "board full" if end.winner is None else reason
        await expect(page.page.get_by_role("status").first).to_have_text(f"{how}: {why}.")
        card = page.page.get_by_role("region", name=how)
        await expect(card).to_contain_text(f"{why[0].upper()}{why[1:]}, after ")
        await card.get_by_role("button", name="Rematch").press("Enter")
        await expect(page.page.get_by_role("log")).to_contain_text("Move 1: ")
