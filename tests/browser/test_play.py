"""Games are played on the page, by mouse and by keyboard, over a connection that may be lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import load
from plywire.server.serve import Server
from tests.support.browser import PHONE, visit
from tests.support.peers import settings

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_two_people_win_tictactoe_on_a_phone(browser: Browser, server: Server) -> None:
    async with visit(browser, server, viewport=PHONE, color_scheme="dark") as page:
        await page.choose(game="tictactoe", opponent="person")
        await page.expect_status("X to move")
        await page.play("a1", "b2", "a2", "b3", "a3")
        await page.expect_status("X wins: three in a row.")
        await expect(page.page.locator(".board .won")).to_have_count(3)
        for viewport in ({"width": 844, "height": 390}, PHONE):
            await page.page.set_viewport_size(viewport)
            await page.page.evaluate("scrollTo(0, 0)")
            for part in (".board", "#status", "#rematch", "#end", "#open-transfer"):
                await expect(page.page.locator(part)).to_be_in_viewport(ratio=0.99)
        await page.expect_moves("a1", "b2", "a2", "b3", "a3")
        await expect(page.page.locator(".board .piece")).to_have_count(5)


async def test_connect_four_is_won_against_the_engine(browser: Browser, server: Server) -> None:
    engine, position = LocalEngine(), load("connect4").start()
    async with visit(browser, server) as page:
        await page.choose(game="connect4", opponent="engine", strength="instant", side="1")
        moves, number, reply = page.page.locator("#moves .move"), 0, ""
        while position.result() is None:
            best = engine.analyse(position, SearchLimits()).best
            assert best is not None
            played = [position.game.move_name(best)]
            await page.play(*played)
            if position.play_names(played)[-1].result() is None:
                number += 2
                await expect(moves).to_have_count(number)
                reply = await moves.last.text_content() or ""
                played.append(reply)
            position = position.play_names(played)[-1]
        await page.expect_status("You won: four in a row.")
        won = page.page.locator(".board .won")
        await expect(won.nth(3)).to_be_attached()  # four, or more in two rows
        await expect(page.page.locator("#announced")).to_contain_text(f"Red played {reply}.")
        assert await page.findings() == []
        await page.page.get_by_role("button", name="Review").click()
        verdict = page.page.locator("#verdict")
        await expect(verdict).to_contain_text(re.compile(r"^You\d+ % \d+ of \d+ moves best"))
        await page.page.get_by_role("tab", name="Play").click()
        await page.page.get_by_role("button", name="Rematch").click()
        await expect(moves).to_have_count(1)
        await page.expect_status("Your turn: you play Red.")
        await expect(page.page.locator("#after")).to_be_hidden()


async def test_a_lost_game_is_explained_and_tried_again(browser: Browser, server: Server) -> None:
    lost = "#mode=play&game=connect4&size=7x6&moves=1.4.1.4.2.4.7.4"
    async with visit(browser, server, lost, viewport=PHONE, has_touch=True) as page:
        after = page.page.locator("#after")
        await expect(after).to_contain_text("You lost")
        await expect(after).to_contain_text("Four in a row, after 8 moves.")
        moment = "Your move 1, column 1, lost the game: column 4 was better."
        await expect(page.page.locator("#moment")).to_have_text(moment)
        await expect(page.page.locator("#verdict")).to_contain_text("75 % 3 of 4 moves best")
        await expect(page.page.locator(".line-won")).to_have_count(4)
        await expect(page.page.get_by_role("button", name="Next: Level 5")).to_be_visible()
        await page.swipe(right=120)
        await expect(page.page.locator("#moves .move[aria-current]")).to_contain_text("7")
        await page.swipe(right=-120)
        await expect(page.page.locator("#moves .move[aria-current]")).to_contain_text("4")
        await page.page.get_by_role("button", name="Review").click()
        await expect(page.page.locator("#moves .move[aria-current]")).to_contain_text("1L??")
        await expect(page.page.locator("#moves")).not_to_contain_text("!")
        await expect(page.page.locator(".board .better")).to_have_count(1)
        await expect(page.page.locator("#graph-moves .sign-lost")).to_have_text("??")
        await page.page.get_by_role("button", name="Try again from here").click()
        await page.expect_status("Find a better move: you play Yellow.")
        await page.play("4")
        await expect(page.page.locator("#moves .move").first).to_have_text("4✓")
        await page.expect_status("Your turn: you play Yellow.")


async def test_othello_with_a_pass(browser: Browser, server: Server) -> None:
    start = "#mode=analyse&game=othello&size=8x8&fen=8/8/8/xxxxo3/3xx3/2x1x3/1x2x3/x3x3 o"
    async with visit(browser, server, start) as page:
        await page.expect_status("White has no move and must pass.")
        await page.page.get_by_role("button", name="Pass", exact=True).click()
        await page.play("f4")
        await page.expect_status("Black wins by 64 discs")
        await page.expect_moves("pass", "f4")
        assert await page.page.locator(".board .player-2.piece").count() == 0


async def test_the_engine_passes_and_goes_on(browser: Browser, server: Server) -> None:
    start = "#mode=play&game=othello&size=8x8&fen=8/8/8/xxxxo3/3xx3/2x1x3/1x2x3/x3x3 o"
    async with visit(browser, server, start) as page:
        await page.expect_status("Your turn: you play Black.")
        await page.expect_moves("pass")
        await page.play("f4")
        await page.expect_status("You won by 64 discs")


@pytest.mark.parametrize(
    ("game", "strength", "moves"),
    [
        ("connect4", "level-10", {"4"}),  # the one move that wins
        ("connect4", "level-1", set("1234567")),
        ("othello", "level-1", {"c4", "d3", "e6", "f5"}),
        ("othello", "ms-500", {"c4", "d3", "e6", "f5"}),
    ],
)
async def test_the_engine_begins_at_a_level_or_by_time(
    browser: Browser, server: Server, game: str, strength: str, moves: set[str]
) -> None:
    async with visit(browser, server) as page:
        await page.choose(game=game, opponent="engine", strength=strength, side="2")
        first = page.page.locator("#moves .move")
        await expect(first).to_have_count(1)
        assert await first.text_content() in moves
        await page.expect_status("Your turn: you play")


async def test_take_back_hint_and_the_other_side(browser: Browser, server: Server) -> None:
    async with visit(browser, server) as page:
        await page.choose(game="connect4", opponent="engine", strength="instant", side="1")
        await page.expect_status("Your turn: you play Yellow.")
        await page.page.get_by_role("button", name="Hint").click()
        await page.expect_status("Hint for Yellow: 4.")
        await expect(page.page.locator(".board .hint")).to_have_count(1)
        await page.page.get_by_role("button", name="Copy or paste").click()
        await page.page.get_by_role("button", name="Close").click()
        await page.expect_status("Hint for Yellow: 4.")
        await page.play("4")
        await expect(page.page.locator("#moves .move")).to_have_count(2)
        await page.page.get_by_role("button", name="Take back").click()
        await page.expect_moves()
        await expect(page.page.locator(".board .piece")).to_have_count(0)
        await page.expect_status("Your turn: you play Yellow.")
        await page.choose(side="2")
        await expect(page.page.locator("#moves .move")).to_have_count(1)
        await page.expect_status("Your turn: you play Red.")


async def test_other_sizes_and_one_that_is_refused(browser: Browser, server: Server) -> None:
    async with visit(browser, server) as page:
        await page.choose(game="connect4", opponent="person", width="5", height="4")
        await expect(page.page.locator(".place")).to_have_count(5)
        await page.play("5", "5", "5", "5")
        await expect(page.page.locator(".place[data-move='5']")).to_have_attribute(
            "aria-disabled", "true"
        )
        await page.choose(width="12", height="9")
        await page.expect_status("Boards of 12 columns have 4 rows.")
        await page.expect_moves("5", "5", "5", "5")


async def test_a_double_click_on_a_slow_link_is_one_move_of_a_game_that_stays_as_it_began(
    browser: Browser, server: Server
) -> None:
    held: list[Callable[[], None]] = []
    is_slow = False

    def connect(socket: WebSocketRoute) -> None:
        def answer(message: str | bytes) -> None:
            if is_slow:
                held.append(partial(socket.send, message))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(answer)

    async with visit(browser, server) as page:
        await page.page.route_web_socket("**", connect)
        await page.page.reload()
        # The page's engine knows the usual size only.
        await page.choose(
            game="connect4", width="8", opponent="engine", strength="instant", side="1"
        )
        await page.expect_status("Your turn: you play Yellow.")
        moves = page.page.locator("#moves .move")
        await page.page.locator(".place[data-move='1']").click()
        await expect(moves).to_have_count(2)  # the engine is ready
        is_slow = True
        await page.page.locator(".place[data-move='4']").dblclick()
        await page.page.locator(".place[data-move='3']").click(force=True)
        await expect(moves).to_have_count(3)
        await expect(page.page.locator(".board .piece")).to_have_count(3)
        await page.page.get_by_label("You play").select_option("2")
        await page.page.get_by_label("Against").select_option("person")
        await page.expect_status("The engine plays Red and is thinking.")
        is_slow = False
        for send in held:
            send()
        await page.expect_status("Your turn: you play Yellow.")
        await expect(moves).to_have_count(4)
        await page.page.reload()
        await expect(moves).to_have_count(4)
        await page.expect_status("Your turn: you play Yellow.")
        await page.page.get_by_role("tab", name="Analyse").click()
        await page.page.go_back()
        await expect(page.page.get_by_role("heading", name="New game")).to_be_visible()


async def test_by_keyboard_alone(browser: Browser, server: Server) -> None:
    async with visit(browser, server, "#mode=analyse&game=tictactoe&size=3x3") as page:
        keyboard = page.page.keyboard
        await page.expect_status("X to move")
        first = page.page.get_by_role("button", name="a3, empty")
        await first.focus()
        await keyboard.press("ArrowDown")
        await keyboard.press("ArrowRight")
        await expect(page.page.get_by_role("button", name="b2, empty")).to_be_focused()
        await keyboard.press("Enter")
        await expect(page.page.get_by_role("button", name="b2, X")).to_be_focused()
        await page.page.get_by_role("tab", name="Analyse").focus()
        await keyboard.press("ArrowLeft")
        await expect(page.page.get_by_role("tab", name="Play")).to_be_focused()
        await expect(page.page.get_by_role("heading", name="New game")).to_be_visible()


async def test_a_lost_connection_comes_back_to_the_game(browser: Browser) -> None:
    async with AsyncExitStack() as running:
        server = await running.enter_async_context(Server(settings()))
        port = server.websocket_address[1]
        async with visit(browser, server) as page:
            moves = page.page.locator("#moves .move")
            # The page's engine knows the usual size only.
            await page.choose(
                game="connect4", width="8", opponent="engine", strength="instant", side="1"
            )
            await page.play("4")
            await expect(moves).to_have_count(2)
            plate = page.page.locator("#plate-2 [data-part='owner']")
            await expect(plate).to_have_text("engine on the server")
            await running.aclose()
            await expect(plate).to_have_text("simple engine in your browser")
            await page.play("3")
            await expect(moves).to_have_count(4)
            async with Server(settings(websocket_port=port)):
                await expect(plate).to_have_text("engine on the server")
                await page.play("3")
                await expect(moves).to_have_count(6)
            page.forgive_losses()
