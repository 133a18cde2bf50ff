"""One command takes the pictures of the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser

from docs.screenshots import SHOTS, film, take
from plywire.server.serve import Server
from tests.support.peers import settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def pictures(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("page-*.png"))


async def test_all_are_taken_and_are_those_that_are_kept(browser: Browser, tmp_path: Path) -> None:
    async with Server(settings(arena=tmp_path / "arena")) as server:
        await take(browser, server, tmp_path)
    assert pictures(tmp_path) == pictures(IMAGES)
    assert len(pictures(tmp_path)) == len(SHOTS)


async def test_the_moving_picture_is_small(browser: Browser, tmp_path: Path) -> None:
    async with Server(settings(arena=tmp_path / "arena")) as server:
        await film(browser, server, tmp_path)
    for folder in (tmp_path, IMAGES):
        picture = (folder / "page.gif").read_bytes()
        assert picture.startswith(b"GIF89a")
        assert len(picture) < 1_000_000
