"""One command takes the pictures of the documentation, another those of every scene of the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser

from docs import film_strip
from docs.screenshots import SHOTS, film, take
from plywire.server.serve import Server
from tests.support.peers import settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def pictures(folder: Path, names: str = "page-*.png") -> list[str]:
    return sorted(path.name for path in folder.glob(names))


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


async def test_the_film_strip_has_every_scene(browser: Browser, tmp_path: Path) -> None:
    """Those in which the engine thinks, the test above has for the most part."""
    known = {prepare for *_, prepare in SHOTS} | {film_strip.lose, film_strip.watch}
    scenes = [scene for scene in film_strip.SCENES if scene[2] not in known]
    looks = film_strip.LOOKS[2:3]
    async with Server(settings(arena=tmp_path / "arena", guests=9)) as server:
        await film_strip.take(browser, server, tmp_path, scenes, looks)
    taken = pictures(tmp_path, "*.png")
    assert taken == sorted(f"{name}-{looks[0].name}.png" for name, *_ in scenes)
    assert all(f'<img src="{name}"' in film_strip.index(scenes, looks) for name in taken)
