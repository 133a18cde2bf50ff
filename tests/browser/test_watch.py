"""The arena is watched on the page: a live game to its end, its review, and a tournament."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.play.errors import Termination
from plywire.clients.play.players.base import GameLine, Player
from plywire.protocol.messages.arena import Seek
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.watching import (
    FeedEvent,
    GameResult,
    GameState,
    Pairing,
    Pairings,
    StandingRow,
    Standings,
)
from plywire.server.arena import arena_session
from plywire.server.arena.feed import recall
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.store.series import SeriesTerms
from plywire.server.arena.tournament.config import SERIES
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.serve import Server
from tests.support.browser import PHONE, Visit, visit
from tests.support.peers import settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Ann's O is lost after its first move, next to the corner.
MOVES = ("a1", "b1", "b2", "c3", "a3", "a2", "c1")


class Scripted(Player):
    """Plays what is written, for either side, each move when it is let."""

    name = "scripted"

    def __init__(self, let: asyncio.Semaphore) -> None:
        self._let = let

    async def choose(self, line: GameLine, limits: Limits) -> int:
        await self._let.acquire()
        return line.position.game.parse_move(line.position, MOVES[len(line.moves)])


@asynccontextmanager
async def arena(folder: Path) -> AsyncIterator[Server]:
    async with Server(settings(arena=folder)) as server:
        yield server


@asynccontextmanager
async def playing(
    server: Server, folder: Path, let: asyncio.Semaphore
) -> AsyncIterator[asyncio.Future[list[None]]]:
    """Two bots that play one game."""
    host, port = server.websocket_address
    clock = Clock(p1=120_000, p2=120_000)
    seek = Seek(game="tictactoe", limits=Limits(clock=clock))
    bots = []
    for name in ("ann", "bob"):
        token = await asyncio.to_thread(accounts_of(folder).add, name)
        bot = ArenaBot(
            f"ws://{host}:{port}", name, token, lambda: Scripted(let), BotOptions(offers=[seek])
        )
        bots.append(asyncio.create_task(bot.run(games=1)))
    try:
        yield asyncio.gather(*bots)
    finally:
        for bot in bots:
            bot.cancel()
        await asyncio.gather(*bots, return_exceptions=True)


async def test_a_live_game_to_its_end_and_its_review(browser: Browser, tmp_path: Path) -> None:
    let = asyncio.Semaphore(0)
    async with arena(tmp_path) as server, visit(browser, server, "#mode=watch") as page:
        moves = page.page.locator("#moves .move")
        await expect(page.page.locator("#arena-status")).to_have_text("Nobody is here now.")
        async with playing(server, tmp_path, let) as ended:
            await page.expect_status("Live: ")
            await expect(page.page.locator("#running button")).to_contain_text("move 1")
            await expect(page.page.locator("#plate-1 .count")).to_have_text("1:59")
            assert await page.findings() == []
            for number in range(1, len(MOVES) + 1):
                let.release()
                await expect(moves).to_have_count(number)
                await expect(page.page.locator(".board .piece")).to_have_count(number)
            await ended
        await page.expect_status("1–0, three in a row.")
        await expect(page.page.locator("#running button")).to_have_count(0)
        await expect(page.page.locator("#finished button")).to_contain_text("Tic-Tac-Toe, 1–0")
        await expect(page.page.locator("#verdict")).to_contain_text("4 of 4 moves best")
        await expect(page.page.locator("#moves .losing")).to_have_text("b1L??")
        await expect(moves).to_have_text(["a1D", "b1L??", "b2W", "c3L", "a3W", "a2L", "c1W!"])
        assert await page.findings() == []

        await page.page.get_by_role("button", name="To the start").click()
        await expect(page.page.locator(".board .piece")).to_have_count(0)
        await page.page.get_by_role("button", name="On one move").click()
        await expect(page.page.locator(".board .piece")).to_have_count(1)
        await page.page.get_by_role("button", name="Analyse this game").click()
        await page.expect_status("O to move.")
        await expect(page.page.locator("#lines .row").first).to_contain_text("Dproven")
        await expect(moves).to_have_count(len(MOVES))


async def test_a_tournament(browser: Browser, tmp_path: Path) -> None:
    names = ("<b>ann</b>1", "bob", "carl", "dora", "eve", "fred", "gus", "hans", "ida")
    rows = tuple(
        StandingRow(
            rank=rank, player=name, points=2.5, wins=1, draws=1, losses=0, elo=40, error=120
        )
        for rank, name in enumerate(names, 1)
    )
    standings = Standings(
        tournament="1",
        name="Spring cup",
        rows=rows,
        crosstable=tuple(tuple(None if a == b else 1.5 for b in names) for a in names),
        played=4,
        games=6,
        updated=datetime.now(UTC),
    )
    async with arena(tmp_path) as server:
        server.feed.publish(standings)
        for number in (1, 2, 3):
            won = GameResult(winner=1, score=1, termination="resignation", reason="2 resigned")
            over = {"round": number, "players": (f"<b>ann</b>{number}", "bob"), "result": won}
            server.feed.publish(live(f"1.{2 * number}", tournament="1", **over))
        server.feed.publish(live("1.9", tournament="1", round=3, players=("carl", "bob")))
        pairings = Pairings(
            tournament="1",
            round=3,
            rounds=4,
            pairings=(
                Pairing(players=("bob", "carl"), points=(1, 0), table="1.8", games=4, played=1),
                Pairing(players=("ann", "dora"), points=(0, 0), table="1.12", games=2),
                Pairing(players=("eve",), points=(2,)),
            ),
            updated=datetime.now(UTC),
        )
        server.feed.publish(pairings)
        async with visit(browser, server, "#mode=watch", viewport=PHONE) as page:
            cup = page.page.get_by_role("region", name="Spring cup")
            table = cup.get_by_role("table")
            await expect(cup.get_by_role("heading")).to_have_text("Spring cup 4 of 6 games")
            await expect(table.locator("tbody tr").first).to_have_text(
                "1<b>ann</b>12½ (1 of byes)40 ± 120×" + "1½" * 8
            )
            assert await page.findings() == []
            await cup.get_by_text("Standings").click()
            await expect(table).to_be_hidden()
            await cup.get_by_text("Standings").click()

            await cup.get_by_role("button", name="Only this").click()
            await expect(cup.get_by_text("Round 3 of 4")).to_be_visible()
            assert page.page.url.endswith("/tournament/Spring%20cup")
            lines = cup.locator("details").nth(1).locator("li")
            await expect(lines).to_have_text(
                ["bob – carl1–0, live, 1 of 4 games", "ann – dora0 of 2 games", "evebye, 2"]
            )
            assert await cup.locator("details").nth(1).get_by_role("button").evaluate_all(
                "buttons => buttons.map(button => button.disabled)"
            ) == [False, True, True]
            await cup.get_by_text("Games of round 2 that are over").click()
            await expect(cup.get_by_role("button", name="<b>ann</b>2 – bob")).to_be_visible()
            await expect(cup.get_by_role("button", name="<b>ann</b>3 – bob")).to_be_hidden()
            assert await page.findings() == []

            await cup.get_by_label("Find a player").fill("CARL")
            await expect(table.locator("tbody tr:visible")).to_have_count(1)
            await expect(lines.filter(visible=True)).to_have_count(1)
            await lines.first.get_by_role("button").click()
            await page.expect_status("Live: carl – bob.")
            assert page.page.url.endswith("/game/1.9")
            server.feed.publish(standings.model_copy(update={"outcome": "all games played"}))
            await expect(cup.get_by_role("heading")).to_have_text("Spring cup all games played")
            await expect(table.locator("tbody tr:visible")).to_have_count(1)


async def test_a_tournament_is_looked_for_until_the_server_says_that_there_is_none(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = asyncio.Event()

    async def late(journal: Journal, feed: Feed, name: str, number: int) -> list[FeedEvent]:
        await answers.wait()
        return await recall.recall_round(journal, feed, name, number)

    monkeypatch.setattr(arena_session, "recall_round", late)
    await keep_old_game(tmp_path, name="Old cup")
    async with arena(tmp_path) as server, visit(browser, server, "tournament/New%20cup") as page:
        said = page.page.locator("#wall-said")
        await expect(said).to_have_text("Looking for tournament New cup…")
        answers.set()
        await expect(said).to_have_text("There is no tournament New cup, or it has not begun.")
        await page.page.goto(page.page.url.replace("New", "Old"))
        await expect(said).to_have_text("Of tournament Old cup nothing is kept that can be shown.")


def live(table: str, **changes: Any) -> GameState:
    """A game of Tic-Tac-Toe in which the second player is to move, in the last of two periods."""
    clock = Clock(p1=10_000, p2=0, byoyomi=3_600_000, periods1=2, periods2=2)
    state = GameState(
        table=table,
        game="tictactoe",
        size="3x3",
        players=("ann", "bob"),
        limits=Limits(clock=clock),
        fen="3/3/3 x",
        moves=("b2",),
        turn=2,
        clock=clock,
        updated=datetime.now(UTC),
    )
    return state.model_copy(update=changes)


async def expect_only_what_changed_and_is_seen_is_drawn(page: Visit, server: Server) -> None:
    """On the wall, where the page shows more games than there is room for."""
    size = page.page.viewport_size
    await page.page.set_viewport_size({"width": 300, "height": 300})
    tables = [f"3.{number}" for number in range(12)]
    for table in tables:
        server.feed.publish(live(table))
    first, last = (
        page.page.locator(f"#wall-games [data-key='{table}'] .tile")
        for table in ("2.7", tables[-1])
    )
    await expect(last).to_be_attached()
    await page.page.evaluate(_NOTE_CHANGES)
    for table in ("2.7", tables[-1]):
        server.feed.publish(live(table, moves=("b2", "a1", "c3")))
    await expect(first).to_have_attribute("aria-label", "ann – bob, move 4")
    assert await page.page.evaluate("window.changed") == ["2.7"]
    await expect(last).to_have_attribute("aria-label", "ann – bob, move 2")
    await last.scroll_into_view_if_needed()
    await expect(last).to_have_attribute("aria-label", "ann – bob, move 4")
    for table in tables:
        server.feed.publish(live(table, result=GameResult(termination="abort")))
    assert size is not None
    await page.page.set_viewport_size(size)
    await page.page.evaluate("scrollTo(0, 0)")


#: Collects the tables of the tiles in which something but a clock is drawn anew.
_NOTE_CHANGES = """() => {
  window.changed = [];
  new MutationObserver(changes => changes.forEach(({target}) => {
    const table = target.closest?.("li")?.dataset.key;
    if (table && !window.changed.includes(table)) window.changed.push(table);
  })).observe(
    document.querySelector("#wall-games"), {subtree: true, childList: true, attributes: true},
  );
}"""


async def keep_old_game(folder: Path, name: str = SERIES) -> int:
    """Keep a game that ended long ago, number 0 of the tournament whose id is returned."""
    scheduled = ScheduledGame(0, 1, "tictactoe", "3x3", ("ann", "bob"), "3/3/3 x", ())
    async with Journal(folder / "games.sqlite", create=True) as journal:
        series = await journal.create(name, SeriesTerms(movetime=1000).model_dump_json())
        await journal.schedule(series, [scheduled])
        await journal.start(series, 0)
        resigned = scheduled.ended(
            [("b2", 5)], winner=1, termination=Termination.RESIGNATION, reason="it was late"
        )
        await journal.finish(series, resigned)
    return series


async def test_games_and_tournaments_have_addresses(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recall, "_GAMES", 0)
    old = await keep_old_game(tmp_path)
    names = [f"{number} with a name as long as a bot may have one" for number in range(12)]
    rows = tuple(
        StandingRow(rank=1, player=name, points=3.5, wins=3, draws=1, losses=0, elo=40, error=120)
        for name in names
    )
    standings = Standings(
        tournament="1",
        name="Spring cup",
        rows=rows,
        crosstable=((1.5,) * 12,) * 12,
        played=4,
        games=6,
        updated=datetime.now(UTC),
    )
    won = GameResult(winner=1, score=1, termination="resignation", reason="2 resigned")
    over = {"players": (names[0], names[1]), "tournament": "1", "result": won}
    async with arena(tmp_path) as server:
        server.feed.publish(standings)
        server.feed.publish(live("1.1", **over))
        server.feed.publish(live("2.7"))
        async with visit(browser, server, "game/2.7") as page:
            clocks = page.page.locator(".plates .count")
            await page.expect_status("Live: ann – bob.")
            await expect(clocks.first).to_have_text("0:10 + 2 × 60 min")
            await expect(clocks.last).to_contain_text("59:")
            await expect(clocks.last).to_contain_text(" + 1 × 60 min")
            await page.page.locator("#finished button").scroll_into_view_if_needed()
            await expect(page.page.locator("#finished button > span").last).to_be_in_viewport()
            points = page.page.get_by_role("cell", name="40 ± 120").first
            await points.locator("..").scroll_into_view_if_needed()
            await expect(points).to_be_in_viewport(ratio=0.9)
            await page.page.get_by_role("button", name="Only this").click()
            assert page.page.url.endswith("/tournament/Spring%20cup")
            await page.page.reload()
            await expect(page.page.locator("#wall-said")).to_contain_text("these were the last")
            await page.page.get_by_role("button", name="One game").click()
            await page.expect_status("1–0, resignation, 2 resigned.")
            await page.page.get_by_role("button", name="Copy or paste").click()
            link = await page.page.get_by_label("Link", exact=True).input_value()
            assert link == page.page.url
            assert link.endswith("/game/1.1")
            await page.page.get_by_role("button", name="Close").click()
            await page.page.go_back()
            await expect(page.page.locator("#wall-all")).to_be_visible()
            await page.page.go_back()
            await page.expect_status("Live: ann – bob.")
            await page.page.get_by_role("button", name="All boards").click()
            tiles = page.page.locator("#wall-games .tile")
            await expect(tiles).to_have_count(1)
            await expect(tiles).to_have_attribute("aria-label", "ann – bob, move 2")
            await expect(tiles.locator("path.one")).to_have_attribute("d", re.compile("M1.5 1.5"))
            await expect(tiles.locator(".count").last).to_contain_text("59:")
            assert page.page.url.endswith("/#boards")
            await page.page.reload()
            for table, moves in (("2.7", ("b2", "a1")), ("2.8", ("c3",))):
                server.feed.publish(live(table, moves=moves))
            await expect(tiles).to_have_count(2)
            await expect(tiles.first.locator("path.two")).to_have_attribute(
                "d", re.compile("M0.5 2.5")
            )
            server.feed.publish(live("2.8", result=won))
            await expect(page.page.locator("#wall-said")).to_contain_text("2 games are shown")
            await expect(tiles.last.locator(".count")).to_have_text(["1", "0"])
            assert await page.findings() == []
            await expect_only_what_changed_and_is_seen_is_drawn(page, server)
            await tiles.first.click()
            await page.expect_status("Live: ann – bob.")
            await expect(page.page.locator(".board .piece")).to_have_count(3)
            await page.page.go_back()
            await expect(tiles.first).to_be_visible()
            await page.page.goto(page.page.url.replace("#boards", f"game/{old}.0"))
            await page.expect_status("ann – bob: 1–0, resignation, it was late.")
            await page.page.goto(page.page.url.replace(f"{old}.0", "9.9"))
            await page.expect_status("There is no game 9.9, or it has not begun.")


async def test_without_an_arena(browser: Browser, server: Server) -> None:
    async with visit(browser, server, "#mode=watch") as page:
        await expect(page.page.locator("#arena-status")).to_contain_text("has no arena")
