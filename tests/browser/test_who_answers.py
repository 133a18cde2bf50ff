"""The page's own engine answers, and the server's does where the page's cannot."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Browser, Page, expect

from plywire.server.serve import Server
from tests.support.browser import PHONE, Visit, hold_back, visit
from tests.support.peers import settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

HERE = "in your browser"
THERE = "on the server"
SIMPLE = "by a simple engine in your browser"

_QUIET = "The engine is quiet until your game in the arena is over."
#: A position in the server's opening book.
_BOOK_PLACE = "#mode=analyse&game=connect4&size=7x6&moves=4.4.4.4.4.1.2.5"
#: The page's engine breaks when it is told to.
_BREAK = "setTimeout(() => { throw new Error('broken'); })"
#: Notes what the engine in the page was told last.
_NOTE = """
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  document.documentElement.dataset.told = message.type;
  return post.call(this, message, ...more);
};
"""
_HIDE = """(isHidden) => {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


async def _expect_engine(page: Visit, where: str) -> None:
    await expect(page.page.locator("#plate-2 [data-part='owner']")).to_have_text(f"engine {where}")


async def _start(page: Visit, strength: str = "level-3") -> None:
    await page.choose(game="connect4", opponent="engine", strength=strength, side="1")


async def test_a_game_asks_the_server_for_nothing(browser: Browser, server: Server) -> None:
    async with visit(browser, server, viewport=PHONE) as page:
        line = await hold_back(page)
        await _start(page)
        moves = page.page.locator("#moves .move")
        for count in range(2, 7, 2):
            await page.page.locator(".place[aria-disabled='false']").nth(count // 3).click()
            await expect(moves).to_have_count(count)
        await _expect_engine(page, HERE)
        await page.page.get_by_role("button", name="Hint").click()
        await page.expect_status("Hint for Yellow: ")
        assert {"go", "review", "prepare", "show"}.isdisjoint(line.asked)


async def test_a_reply_and_a_hint_wait_for_no_connection(browser: Browser, server: Server) -> None:
    async with visit(browser, server) as page:
        line = await hold_back(page, "hello")
        await _start(page)
        await page.play("4")
        await expect(page.page.locator("#moves .move")).to_have_count(2)
        await page.page.get_by_role("button", name="Hint").click()
        await page.expect_status("Hint for Yellow: ")
        line.release()
        await page.page.get_by_role("tab", name="Watch").click()
        await expect(page.page.locator("#arena-status")).to_contain_text("has no arena")
        await page.page.get_by_role("tab", name="Play").click()


@pytest.mark.parametrize("game", ["connect4&size=7x6", "othello&size=8x8", "tictactoe&size=3x3"])
async def test_an_analysis_runs_in_the_page(browser: Browser, server: Server, game: str) -> None:
    async with visit(browser, server) as page:
        # Without this answer, the server is never ready.
        line = await hold_back(page, "ready")
        await page.page.goto(f"{page.page.url.partition('#')[0]}#mode=analyse&game={game}")
        await expect(page.page.locator("#lines .row").first).to_be_visible()
        await expect(page.page.locator("#speaker")).to_have_text(HERE)
        assert "go" not in line.asked


async def test_the_server_answers_from_its_book(browser: Browser, server: Server) -> None:
    async with visit(browser, server, _BOOK_PLACE) as page:
        await expect(page.page.locator("#speaker")).to_have_text(THERE)
        await expect(page.page.locator("#lines .proof", has_text="proven")).to_have_count(7)


async def test_another_place_ends_a_search_at_once(browser: Browser, server: Server) -> None:
    async with visit(browser, server) as page:
        await hold_back(page, "ready")
        await _start(page, "ms-10000")
        await page.play("4")
        await page.expect_status("The engine plays Red and is thinking.")
        await page.page.get_by_role("button", name="Take back").click()
        await _start(page, "level-1")
        await page.play("4")  # the answer comes long before the end of the 10 seconds
        await expect(page.page.locator("#moves .move")).to_have_count(2, timeout=8000)


async def _break(page: Page) -> None:
    (worker,) = page.workers
    await worker.evaluate(_BREAK)


async def test_the_server_answers_if_the_engine_in_the_page_breaks(
    browser: Browser, server: Server
) -> None:
    async with visit(browser, server) as page:
        await _start(page)
        await page.play("4")
        moves = page.page.locator("#moves .move")
        await expect(moves).to_have_count(2)
        await page.page.get_by_role("tab", name="Analyse").click()
        await expect(page.page.locator("#lines .row").first).to_be_visible()
        await _break(page.page)
        await expect(page.page.locator("#speaker")).to_have_text(THERE)
        await expect(page.page.locator("#note")).to_have_text(
            "The page's engine could not be loaded, or it broke down. The server’s engine answers."
        )
        await expect(page.page.locator("#lines .row").first).to_be_visible()
        page.faults = [fault for fault in page.faults if "broken" not in fault]


@pytest.mark.parametrize("what", ["WebAssembly", "Worker"])
async def test_a_browser_that_cannot_run_the_engine(browser: Browser, what: str) -> None:
    async with AsyncExitStack() as running:
        server = await running.enter_async_context(Server(settings(max_think_time=1, threads=1)))
        async with visit(browser, server) as page:
            await page.page.add_init_script(f"delete window.{what}")
            await page.page.reload()
            await _start(page)
            await page.play("4")
            moves = page.page.locator("#moves .move")
            await expect(moves).to_have_count(2)
            await _expect_engine(page, THERE)
            await expect(page.page.locator("#note")).to_contain_text("The server’s engine answers.")
            await running.aclose()
            plate = page.page.locator("#plate-2 [data-part='owner']")
            await expect(plate).to_have_text("simple engine in your browser")
            await expect(page.page.locator("#note")).to_contain_text("levels 1 to 3.")
            await page.page.locator(".place[aria-disabled='false']").first.click()
            await expect(moves).to_have_count(4)
            page.forgive_losses()


async def test_a_simple_engine_goes_on_if_the_server_is_lost(browser: Browser) -> None:
    async with AsyncExitStack() as running:
        server = await running.enter_async_context(Server(settings(max_think_time=1, threads=1)))
        place = "#mode=analyse&game=connect4&size=8x7"
        async with visit(browser, server, place) as page:
            await expect(page.page.locator("#speaker")).to_have_text(THERE)
            await running.aclose()
            await expect(page.page.locator("#speaker")).to_have_text(SIMPLE)
            await expect(page.page.locator("#lines .row").first).to_be_visible()
            await page.page.get_by_role("tab", name="Play").click()
            await expect(page.page.locator("#choose-strength")).to_have_value("level-3")
            await expect(page.page.locator("#choose-strength option:enabled")).to_have_count(3)
            await expect(page.page.get_by_role("button", name="Hint")).to_be_enabled()
            await page.play("4")
            await expect(page.page.locator("#moves .move")).to_have_count(2)
            page.forgive_losses()


async def test_a_failure_belongs_to_its_game(browser: Browser, server: Server) -> None:
    async with visit(browser, server) as page:
        await hold_back(page, "ready")
        await page.page.route("**/othello*", lambda route: route.fulfill(status=503))
        url = page.page.url.partition("#")[0]
        for game, where in ("othello&size=8x8", THERE), ("connect4&size=7x6", HERE):
            await page.page.goto(f"{url}#mode=analyse&game={game}")
            await expect(page.page.locator("#speaker")).to_have_text(where)
        await expect(page.page.locator("#lines .row").first).to_be_visible()
        await expect(page.page.locator("#note")).to_be_empty()
        page.faults = [fault for fault in page.faults if "503" not in fault]


async def test_files_that_never_come(browser: Browser, server: Server) -> None:
    async with visit(browser, server) as page:
        await page.page.route("**/*.wasm", lambda route: None)
        await page.page.reload()
        await _start(page)
        await page.play("4")
        await page.expect_status("The engine plays Red and is thinking.")
        await expect(page.page.locator("#moves .move")).to_have_count(2)
        await _expect_engine(page, THERE)
        await expect(page.page.locator("#note")).to_have_text(
            "The page's engine does not answer. The server’s engine answers."
        )


async def test_files_that_are_missing(browser: Browser, server: Server) -> None:
    async with visit(browser, server) as page:
        await page.page.route("**/*.wasm", lambda route: route.fulfill(status=404))
        await _start(page)
        await page.play("4")
        await expect(page.page.locator("#moves .move")).to_have_count(2)
        await _expect_engine(page, THERE)
        await expect(page.page.locator("#note")).to_have_text(
            "A file of the page's engine could not be loaded. The server’s engine answers."
        )
        page.faults = [fault for fault in page.faults if "404" not in fault]


async def test_an_analysis_pauses_while_nobody_sees_it(browser: Browser, server: Server) -> None:
    async with visit(browser, server, "#mode=analyse&game=othello&size=8x8") as page:
        await page.page.add_init_script(_NOTE)
        await page.page.reload()
        root, rows = page.page.locator("html"), page.page.locator("#lines .row")
        await expect(rows).to_have_count(4)
        await expect(page.page.locator("#speaker")).to_have_text(HERE)
        await expect(root).to_have_attribute("data-told", "analyse")
        await page.page.evaluate(_HIDE, True)
        await expect(root).to_have_attribute("data-told", "stop")
        await expect(rows).to_have_count(4)
        await page.page.evaluate(_HIDE, False)
        await expect(root).to_have_attribute("data-told", "analyse")
        await expect(rows).to_have_count(4)


async def test_no_tab_helps_while_the_user_plays_in_another(
    browser: Browser, server: Server
) -> None:
    async with visit(browser, server) as page:
        hold = "new Promise((end) => (window.end = end))"
        hold = f"navigator.locks.request('plywire.game', () => {hold}) && null"
        other = await page.page.context.new_page()
        await other.goto(page.page.url)
        await other.evaluate(hold)
        await page.page.get_by_role("button", name="Hint").click()
        await page.expect_status(_QUIET)
        # The server would answer this position from its book.
        await page.page.goto(f"{page.page.url.partition('#')[0]}{_BOOK_PLACE}")
        await expect(page.page.locator("#no-lines")).to_have_text(_QUIET)
        await expect(page.page.locator("#lines .proof", has_text="proven")).to_have_count(0)
        await other.evaluate("window.end()")
        await expect(page.page.locator("#lines .proof", has_text="proven")).to_have_count(7)


async def test_nobody_answers_when_the_game_is_over(browser: Browser, server: Server) -> None:
    place = "#mode=analyse&game=connect4&size=7x6&moves=1.2.1.2.1.2.1"
    async with visit(browser, server, place) as page:
        await expect(page.page.locator("#no-lines")).to_have_text("The game is over.")
        await expect(page.page.locator("#speaker")).to_be_empty()
