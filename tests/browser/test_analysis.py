"""What the engine finds is shown on the board, in lines and as a graph; games go as text."""

from __future__ import annotations

import random
import re
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Browser, expect
from typer.testing import CliRunner

from plywire.engine.registry import load
from plywire.server.cli import app
from plywire.server.serve import Server
from tests.support.browser import DESKTOP, PHONE, hold_back, visit
from tests.support.peers import settings
from tests.support.random_play import random_game

from .test_rules import MODULES, send_module

pytestmark = pytest.mark.asyncio(loop_scope="session")

_CELLS = 42

#: Those that lie on the board, not those that are only thought of.
PIECES = "#board g:not(.ghost) > .piece"


def solved(moves: str) -> dict[str, str]:
    """What `plywire solve --all` says of each column, written as the page does."""
    position = moves or "startpos"
    result = CliRunner().invoke(app, ["solve", "connect4", "--all"], input=f"{position}\n")
    assert result.exit_code == 0, result.output
    columns = result.output.split()[-7:]
    written = {str(n): worth for n, worth in enumerate(columns, 1) if worth != "."}
    return {column: _plies(int(worth), len(moves)) for column, worth in written.items()}


def _plies(worth: int, played: int) -> str:
    """A win by one's k-th last stone as the number of plies until then."""
    if worth == 0:
        return "draws"
    mover_is_first = played % 2 == 0
    winner_is_first = mover_is_first == (worth > 0)
    # The first player lays stones 1, 3, …, 41; the second 2, 4, …, 42.
    last = _CELLS - 2 * (abs(worth) - 1) - winner_is_first
    return f"{'wins' if worth > 0 else 'loses'} in {last - played}"


@pytest.mark.parametrize("moves", ["", "444", "44444125", "4353446232"])
async def test_scores_are_those_of_the_solver(browser: Browser, server: Server, moves: str) -> None:
    place = f"#mode=analyse&game=connect4&size=7x6&moves={'.'.join(moves)}"
    wanted = solved(moves)
    async with visit(browser, server, place) as page:
        await expect(page.page.locator("#lines .proof", has_text="proven")).to_have_count(
            len(wanted)
        )
        assert await page.chips() == wanted


async def test_figures_lines_and_the_line_that_is_pointed_at(
    browser: Browser, server: Server
) -> None:
    async with visit(browser, server, "#mode=analyse&game=othello&size=8x8") as page:
        rows = page.page.locator("#lines .row")
        await expect(rows).to_have_count(4)
        await expect(page.page.locator("#depth")).to_have_text(re.compile(r"^\d+( at \d+ %)?$"))
        await expect(page.page.locator("#nodes")).to_have_text(re.compile(r"^[\d.]+[KMB]?$"))
        await expect(page.page.locator("#speed")).to_contain_text("/s")
        await expect(page.page.locator(PIECES)).to_have_count(4)
        await rows.first.hover()
        ghosts = page.page.locator(".board .ghost")
        await expect(ghosts.first).to_be_visible()
        await expect(ghosts.first.locator("text")).to_have_text("1")
        assert await page.chips() == {}
        await page.page.locator("h1").hover()
        await expect(page.page.locator(".board .chip")).to_have_count(4)
        await page.page.get_by_role("checkbox", name="Analyse").uncheck()
        await expect(page.page.locator("#no-lines")).to_have_text("Analysis is off.")


async def test_a_branch_and_the_way_back(browser: Browser, server: Server) -> None:
    place = "#mode=analyse&game=tictactoe&size=3x3&moves=a1.b2.c3"
    async with visit(browser, server, place) as page:
        await page.page.get_by_role("button", name="Back one move").click()
        await page.play("a3")
        branch = page.page.get_by_role("group", name="Variation")
        await expect(branch.locator(".move")).to_have_text(["a3"])
        await expect(branch.locator(".move")).to_have_attribute("aria-current", "step")
        await page.page.keyboard.press("Escape")
        await page.page.get_by_role("button", name="To the start").click()
        await page.page.locator("#moves").focus()
        await page.page.keyboard.press("End")
        await expect(page.page.locator("#moves > [aria-current]")).to_have_text("c3")
        assert "moves=a1.b2.c3" in page.page.url


async def test_the_list_of_moves_follows_a_long_game(browser: Browser, server: Server) -> None:
    game = load("othello")
    moves = [game.move_name(move) for _, move in random_game(game, random.Random(2))]
    place = f"#mode=play&game=othello&size=8x8&moves={'.'.join(moves)}"
    async with visit(browser, server, place) as page:
        current = page.page.locator("#moves [aria-current]")
        await expect(current).to_contain_text(moves[-1])
        await expect(current).to_be_in_viewport(ratio=0.9)
        await page.page.get_by_role("button", name="To the start").click()
        await page.page.get_by_role("button", name="On one move").click()
        await expect(current).to_contain_text(moves[0])
        await expect(current).to_be_in_viewport(ratio=0.9)


#: Four moves, and five positions to evaluate.
_SHORT = "#mode=analyse&game=tictactoe&size=3x3&moves=a1.b1.b2.c3"
#: Nine moves, none of whose positions is soon proven.
_OPENING = "#mode=analyse&game=othello&size=8x8&moves=f5.d6.c3.d3.c4.f4.c5.b3.c2"
_ALL_FIVE = re.compile(r"^(M[^M]+){5}$")


async def test_the_whole_game_is_evaluated(browser: Browser, server: Server) -> None:
    async with visit(browser, server, _SHORT) as page:
        await page.page.get_by_role("button", name="Evaluate the whole game").click()
        await expect(page.page.locator("#graph .dots")).to_have_attribute("d", _ALL_FIVE)
        await page.expect_status("X to move.")
        await expect(page.page.locator("#graph svg")).to_have_attribute(
            "aria-label", "Evaluation graph, X above, O below; after move 4: X wins in 3 moves"
        )
        await expect(page.page.locator("#lines .row")).to_have_count(5)


async def test_the_whole_game_is_evaluated_when_asked_before_there_is_a_connection(
    browser: Browser, server: Server
) -> None:
    async with visit(browser, server, _SHORT) as page:
        click = "addEventListener('DOMContentLoaded', () => document.all.sweep.click())"
        await page.page.add_init_script(click)
        await page.page.reload()
        await expect(page.page.locator("#graph .dots")).to_have_attribute("d", _ALL_FIVE)
        await page.expect_status("X to move.")


async def test_evaluating_goes_on_after_a_lost_connection(browser: Browser) -> None:
    async with AsyncExitStack() as running:
        server = await running.enter_async_context(Server(settings()))
        async with visit(browser, server, _OPENING) as page:
            await page.page.get_by_role("button", name="Evaluate the whole game").click()
            await page.expect_status("Evaluating position ")
            await running.aclose()
            await expect(page.page.locator("#note")).to_contain_text("Connection lost")
            dots = page.page.locator("#graph .dots")
            await expect(dots).to_have_attribute("d", re.compile(r"^(M[^M]+){10}$"))
            await page.expect_status("White to move.")
            page.forgive_losses()


async def test_the_graph_leads_to_positions(browser: Browser, server: Server) -> None:
    async with visit(browser, server, _SHORT) as page:
        await expect(page.page.locator("#lines .row")).to_have_count(5)
        graph = page.page.locator("#graph")
        await graph.click(position={"x": 3, "y": 20})
        await expect(page.page.locator(PIECES)).to_have_count(0)
        box = await graph.bounding_box()
        assert box is not None
        await graph.click(position={"x": box["width"] / 2, "y": 20})
        await expect(page.page.locator(PIECES)).to_have_count(2)


async def test_evaluating_is_left_off(browser: Browser, server: Server) -> None:
    async with visit(browser, server, _OPENING) as page:
        await page.page.get_by_role("button", name="Evaluate the whole game").click()
        await page.expect_status("Evaluating position ")
        await page.page.get_by_role("button", name="Stop evaluating").click()
        await page.expect_status("White to move.")
        await expect(page.page.locator("#sweep")).to_have_text("Evaluate the whole game")


#: Games, and where a move was the only one that kept the win or the draw: known by heart in
#: Tic-Tac-Toe, by the opening book in Connect Four. The last move of the first is forced.
_ONLY = [
    ("tictactoe&size=3x3", "a1 b2! c3 b1 b3! a3! c1! c2! a2"),
    ("connect4&size=7x6", "4! 4 4! 4 4! 2"),
]


@pytest.mark.parametrize(("game", "marked"), _ONLY, ids=["tictactoe", "connect4"])
async def test_the_only_good_moves_are_marked(
    browser: Browser, server: Server, game: str, marked: str
) -> None:
    moves = marked.replace("!", "").replace(" ", ".")
    async with visit(browser, server, f"#mode=analyse&game={game}&moves={moves}") as page:
        await page.page.get_by_role("button", name="Evaluate the whole game").click()
        listed = page.page.locator("#moves .move")
        await expect(listed).to_have_text(marked.split())
        await expect(page.page.locator("#graph-moves .sign-only")).to_have_count(marked.count("!"))
        await expect(listed.filter(has_text="!").first).to_have_attribute(
            "title", re.compile(r"^was the only move that (wins|draws)$")
        )


async def test_a_review_goes_on_while_one_steps_through_the_game(
    browser: Browser, server: Server
) -> None:
    # The page's engine knows the usual size only.
    lost = "#mode=play&game=connect4&size=8x7&moves=1.4.1.4.2.4.7.4"
    async with visit(browser, server, lost) as page:
        line = await hold_back(page, "review", "reviewed")
        await expect(page.page.locator("#after-progress")).to_have_text("Reviewing: 0 of 8 moves.")
        back = page.page.get_by_role("button", name="Back one move")
        for _ in range(3):
            await back.click()
        await page.page.get_by_role("button", name="Review").click()
        await back.click()
        await expect(page.page.locator("#moves [aria-current]")).to_have_text("4")
        assert not {"stop", "go"} & set(line.asked)
        line.release()
        await expect(page.page.locator("#verdict")).to_contain_text("moves best")
        await expect(page.page.locator("#lines .row").first).to_be_visible()
        assert line.asked.count("review") == 1


async def test_evaluating_goes_on_while_one_steps_through_the_game(
    browser: Browser, server: Server
) -> None:
    async with visit(browser, server, _OPENING) as page:
        line = await hold_back(page, "bestmove")
        await page.page.get_by_role("button", name="Evaluate the whole game").click()
        for name in ("Back one move", "To the start", "On one move"):
            await page.page.get_by_role("button", name=name).click()
            await page.expect_status("Evaluating position 1 of 10")
        line.release()
        dots = page.page.locator("#graph .dots")
        await expect(dots).to_have_attribute("d", re.compile(r"^(M[^M]+){10}$"))
        await page.expect_status("White to move.")


async def test_analysis_ends_where_one_begins_to_watch(browser: Browser, server: Server) -> None:
    async with visit(browser, server, "#mode=analyse&game=othello&size=8x8") as page:
        await expect(page.page.locator("#lines .row")).to_have_count(4)
        await page.page.get_by_role("tab", name="Watch").click()
        await expect(page.page.locator("#arena-status")).to_contain_text("has no arena")


#: What is pasted into no field.
PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""

#: How files begin that the page saves.
SAVED = {
    "PGN": b'[Event "',
    "GGF": b"(;GM[Othello]",
    "SVG": b"<svg",
    "PNG": b"\x89PNG",
    "GIF": b"GIF89a",
}


async def test_copy_paste_and_link(browser: Browser, server: Server) -> None:
    async with visit(
        browser,
        server,
        "#mode=analyse&game=othello&size=8x8",
        permissions=["clipboard-read", "clipboard-write"],
    ) as page:
        await page.expect_status("Black to move")
        open_dialog = page.page.get_by_role("button", name="Copy or paste")
        await open_dialog.click()
        paste = page.page.get_by_label("Paste a position, moves, a game")
        await paste.fill("d3c3 c4 zz")
        await page.page.get_by_role("button", name="Set up").click()
        said = page.page.locator("#transfer-said")
        await expect(said).to_contain_text("Line 1, column 9: “zz” is not understood")
        await paste.fill("[3,3]")
        await page.page.get_by_role("button", name="Set up").click()
        await expect(said).to_contain_text("Line 1, column 1: “[3,3]” is no game")
        await page.expect_moves()
        await paste.fill(" ")
        await page.page.get_by_role("button", name="Set up").click()
        await expect(said).to_contain_text("There is nothing to set up")
        await paste.fill(page.page.url.replace("othello&size=8x8", "connect4&size=7x6&moves=4.4"))
        await page.page.get_by_role("button", name="Set up").click()
        await page.expect_moves("4", "4")
        await open_dialog.click()
        await expect(page.page.get_by_role("button", name="GGF")).to_be_hidden()
        await paste.fill("f5d6c3")  # of another game
        await page.page.get_by_role("button", name="Set up").click()
        await page.expect_moves("f5", "d6", "c3")
        await page.page.evaluate(PASTE, "44")
        await page.expect_moves("4", "4")
        await page.page.evaluate(PASTE, "nonsense")
        await page.expect_status("Line 1, column 1: “nonsense” is not understood")
        for _ in range(3):
            await page.page.go_back()
        await page.expect_status("Black to move")
        await open_dialog.click()
        await paste.fill("1. d3 c3 2. c4")
        await page.page.get_by_role("button", name="Set up").click()
        await page.expect_moves("d3", "c3", "c4")
        await open_dialog.click()
        await page.page.get_by_role("button", name="Copy the game").click()
        await expect(page.page.locator("#transfer-said")).to_have_text("The game is copied.")
        copied = await page.page.evaluate("navigator.clipboard.readText()")
        assert copied == "startpos moves d3 c3 c4"
        for kind, start in SAVED.items():
            async with page.page.expect_download() as download:
                await page.page.get_by_role("button", name=kind).click()
            saved = await (await download.value).path()
            assert saved.read_bytes().startswith(start)
        link = await page.page.get_by_label("Link", exact=True).input_value()
        position = await page.page.get_by_label("Position", exact=True).input_value()
        await paste.fill(position)
        await page.page.get_by_role("button", name="Set up").click()
        await page.expect_moves()
        await expect(page.page.locator(PIECES)).to_have_count(7)
        await page.page.goto(link)
        await page.expect_moves("d3", "c3", "c4")
        await page.page.goto(link.replace("c3.c4", "c3.c9.c4"))
        await page.expect_moves("d3", "c3")
        await page.expect_status("Move 3, “c9”, cannot be played.")


#: What the browser's own decoder sees in a GIF: frames, and a pixel of the first and of the last.
DECODE = """async ([bytes, x, y]) => {
  const data = new Uint8Array(bytes);
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await decoder.tracks.ready;
  const { frameCount } = decoder.tracks.selectedTrack;
  const pixels = [];
  for (const frameIndex of [0, frameCount - 1]) {
    const { image } = await decoder.decode({ frameIndex });
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const [red, green, blue] = context.getImageData(x * canvas.width, y * canvas.height, 1, 1).data;
    pixels.push([red, green, blue]);
  }
  return [frameCount, ...pixels];
}"""

#: Whether a GIF of noise comes back as it was: as many codes as there are, several times over.
NOISE = """async () => {
  const { toGif } = await import("/game/gif.js");
  const side = 160;
  const noise = () => Uint32Array.from({ length: side * side }, () => {
    return 0xff000000 + 0x010203 * Math.floor(Math.random() * 80);
  });
  const frames = [noise(), noise()].map((pixels) => ({ pixels, delay: 10 }));
  const data = await toGif(side, side, frames).arrayBuffer();
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  const same = [];
  for (const [frameIndex, { pixels }] of frames.entries()) {
    const { image } = await decoder.decode({ frameIndex });
    const context = new OffscreenCanvas(side, side).getContext("2d");
    context.drawImage(image, 0, 0);
    const { buffer } = context.getImageData(0, 0, side, side).data;
    same.push(new Uint32Array(buffer).every((pixel, at) => pixel === pixels[at]));
  }
  return same;
}"""


async def test_a_game_is_saved_in_motion(browser: Browser, server: Server) -> None:
    place = "#mode=play&game=connect4&size=7x6&moves=4.3.4.5"
    async with visit(browser, server, place) as page:
        await page.page.get_by_role("button", name="Copy or paste").click()
        async with page.page.expect_download() as download:
            await page.page.get_by_role("button", name="GIF, the game in motion").click()
        saved = await (await download.value).path()
        # Near the middle of the fourth column, at the bottom: a hole, and then a yellow stone.
        bottom = [list(saved.read_bytes()), 0.54, 0.82]
        frames, empty, stone = await page.page.evaluate(DECODE, bottom)
        assert frames == 5
        assert stone == [0xF0, 0xBD, 0x3F] != empty
        await page.page.route(MODULES, send_module)
        assert await page.page.evaluate(NOISE) == [True, True]


async def test_the_best_line_stands_on_the_board(browser: Browser, server: Server) -> None:
    async with visit(browser, server, "#mode=analyse&game=connect4&size=7x6&moves=4.4.3") as page:
        numbers = page.page.locator(".board .marks .ghost text")
        arrows = page.page.locator(".board .arrow")
        await expect(page.page.locator("#lines .proof", has_text="proven")).to_have_count(7)
        await expect(numbers).to_have_text(["1", "2", "3"])
        await expect(page.page.locator("#worth")).to_have_text(
            re.compile(r"^\w+ wins in \d+ moves: proven\.$")
        )
        await expect(arrows).to_have_count(1)
        await page.page.keyboard.press("a")
        await expect(numbers).to_have_count(0)
        await expect(arrows).to_have_count(0)
        await expect(page.page.get_by_label("Arrows")).not_to_be_checked()
        await page.page.evaluate(PASTE, "f5d6")
        await page.page.keyboard.press("a")
        # One from each disc that encloses others with the best move.
        await expect(arrows.first).to_be_attached()
        await expect(numbers.first).to_have_text("1")


#: Notes how many pieces there are, whenever there are more or fewer.
COUNT = """(pieces) => {
  window.counts = [document.querySelectorAll(pieces).length];
  new MutationObserver(() => {
    const count = document.querySelectorAll(pieces).length;
    if (count !== counts.at(-1)) counts.push(count);
  }).observe(document.getElementById("board"), { childList: true, subtree: true });
}"""


async def test_a_game_is_replayed_and_a_position_edited(browser: Browser, server: Server) -> None:
    place = "#mode=analyse&game=connect4&size=7x6&moves=4.4.3"
    async with visit(browser, server, place) as page:
        replay, pieces = page.page.locator("#replay"), page.page.locator(PIECES)
        speed = page.page.get_by_label("a move each")
        await speed.select_option("½ s")
        await expect(pieces).to_have_count(3)
        await page.page.evaluate(COUNT, PIECES)
        await replay.click()  # at the end, so from the start
        await expect(replay).to_have_text("Pause")
        await expect(replay).to_have_text("Replay")
        assert await page.page.evaluate("counts") == [3, 0, 1, 2, 3]
        await speed.select_option("2½ s")
        await replay.click()
        await page.page.get_by_role("button", name="On one move").click()
        await expect(replay).to_have_text("Replay")
        await page.page.get_by_role("button", name="To the end").click()
        await expect(pieces).to_have_count(3)

        await page.page.get_by_role("button", name="Edit the position").click()
        squares = page.page.locator("#editor-squares .square")
        await squares.nth(0).click()  # the stone falls
        await expect(squares.nth(35)).to_have_attribute(
            "aria-label", "Column 1, row 6 from the top, Yellow"
        )
        assert await page.findings() == []
        set_up = page.page.locator("#editor").get_by_role("button", name="Set up")
        await set_up.click()
        said = page.page.locator("#editor-said")
        await expect(said).to_contain_text("One side has had too many turns")
        await squares.nth(35).click()
        await set_up.click()
        await expect(squares.first).to_be_hidden()
        await expect(page.page.locator("#moves")).to_contain_text("No moves yet")
        await expect(pieces).to_have_count(4)
        await page.expect_status("Yellow to move.")


async def test_keys_and_a_board_that_turns(browser: Browser, server: Server) -> None:
    async with visit(browser, server, "#mode=play&game=othello&size=8x8") as page:
        await page.expect_status("Your turn")
        square = page.page.locator(".place[data-move='d3']")
        await square.hover()
        ghost = page.page.locator(".board .ghost")
        await expect(ghost).to_have_count(1)
        before = await square.bounding_box()
        await page.page.keyboard.press("f")
        after = await square.bounding_box()
        assert before is not None
        assert after is not None
        assert after["x"] > before["x"]
        assert after["y"] > before["y"]
        await square.focus()
        await page.page.keyboard.press("ArrowRight")
        await expect(page.page.locator(".place[data-move='c3']")).to_be_focused()
        await page.page.evaluate(PASTE, "44")
        await page.expect_moves("4", "4")
        await page.page.keyboard.press("3")
        await expect(page.page.locator("#moves .move").nth(2)).to_have_text("3")
        await page.page.keyboard.press("?")
        await page.page.get_by_label("Letters and digits are keys").uncheck()
        await page.page.get_by_label("Sounds of moves").check()
        assert await page.findings() == []
        await page.page.get_by_role("button", name="Close").click()
        await page.page.keyboard.press("n")
        await expect(page.page.locator("#choose-game")).not_to_be_focused()
        await page.page.get_by_role("button", name="Keys").click()
        await page.page.get_by_label("Letters and digits are keys").check()
        await page.page.keyboard.press("Escape")
        await page.page.keyboard.press("n")
        await expect(page.page.locator("#choose-game")).to_be_focused()


@pytest.mark.parametrize(
    ("viewport", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"]
)
async def test_anybody_can_use_it(
    browser: Browser, server: Server, viewport: dict[str, int], scheme: str
) -> None:
    place = "#mode=analyse&game=connect4&size=7x6&moves=4.4.3"
    looks = {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
    async with visit(browser, server, place, **looks) as page:
        await expect(page.page.locator("#lines .proof", has_text="proven")).to_have_count(7)
        assert await page.findings() == []
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await page.page.evaluate(wide) == 0
        for tab in ("Watch", "Play"):
            await page.page.get_by_role("tab", name=tab).click()
            assert await page.findings() == []
            assert await page.page.evaluate(wide) == 0
        await page.page.get_by_role("button", name="Copy or paste").click()
        assert await page.findings() == []
        assert await page.page.evaluate("document.getAnimations().length") == 0


async def test_the_theme_is_chosen_and_remembered(browser: Browser, server: Server) -> None:
    async with visit(browser, server, color_scheme="light") as page:
        background = "getComputedStyle(document.body).backgroundColor"
        light = await page.page.evaluate(background)
        theme = page.page.locator("#theme")
        await expect(theme).to_have_text("Auto")
        await theme.click()
        await theme.click()
        await expect(theme).to_have_text("Dark")
        dark = await page.page.evaluate(background)
        await page.page.reload()
        await expect(theme).to_have_text("Dark")
        assert await page.page.evaluate(background) == dark != light
