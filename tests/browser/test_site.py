"""A static site on a plain file server, below a path: with the network, and without."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from typer.testing import CliRunner

from plywire.server.cli import app
from tests.support.browser import PHONE, Visit, visit
from tests.support.file_server import FileServer, file_server

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLACE = "sub/path/"
#: Puts the first new state of the page's service worker into `fate`.
FATE = """
  const { register } = ServiceWorkerContainer.prototype;
  ServiceWorkerContainer.prototype.register = function (address) {
    const registered = register.call(this, address);
    window.fate = registered.then(({ installing }) => new Promise((resolve) =>
      installing.addEventListener("statechange", () => resolve(installing.state))));
    return registered;
  };
"""
CUP = """
name = "Autumn cup of all who play from home, by day and by night"
[format]
system = "round-robin"
games = 2
[time]
depth = 1
[[games]]
game = "connect4"
openings = "random"
[players]
Chance = "random"
Greed = "greedy"
"""


def run(*arguments: object) -> None:
    ran = CliRunner().invoke(app, list(map(str, arguments)))
    assert ran.exit_code == 0, ran.output


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the site below it."""
    folder = tmp_path_factory.mktemp("site")
    cup = folder / "cup.toml"
    cup.write_text(CUP)
    run("tournament", "run", cup)
    run("page", "build", folder / "www" / PLACE, "--report", cup)
    return folder / "www"


@pytest.fixture
def host(built: Path, tmp_path: Path) -> Iterator[FileServer]:
    shutil.copytree(built, tmp_path / "www")
    with file_server(tmp_path / "www") as server:
        yield server


async def kept(page: Visit) -> None:
    """Wait until the browser keeps the site."""
    await page.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")


async def test_it_offers_what_needs_no_server(browser: Browser, host: FileServer) -> None:
    async with visit(browser, host, PLACE) as page:
        await page.expect_status("Your turn: you play Yellow.")
        await expect(page.page.get_by_role("tab")).to_have_text(["Play", "Analyse"])
        opponents = page.page.locator("#setup [name=opponent] option")
        assert await opponents.evaluate_all("all => all.map(({ value }) => value)") == [
            *("engine", "person"),
        ]
        assert await page.findings() == []
        await page.page.locator("#open-transfer").click()
        link = await page.page.locator("#copy-link").input_value()
        assert link.startswith(f"{host.origin}/{PLACE}#mode=play&game=connect4")
        await page.page.locator("#paste").fill("http://plywire.example/game/1.3")
        await page.page.locator("#paste-form [type=submit]").click()
        said = page.page.locator("#transfer-said")
        await expect(said).to_have_text("This link leads to a server: open it in the browser.")


async def test_what_was_chosen_with_a_server_is_no_trouble(
    browser: Browser, host: FileServer
) -> None:
    async with visit(browser, host, f"{PLACE}#mode=watch&game=tictactoe") as page:
        await page.page.evaluate(
            "localStorage.setItem('plywire.choice', JSON.stringify({ opponent: 'arena' }))"
        )
        await page.page.reload()
        await expect(page.page.locator("#setup [name=opponent]")).to_have_value("engine")
        await expect(page.page.locator("#start")).to_be_enabled()
        await page.expect_status("Your turn: you play X.")


async def test_a_game_is_won_and_reviewed(browser: Browser, host: FileServer) -> None:
    async with visit(browser, host, f"{PLACE}#game=connect4&moves=1.7.1.7.1.7") as page:
        await page.play("1")
        await page.expect_status("You won: four in a row.")
        await page.page.get_by_role("button", name="Review").click()
        await expect(page.page.locator("#verdict")).to_contain_text(" moves best")


async def test_it_plays_and_analyses_without_a_network(browser: Browser, host: FileServer) -> None:
    async with visit(browser, host, PLACE, viewport=PHONE) as page:
        await kept(page)
        host.stop()
        await page.page.context.set_offline(True)
        await page.page.reload()
        assert await page.page.evaluate("crossOriginIsolated")
        inspector = await page.page.context.new_cdp_session(page.page)
        obstacles = await inspector.send("Page.getInstallabilityErrors")
        assert obstacles["installabilityErrors"] == []
        await page.choose(game="othello", strength="level-3")
        await page.play("f5")
        moves = page.page.locator("#moves .move")
        await expect(moves).to_have_count(2)
        await page.choose(game="connect4", strength="level-1")
        await page.play("4")
        await expect(moves).to_have_count(2)
        await page.page.get_by_role("button", name="Hint").click()
        await page.expect_status("Hint for Yellow")
        await page.page.get_by_role("tab", name="Analyse").click()
        await expect(page.page.locator("#lines .row")).not_to_have_count(0)
        played = await moves.all_text_contents()
        await page.page.reload()
        await expect(moves).to_have_count(len(played))


async def test_a_lesson_is_solved_without_a_network(browser: Browser, host: FileServer) -> None:
    lost = f"{PLACE}#mode=play&game=connect4&size=7x6&moves=1.4.1.4.2.4.7.4"
    async with visit(browser, host, PLACE) as page:
        await kept(page)
        host.stop()
        await page.page.context.set_offline(True)
        await page.page.goto(f"{host.origin}/{lost}")
        await expect(page.page.locator("#moment")).to_contain_text("lost the game: column 4")
        await page.page.get_by_role("button", name=re.compile("^Go to the mistake")).click()
        await page.page.get_by_role("button", name="Try again from here").click()
        await page.expect_status("Find a better move: you play Yellow.")
        await page.play("4")
        await expect(page.page.locator("#moves")).to_contain_text("✓")


async def test_a_game_of_a_report_is_opened_without_a_network(
    browser: Browser, host: FileServer
) -> None:
    async with visit(browser, host, f"{PLACE}index.html", viewport=PHONE) as page:
        await kept(page)
        host.stop()
        await page.page.context.set_offline(True)
        await page.page.reload()
        await page.page.get_by_role("link", name="Reports").click()
        whole = "({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth"
        assert await page.page.locator(".scroll").evaluate(whole)
        await page.page.get_by_role("link", name="Autumn cup").click()
        await expect(page.page.locator("h1")).to_contain_text("Autumn cup")
        await page.page.get_by_role("link", name="Reports").click()
        await page.page.get_by_role("link", name="Autumn cup").click()
        first = page.page.get_by_role("link", name="Analyse game 1")
        cell = page.page.locator(".moves").first
        count = int(await cell.locator("summary").text_content() or "")
        await first.click()
        await expect(page.page.locator("html")).to_have_attribute("data-mode", "analyse")
        await expect(page.page.locator("#moves .move")).to_have_count(count)


async def test_a_new_version_takes_over_at_the_next_visit(
    browser: Browser, host: FileServer, tmp_path: Path
) -> None:
    async with visit(browser, host, PLACE) as page:
        await kept(page)
        await page.page.reload()  # from now on the browser answers from what it keeps
        await page.page.evaluate("caches.open('of another site')")
        run("page", "build", tmp_path / "www" / PLACE, "--force")  # without reports
        await page.page.evaluate(
            "navigator.serviceWorker.ready.then((registration) => registration.update())"
            ".then(({ installing, waiting }) => waiting || new Promise((resolve) =>"
            " installing.addEventListener('statechange', () => resolve(0)))).then(() => 0)"
        )
        await page.page.reload()
        reports = page.page.get_by_role("link", name="Reports")
        await expect(reports).to_have_count(1)
        second = await page.page.context.new_page()
        await second.goto(host.origin)
        await page.page.close()
        await second.wait_for_function(
            f"navigator.serviceWorker.getRegistration('/{PLACE}')"
            ".then(({ waiting, active }) => !waiting && active.state === 'activated')"
        )
        await second.goto(f"{host.origin}/{PLACE}")
        await expect(second.get_by_role("link", name="Reports")).to_have_count(0)
        names = await second.evaluate("caches.keys()")
        assert len(names) == 2
        assert "of another site" in names


async def test_only_files_of_the_site_are_kept_once_they_are_read(
    browser: Browser, host: FileServer, tmp_path: Path
) -> None:
    site = tmp_path / "www" / PLACE
    (site / "below.html").write_text("Another site.")
    worker = site / "service-worker.js"
    whole, _, script = worker.read_text().partition(";\n")
    changed = json.loads(whole.removeprefix("self.SITE = "))
    del changed["files"]["reports/cup.html"]
    changed["later"] = ["reports/cup.html"]
    worker.write_text(f"self.SITE = {json.dumps(changed)};\n{script}")
    async with visit(browser, host, PLACE) as page:
        await kept(page)
        await page.page.reload()
        is_kept = "caches.match(new URL('{}', document.baseURI)).then((found) => !!found)"
        reading = "fetch('{}').then((found) => found.text()).then((text) => text.length > 9)"
        for path in ("below.html", "reports/cup.html"):
            assert not await page.page.evaluate(is_kept.format(path))
            assert await page.page.evaluate(reading.format(path))
        await page.page.wait_for_function(is_kept.format("reports/cup.html"))
        assert not await page.page.evaluate(is_kept.format("below.html"))
        host.stop()
        assert await page.page.evaluate(reading.format("reports/cup.html"))


async def test_a_report_is_as_its_host_has_it(
    browser: Browser, host: FileServer, tmp_path: Path
) -> None:
    async with visit(browser, host, PLACE) as page:
        await kept(page)
        await page.page.reload()
        (tmp_path / "www" / PLACE / "reports/cup.html").write_text("One more game.")
        reading = "fetch('reports/cup.html').then((found) => found.text())"
        assert await page.page.evaluate(reading) == "One more game."
        again = "caches.match('reports/cup.html').then((found) => found.text())"
        await page.page.wait_for_function(f"{again}.then((text) => text === 'One more game.')")
        host.stop()
        assert await page.page.evaluate(reading) == "One more game."
        await page.page.goto(f"{host.origin}/{PLACE}reports/cup.html")
        await expect(page.page.locator("body")).to_have_text("One more game.")


async def test_a_site_that_is_half_copied_is_not_kept(
    browser: Browser, host: FileServer, tmp_path: Path
) -> None:
    with (tmp_path / "www" / PLACE / "icon.svg").open("a") as file:
        file.write("<!-- of another version -->")
    async with visit(browser, host, PLACE) as page:
        await page.page.add_init_script(FATE)
        await page.page.reload()
        assert await page.page.evaluate("fate") == "redundant"
        await page.choose(game="tictactoe", opponent="person")
        await page.play("a1", "b2")
        await page.expect_moves("a1", "b2")


async def test_a_browser_that_keeps_nothing_still_plays(browser: Browser, host: FileServer) -> None:
    async with visit(browser, host, PLACE, service_workers="block") as page:
        await page.choose(game="tictactoe", opponent="person")
        await page.play("a1", "b2")
        await page.expect_moves("a1", "b2")
        page.faults.remove("warning: Service Worker registration blocked by Playwright")
