"""Every scene of the page in every look, to look through: `python -m docs.film_strip FOLDER`.

Open `index.html` in the folder, which has a row for each scene.
"""

from __future__ import annotations

import asyncio
import html
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import Browser, Page, expect

from docs.screenshots import FOUR, LOST, analyse, foresee, games, pairings, play, review, standings
from plywire.protocol.messages.watching import PlayerState
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.browser import launch, visit


class Look(NamedTuple):
    """How the page is looked at."""

    window: dict[str, int]
    scheme: str

    @property
    def name(self) -> str:
        """Of its files."""
        return f"{'phone' if self.window['width'] < 600 else 'desktop'}-{self.scheme}"


LOOKS = tuple(
    Look({"width": width, "height": height}, scheme)
    for width, height in ((1280, 860), (390, 844))
    for scheme in ("light", "dark")
)


async def look(page: Page) -> None:
    """What is there without doing anything."""
    await expect(page.locator("#status")).to_contain_text("Your turn")


async def lose(page: Page) -> None:
    """The card after a game."""
    await expect(page.locator("#verdict")).to_contain_text("best")


async def watch(page: Page) -> None:
    """A game live."""
    await page.get_by_role("button", name="nightjar – otter").first.click()
    await expect(page.locator("#status")).to_contain_text("Live")


async def wall(page: Page) -> None:
    """All games at once."""
    await expect(page.locator("#wall-games .tile path.one").first).to_be_visible()


async def tournament(page: Page) -> None:
    """Boards, standings, pairings and rounds."""
    await wall(page)
    await page.get_by_text("Games of round 1").click()


async def guest(page: Page) -> None:
    """The arena, before one has a name there."""
    await page.get_by_label("Against").select_option("arena")
    await expect(page.locator("#guest")).to_be_visible()


async def invite(page: Page) -> None:
    """A link for a friend."""
    await page.get_by_label("Against").select_option("friend")
    await page.get_by_label("Your name").fill("otter")
    await page.get_by_role("button", name="Play as a guest").click()
    await page.locator("#start").click()
    await expect(page.locator("#invitation-link")).to_be_visible()
    await page.locator("#invitation-link").scroll_into_view_if_needed()


async def invited(page: Page) -> None:
    """What the friend sees."""
    await expect(page.locator("#guest")).to_be_visible()


async def found(page: Page) -> None:
    """An address that leads nowhere."""
    await expect(page.locator("#wall-said")).to_contain_text("There is no")


#: Name, place and what to do there.
Scene = tuple[str, str, Callable[[Page], Awaitable[None]]]

SCENES: tuple[Scene, ...] = (
    ("first-visit", "", look),
    ("play", f"#mode=play&{FOUR}", play),
    ("lose", f"#mode=play&{LOST}", lose),
    ("review", f"#mode=play&{LOST}", review),
    ("analyse", f"#mode=analyse&{FOUR}.6.2.3", analyse),
    ("othello", "#mode=analyse&game=othello&size=8x8&moves=f5.d6.c3.d3.c4", foresee),
    ("watch", "#mode=watch", watch),
    ("wall", "#boards", wall),
    ("tournament", "tournament/Spring%20cup", tournament),
    ("no-tournament", "tournament/Autumn%20cup", found),
    ("arena", "#mode=play", guest),
    ("invite", "#mode=play", invite),
    ("invited", "invite/0123?game=othello&size=8x8&time=5%2B3", invited),
)


def publish(server: Server) -> None:
    """A round of a tournament, as if it were played now."""
    now = {"updated": datetime.now(UTC)}
    states = [state.model_copy(update=now) for state in games(7)]
    for event in (*states, standings(states), pairings(states)):
        server.feed.publish(event)
    for player in dict.fromkeys(player for state in states for player in state.players):
        server.feed.publish(PlayerState(player=player, online=True, **now))


async def take(
    browser: Browser,
    server: Server,
    folder: Path,
    scenes: Sequence[Scene] = SCENES,
    looks: Sequence[Look] = LOOKS,
) -> None:
    """Take these, and write the page that shows them."""
    publish(server)
    for name, place, prepare in scenes:
        options: dict[str, Any] = {"viewport": looks[0].window, "reduced_motion": "reduce"}
        async with visit(browser, server, place, **options) as page:
            await prepare(page.page)
            for each in looks:
                await page.page.set_viewport_size(each.window)  # type: ignore[arg-type]
                await page.page.emulate_media(color_scheme=each.scheme)  # type: ignore[arg-type]
                await page.page.screenshot(path=folder / f"{name}-{each.name}.png")
    (folder / "index.html").write_text(index(scenes, looks), "utf-8")


def index(scenes: Sequence[Scene], looks: Sequence[Look]) -> str:
    """A page that shows them."""
    rows = "".join(
        f"<h2>{name}</h2><p>{html.escape(prepare.__doc__ or '')}</p><div>"
        + "".join(
            f'<a href="{name}-{each.name}.png"><img src="{name}-{each.name}.png"'
            f' alt="{name}, {each.name}" height="430"></a> '
            for each in looks
        )
        + "</div>"
        for name, _, prepare in scenes
    )
    return f'<!doctype html><meta charset="utf-8"><title>Film strip</title>{rows}\n'


async def main(folder: Path) -> None:
    """Take the strip into a folder."""
    with tempfile.TemporaryDirectory() as arena:
        settings = Settings(port=0, websocket_port=0, arena=Path(arena), guests=9)
        async with Server(settings) as server, launch() as browser:
            await take(browser, server, folder)
    print(folder / "index.html")


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(main(Path(sys.argv[1])))
