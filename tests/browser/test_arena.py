"""A person at the page plays in the arena: logs in, takes and offers seats, and comes back."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.play.players.base import GameLine, Player
from plywire.protocol.messages.arena import Seek
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.limits import Clock, Limits
from plywire.server.arena.arena_session import ArenaSession
from plywire.server.arena.job_workers import Workers
from plywire.server.arena.live import live_tournament
from plywire.server.arena.live.announcing import announce
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.arena.tournament.config import TournamentConfig, parse_config
from plywire.server.arena.tournament.plan import Plan, make_plan
from plywire.server.errors import RefusedError
from plywire.server.serve import Server
from tests.support.browser import PHONE, Visit, visit
from tests.support.peers import WebSocketPeer, settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

BLITZ = Limits(clock=Clock(p1=300_000, p2=300_000, inc1=3000, inc2=3000))

CUP = """
name = "Friday cup"
accuracy = false
seats = 3
[format]
system = "round-robin"
games = 2
[time]
movetime = 60000
[[games]]
game = "tictactoe"
openings = "start"
[players]
"""


class Harmless(Player):
    """Takes squares that are in no line with each other, whoever moves first."""

    name = "harmless"

    async def choose(self, line: GameLine, limits: Limits) -> int:
        legal = {line.position.game.move_name(move): move for move in line.position.moves()}
        return next(legal[name] for name in ("a1", "b3", "c2", *legal) if name in legal)


class Rival:
    """A bot that says line by line what a test has it say."""

    def __init__(self, peer: WebSocketPeer) -> None:
        self._peer = peer

    async def say(self, **command: Any) -> None:
        await self._peer.say(json.dumps(command))

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next event of that kind."""
        while (line := await self._peer.hear()) is not None:
            event: dict[str, Any] = json.loads(line)
            if event["type"] == kind:
                return event
        raise AssertionError(f"hung up before {kind}")


@asynccontextmanager
async def arena(folder: Path, port: int = 0, **chosen: Any) -> AsyncIterator[Server]:
    async with Server(settings(arena=folder, websocket_port=port, **chosen)) as server:
        yield server


@asynccontextmanager
async def running(*bots: ArenaBot, games: int | None = 1) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(bot.run(games=games)) for bot in bots]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def token(folder: Path, name: str) -> str:
    return await asyncio.to_thread(accounts_of(folder).add, name)


async def bot(server: Server, folder: Path, name: str, **options: Any) -> ArenaBot:
    host, port = server.websocket_address
    secret = await token(folder, name)
    return ArenaBot(f"ws://{host}:{port}", name, secret, Harmless, BotOptions(**options))


@asynccontextmanager
async def rival(server: Server, folder: Path, name: str = "bob") -> AsyncIterator[Rival]:
    peer = await WebSocketPeer.connect(server)
    found = Rival(peer)
    await found.say(type="login", name=name, token=await token(folder, name))
    await found.hear("welcome")
    try:
        yield found
    finally:
        await peer.leave()


async def log_in(page: Visit, name: str, secret: str, *, keep: bool = False) -> None:
    await page.page.get_by_label("Against").select_option("arena")
    await page.page.get_by_label("Name", exact=True).fill(name)
    await page.page.get_by_label("Token").fill(secret)
    await page.page.get_by_label("Keep them on this device").set_checked(keep)
    await page.page.get_by_role("button", name="Log in").click()


async def entered(page: Visit, folder: Path, name: str = "me", *, keep: bool = False) -> None:
    await log_in(page, name, await token(folder, name), keep=keep)
    await expect(page.page.locator("#logged-in")).to_contain_text(f"You are {name}.")


async def test_an_open_seat_is_taken_and_the_game_won_over_a_server_that_restarts(
    browser: Browser, tmp_path: Path
) -> None:
    async with AsyncExitStack() as first:
        server = await first.enter_async_context(arena(tmp_path))
        port = server.websocket_address[1]
        ann = await bot(server, tmp_path, "ann", offers=[Seek(game="tictactoe", limits=BLITZ)])
        async with running(ann), visit(browser, server) as page:
            await log_in(page, "me", "wrong")
            said = page.page.locator("#arena-said")
            await expect(said).to_have_text(
                "No bot has this name and token: `plywire bot add NAME` prints a token."
            )
            assert await page.findings() == []
            await entered(page, tmp_path)
            await expect(page.page.locator("#seats")).to_be_visible()
            seats = page.page.get_by_role("list", name="Open seats")
            await expect(seats).to_contain_text("ann: Tic-Tac-Toe, 5 min + 3 s")
            assert await page.findings() == []
            await seats.get_by_role("button", name="Play: ann").click()
            await page.play("b2")
            await expect(page.page.locator("#setup")).to_be_hidden()
            await expect(page.page.locator("#table-title")).to_have_text("Against ann, 5 min + 3 s")
            await expect(page.page.locator(".plates")).to_contain_text("5:0")
            await page.expect_status("Your turn: you play")
            await expect(page.page).to_have_title("Your turn – Plywire")

            await first.aclose()
            await page.expect_status("Connection lost")
            await expect(page.page.locator(".place[aria-disabled='false']")).to_have_count(0)
            async with arena(tmp_path, port):
                await page.play("a3")
                await page.expect_status("Your turn: you play")
                assert await page.findings() == []
                await page.play("c1")
                await page.expect_status("You won: three in a row.")
                page.forgive_losses()
                await page.page.get_by_role("button", name="Review").click()
                await page.expect_status("You won: three in a row.")
                await expect(page.page.locator("#verdict")).to_contain_text("3 of 3 moves best")
                await page.page.get_by_role("tab", name="Play").click()
                await page.page.get_by_role("button", name="Leave the table").click()
                await expect(page.page.locator("#seats")).to_be_visible()
                assert await page.page.evaluate("localStorage.getItem('plywire.account')") is None


async def test_a_guest_invites_a_friend_by_a_link(browser: Browser, tmp_path: Path) -> None:
    async with AsyncExitStack() as first, AsyncExitStack() as second:
        server = await first.enter_async_context(arena(tmp_path, guests=4))
        port = server.websocket_address[1]
        phone: dict[str, Any] = {"viewport": PHONE, "color_scheme": "dark"}
        ann = await second.enter_async_context(visit(browser, server))
        bob = await second.enter_async_context(visit(browser, server, **phone))
        await ann.page.get_by_label("Against").select_option("friend")
        await expect(ann.page.get_by_label("Token")).to_be_hidden()
        await ann.page.get_by_label("Your name").fill(" Ann Lee ")
        await ann.page.get_by_role("button", name="Play as a guest").click()
        await expect(ann.page.locator("#login-as")).to_have_text("guest-Ann-Lee")
        await ann.choose(game="tictactoe", time="3+2")
        await ann.expect_status("Waiting for the other")
        assert await ann.findings() == []
        await ann.page.reload()  # the window still waits
        await ann.expect_status("Waiting for the other")
        # The board is that of the game to come, and nobody plays on it yet.
        await expect(ann.page.locator("#board .place[data-move]")).to_have_count(9)
        await expect(ann.page.locator(".place[aria-disabled='false']")).to_have_count(0)
        await expect(ann.page.locator(".plates [data-part='owner']")).to_have_text(["", ""])
        await expect(ann.page.get_by_role("button", name="Hint")).to_be_hidden()
        link = await ann.page.get_by_label("Link for your friend").input_value()
        assert link == ann.page.url

        await bob.page.get_by_role("button", name="Copy or paste").click()
        await bob.page.locator("#paste").fill(link)
        await bob.page.get_by_role("button", name="Set up").click()
        said = bob.page.locator("#invited")
        await expect(said).to_have_text("You are invited to a game of Tic-Tac-Toe, 3 min + 2 s.")
        assert bob.page.url == link
        await bob.page.reload()
        await expect(said).to_contain_text("You are invited")
        assert await bob.findings() == []
        await bob.page.get_by_label("Your name").fill("bob")
        await bob.page.get_by_role("button", name="Play as a guest").click()
        title = ann.page.locator("#table-title")
        await expect(title).to_have_text("Against guest-bob, 3 min + 2 s")
        await expect(bob.page.locator("#plate-1")).to_be_in_viewport()
        owners = ann.page.locator(".plates [data-part='owner']")
        await expect(owners).to_have_text([re.compile("you|guest-bob")] * 2)
        starts = await owners.first.text_content() == "you"
        players = (ann, bob) if starts else (bob, ann)
        await first.aclose()  # guests come back to their game like others
        await ann.expect_status("Connection lost")
        await second.enter_async_context(arena(tmp_path, port, guests=4))
        for number, move in enumerate(("a1", "b1", "a2", "b2", "a3")):
            await players[number % 2].play(move)
        await players[0].expect_status("You won")
        await players[1].expect_status("You lost")
        assert "/game/" in bob.page.url
        for each in players:
            each.forgive_losses()


async def test_challenges_and_a_page_that_is_loaded_again_on_a_phone(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        arena(tmp_path) as server,
        rival(server, tmp_path) as bob,
        visit(browser, server, viewport=PHONE, color_scheme="dark") as page,
    ):
        await entered(page, tmp_path, keep=True)
        terms = {"game": "othello", "limits": {"movetime": 60000}}
        await bob.say(type="challenge", name="me", **terms)
        seats = page.page.get_by_role("list", name="Open seats")
        await expect(seats).to_contain_text("bob challenges you: Othello, 1 min a move")
        await page.page.get_by_role("button", name="Decline").click()
        assert (await bob.hear("withdrawn"))["reason"] == "me declined"
        await expect(seats.locator("li")).to_have_count(0)
        await bob.say(type="challenge", name="me", **terms)
        await expect(seats.locator("li")).to_have_count(1)
        assert await page.findings() == []
        await page.page.get_by_role("button", name="Accept").press("Enter")
        start = await bob.hear("start")
        await expect(page.page.locator(".place:focus")).to_be_in_viewport()
        if start["player"] == 1:
            await bob.say(type="play", table=start["table"], turn=0, move="d3")
        await page.play("d3" if start["player"] == 2 else "c3")

        title = page.page.locator("#table-title")
        await expect(title).to_have_text("Against bob, 1 min a move")
        await page.expect_status("bob is to move.")
        await page.page.reload()
        await expect(title).to_have_text("Against bob, 1 min a move")
        await page.expect_status("bob is to move.")
        # One's own live game is not analysed, and has an address.
        await page.page.get_by_role("tab", name="Watch").click()
        await page.page.locator("#running button").click()
        assert page.page.url.endswith(f"/game/{start['table']}")
        await page.page.get_by_role("button", name="Analyse this game").click()
        await expect(page.page.locator("#no-lines")).to_contain_text("The engine is quiet until")
        await page.page.get_by_role("tab", name="Play").click()
        assert page.page.url.endswith(f"/game/{start['table']}")
        await page.page.get_by_role("button", name="Resign").click()
        assert await page.findings() == []
        await page.page.get_by_role("button", name="Play on").click()
        await page.page.get_by_role("button", name="Resign").click()
        await page.page.get_by_role("button", name="Yes, resign").click()
        await page.expect_status("You lost: me resigned.")
        assert (await bob.hear("over"))["termination"] == "resignation"
        await page.page.get_by_role("button", name="Leave the table").click()
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert await page.page.evaluate(wide) == 0
        await page.page.get_by_role("button", name="Log out").click()
        await page.page.reload()
        await expect(page.page.get_by_label("Name", exact=True)).to_have_value("me")
        await page.page.get_by_role("button", name="Log in").click()
        await expect(page.page.locator("#logged-in")).to_contain_text("You are me.")


async def test_offers_are_made_taken_back_and_a_game_called_off(
    browser: Browser, tmp_path: Path
) -> None:
    async with (
        arena(tmp_path) as server,
        rival(server, tmp_path) as bob,
        visit(browser, server) as page,
    ):
        await entered(page, tmp_path)
        seats = page.page.get_by_role("list", name="Open seats")
        await page.choose(game="connect4", width="5", height="4", time="10s")
        await expect(seats).to_contain_text("You offer: Connect Four 5 × 4, 10 s a move")
        await page.page.get_by_role("button", name="Take back: You offer").click()
        await expect(seats.locator("li")).to_have_count(0)
        await page.choose(time="30+0", whom="bob")
        await expect(seats).to_contain_text("You offer bob: Connect Four 5 × 4, 30 min")
        challenged = await bob.hear("challenged")
        assert (challenged["size"], challenged["limits"]["clock"]["p1"]) == ("5x4", 1_800_000)
        await bob.say(type="decline", offer=challenged["offer"])
        await expect(page.page.locator("#arena-said")).to_have_text(
            "An offer was withdrawn: bob declined."
        )
        # The latest offer is the only one: there is one seat for it.
        await page.choose(time="10s", whom="")
        await page.choose(whom="bob")
        await expect(seats.locator("li")).to_have_count(1)
        await bob.say(type="accept", offer=(await bob.hear("challenged"))["offer"])
        start = await bob.hear("start")
        if start["player"] == 1:
            await bob.say(type="play", table=start["table"], turn=0, move="1")
        await page.expect_status("Your turn")
        await page.page.get_by_role("button", name="Call the game off").click()
        await page.expect_status("The game was called off: me called the game off.")


async def test_a_move_that_is_refused_can_be_made_again(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [RefusedError(ErrorCode.TOO_MANY, "too many messages")]
    handle = ArenaSession.handle

    async def refuse_once(self: ArenaSession, command: Any, reply: Any) -> None:
        if command.type == "play" and command.move == "b2" and refusals:  # the page's
            raise refusals.pop()
        await handle(self, command, reply)

    monkeypatch.setattr(ArenaSession, "handle", refuse_once)
    async with arena(tmp_path) as server:
        ann = await bot(server, tmp_path, "ann", offers=[Seek(game="tictactoe", limits=BLITZ)])
        async with running(ann), visit(browser, server) as page:
            await entered(page, tmp_path)
            seats = page.page.get_by_role("list", name="Open seats")
            await seats.get_by_role("button", name="Play: ann").click()
            await page.play("b2")
            await page.expect_status("Too many messages.")
            assert refusals == []
            await page.play("b2", "a3", "c1")
            await page.expect_status("You won: three in a row.")


async def test_who_logs_in_elsewhere_is_told_so(browser: Browser, tmp_path: Path) -> None:
    async with (
        arena(tmp_path) as server,
        visit(browser, server) as one,
        visit(browser, server) as other,
    ):
        secret = await token(tmp_path, "me")
        await log_in(one, "me", secret)
        await expect(one.page.locator("#logged-in")).to_be_visible()
        await log_in(other, "me", secret)
        await expect(other.page.locator("#logged-in")).to_be_visible()
        said = one.page.locator("#arena-said")
        await expect(said).to_have_text("me has logged in from somewhere else.")
        await expect(one.page.get_by_role("button", name="Log in")).to_be_visible()


async def crosstable(page: Visit) -> list[list[str]]:
    """The rows of the table of a tournament that is over: rank, player, points from each, ..."""
    table = page.page.get_by_role("table")
    title = page.page.get_by_role("heading", name="Friday cup").first
    await expect(title).to_have_text("Friday cup all games are played")
    rows = await table.locator("tbody tr").all()
    return [await row.locator("td, th").all_inner_texts() for row in rows]


async def test_a_tournament_is_joined_played_and_watched_also_after_a_restart(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = asyncio.Event()

    async def make_late(config: TournamentConfig, workers: Workers) -> Plan:
        await seen.wait()
        return await make_plan(config, workers)

    monkeypatch.setattr(live_tournament, "make_plan", make_late)
    async with arena(tmp_path) as server, visit(browser, server) as page:
        await announce(tmp_path, parse_config(CUP))
        await entered(page, tmp_path)
        cup = page.page.get_by_role("list", name="Open seats")
        await expect(cup).to_contain_text("Tournament Friday cup: Tic-Tac-Toe, 1 min a move")
        await page.page.get_by_role("button", name="Join: Tournament Friday cup").click()
        await expect(cup).to_contain_text("1 of 3 seats taken")
        bots = [await bot(server, tmp_path, name, join="Friday cup") for name in ("ann", "bob")]
        async with running(*bots, games=None), visit(browser, server, "#mode=watch") as watching:
            said = "Friday cup begins as soon as its openings are made."
            await expect(page.page.locator("#arena-said")).to_have_text(said)
            seen.set()
            for _ in range(4):  # each game begins as soon as the one before is over
                await page.play("b2", "a3", "c1")
            await page.expect_status("You won: three in a row.")
            rows = await crosstable(watching)
            assert [*rows[0][:3], *rows[0][4:]] == ["1", "me", "4", "×", "2", "2"]
            assert {row[1] for row in rows[1:]} == {"ann", "bob"}
            # What one took from another and what the other took back are the games they played.
            assert float(rows[1][6].replace("½", ".5")) + float(rows[2][5].replace("½", ".5")) == 2
            await expect(watching.page.locator("#finished button")).to_have_count(6)
            assert await watching.findings() == []
    async with arena(tmp_path) as server, visit(browser, server, "#mode=watch") as page:
        assert await crosstable(page) == rows
        await expect(page.page.locator("#finished button")).to_have_count(6)
        mine = page.page.locator("#finished button", has_text="me – ann")
        await mine.click()
        await page.expect_status("me – ann: 1–0, three in a row.")
        await expect(page.page.locator("#verdict")).to_contain_text("3 of 3 moves best")
