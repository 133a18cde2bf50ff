"""What is drawn on the page stands out from what it is drawn on."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from plywire.server.serve import Server
from tests.support import contrast
from tests.support.browser import PHONE, visit

#: Of each score on the board: what it says, its colour and that of the chip below it, as pixels.
CHIPS = """() => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const pixel = (colour) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return "#" + [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  };
  const fill = (element) => pixel(getComputedStyle(element).fill);
  return [...document.querySelectorAll(".chip")].flatMap((chip) =>
    [...chip.querySelectorAll("text")].map((text) =>
      [text.textContent, fill(text), fill(chip.querySelector("rect"))]));
}"""


def ratio(one: str, other: str) -> float:
    low, high = sorted(map(contrast.luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("pair", contrast.PAIRS, ids=lambda pair: pair.what)
def test_contrasts_are_enough(pair: contrast.Pair) -> None:
    assert min(pair.contrasts) >= pair.least


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_scores_on_the_board_can_be_read(
    browser: Browser, server: Server, scheme: str
) -> None:
    place = "#mode=analyse&game=connect4&size=7x6&moves=4.4.3"
    looks: dict[str, Any] = {"viewport": PHONE, "color_scheme": scheme}
    async with visit(browser, server, place, **looks) as page:
        await expect(page.page.locator("#lines .proof", has_text="proven")).to_have_count(7)
        chips = await page.page.evaluate(CHIPS)
        assert len(chips) >= 7
        for text, colour, ground in chips:
            assert ratio(colour, ground) >= contrast.TEXT, text
