"""Take the pictures of the documentation: `make screenshots`.

    python -m docs.screenshots FOLDER    takes them into a folder

They are still ones of the page, `page-*.png`, and a moving one, `page.gif`.
"""

from __future__ import annotations

import asyncio
import base64
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.watching import (
    GameResult,
    GameState,
    PlayerState,
    StandingRow,
    Standings,
)
from plywire.server.serve import Server
from plywire.server.settings import Settings
from plywire.server.transports.http import WEB
from tests.support.browser import launch, visit

#: What to do on the page before a picture is taken.
Prepare = Callable[[Page], Awaitable[None]]

_WIDE = {"width": 1200, "height": 800}
_NARROW = {"width": 390, "height": 800}
FOUR = "game=connect4&size=7x6&moves=4.4.3.5.5.3.4.4"
LOST = "game=connect4&size=7x6&moves=4.4.4.4.4.4.3.2.6.5.5.5.5.5.3.2.1.3"
_TIGER = "game=othello&size=8x8&moves=f5.d6.c3.d3.c4"
_PLAYERS = ("otter", "hedgehog", "minnow", "nightjar")


async def play(page: Page) -> None:
    """A game against the engine, with a hint."""
    await page.get_by_role("button", name="Hint").click()
    await expect(page.locator("#status")).to_contain_text("Hint")


async def analyse(page: Page) -> None:
    """Exact scores of every column, and the graph of the game."""
    await page.get_by_role("button", name="Evaluate the whole game").click()
    await expect(page.locator("#status")).to_contain_text("Evaluating position")
    await expect(page.locator("#status")).to_contain_text("to move")
    await prove(page)


async def prove(page: Page) -> None:
    """Exact scores of every column."""
    proven = page.locator("#lines .proof", has_text="proven")
    await expect(proven).to_have_count(await page.locator(".place[aria-disabled=false]").count())


async def foresee(page: Page) -> None:
    """The best line on the board."""
    await expect(page.locator("#lines .row").nth(5)).to_be_visible()
    await page.wait_for_timeout(3000)
    await expect(page.locator(".board .arrow").first).to_be_visible()


async def watch(page: Page) -> None:
    """A tournament, and one of its games live."""
    await expect(page.locator("#status")).to_contain_text("Live")


async def review(page: Page) -> None:
    """The move that lost a game, and what was better."""
    await expect(page.locator("#verdict")).to_contain_text("best")
    await page.get_by_role("button", name="Review").click()
    await expect(page.locator(".board .better")).to_be_visible()
    await expect(page.locator(".chip").first).to_be_visible()


#: Name, place, window, colours and what to do there.
SHOTS = (
    ("play", f"#mode=play&{FOUR}", _WIDE, "light", play),
    ("analyse", f"#mode=analyse&{FOUR}.6.2.3", _WIDE, "dark", analyse),
    ("phone", f"#mode=analyse&{_TIGER}", _NARROW, "light", foresee),
    ("watch", "#mode=watch", _WIDE, "light", watch),
    ("review", f"#mode=play&{LOST}", _WIDE, "light", review),
)


_FILM = {"width": 960, "height": 640}


def _story() -> Iterator[tuple[str, Prepare, int]]:
    """The moving picture: each place, what to do there, and for how many hundredths of a second."""
    yield f"#mode=play&{FOUR}", play, 250
    board, _, moves = LOST.rpartition("=")
    names = moves.split(".")
    for count in range(8, len(names)):
        yield f"#mode=analyse&{board}={'.'.join(names[:count])}", prove, 90
    yield f"#mode=play&{LOST}", review, 400


#: Makes a GIF of PNGs, with the encoder of the page itself.
_TO_GIF = """async ({ encoder, pictures, delays }) => {
  const module = new Blob([encoder], { type: "text/javascript" });
  const { toGif } = await import(URL.createObjectURL(module));
  const frames = [];
  let size = [];
  for (const [at, picture] of pictures.entries()) {
    const answer = await fetch(`data:image/png;base64,${picture}`);
    const image = await createImageBitmap(await answer.blob());
    size = [image.width, image.height];
    const context = new OffscreenCanvas(...size).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, ...size);
    frames.push({ pixels: new Uint32Array(data.buffer), delay: delays[at] });
  }
  return (await toGif(...size, frames).bytes()).toBase64();
}"""


async def film(browser: Browser, server: Server, folder: Path) -> None:
    """Take the moving picture."""
    pictures, delays = [], []
    options = {"viewport": _FILM, "color_scheme": "light", "reduced_motion": "reduce"}
    for place, prepare, delay in _story():
        async with visit(browser, server, place, **options) as page:
            await prepare(page.page)
            pictures.append(base64.b64encode(await page.page.screenshot()).decode())
            delays.append(delay)
    encoder = (WEB / "game" / "gif.js").read_text("utf-8")
    studio = await browser.new_page()
    gif = await studio.evaluate(
        _TO_GIF, {"encoder": encoder, "pictures": pictures, "delays": delays}
    )
    await studio.close()
    (folder / "page.gif").write_bytes(base64.b64decode(gif))


def games(seed: int) -> list[GameState]:
    """A round of a tournament: some games over, some being played."""
    chance, engine = random.Random(seed), LocalEngine(hash_mb=4)
    pairs = [(a, b) for a in _PLAYERS for b in _PLAYERS if a != b]
    chance.shuffle(pairs)
    states = []
    for number, players in enumerate(pairs[:8]):
        game = load("othello" if number % 2 else "connect4")
        position, moves = game.start(), list[str]()
        length = 26 if number > 5 else 99
        while position.result() is None and len(moves) < length:
            legal = position.moves()
            best = engine.analyse(position, SearchLimits(nodes=3000)).best
            move = chance.choice(legal) if best is None or chance.random() < 0.15 else best
            moves.append(game.move_name(move))
            position = position.play(move)
        result = position.result()
        clock = Clock(p1=chance.randrange(20_000, 60_000), p2=chance.randrange(20_000, 60_000))
        state = GameState(
            table=f"1.{number}",
            tournament="1",
            round=1,
            game=game.name,
            size=game.size,
            players=players,
            limits=Limits(clock=Clock(p1=60_000, p2=60_000)),
            fen=game.start().fen(),
            moves=tuple(moves),
            turn=2 if position.turn else 1,
            clock=clock,
            updated=datetime.now(UTC),
            result=result
            and GameResult(
                winner=None if result.winner is None else (2 if result.winner else 1),
                score=result.score,
                termination="normal",
                reason=result.reason,
            ),
        )
        states.append(state)
    return states


def standings(states: list[GameState]) -> Standings:
    """Who stands where after these games."""
    against: dict[tuple[str, str], list[float]] = {}
    for state in states:
        if state.result is not None:
            first = {1: 1.0, 2: 0.0, None: 0.5}[state.result.winner]
            one, other = state.players
            against.setdefault((one, other), []).append(first)
            against.setdefault((other, one), []).append(1 - first)
    games = {
        name: [points for (one, _), won in against.items() if one == name for points in won]
        for name in _PLAYERS
    }
    order = sorted(_PLAYERS, key=lambda name: -sum(games[name]))
    return Standings(
        tournament="1",
        name="Spring cup",
        rows=tuple(
            StandingRow(
                rank=rank,
                player=name,
                points=sum(games[name]),
                wins=games[name].count(1),
                draws=games[name].count(0.5),
                losses=games[name].count(0),
                elo=120 - 70 * (rank - 1),
                error=160,
            )
            for rank, name in enumerate(order, 1)
        ),
        crosstable=tuple(
            tuple(sum(against[one, other]) if (one, other) in against else None for other in order)
            for one in order
        ),
        played=sum(state.result is not None for state in states),
        games=12,
        updated=datetime.now(UTC),
    )


async def take(browser: Browser, server: Server, folder: Path) -> None:
    """Take all of them."""
    for name, place, viewport, scheme, prepare in SHOTS:
        options = {"viewport": viewport, "color_scheme": scheme, "reduced_motion": "reduce"}
        async with visit(browser, server, place, **options) as page:
            if name == "watch":
                states = [
                    state.model_copy(update={"updated": datetime.now(UTC)}) for state in games(7)
                ]
                for event in (*states, standings(states)):
                    server.feed.publish(event)
                for player in _PLAYERS:
                    here = PlayerState(player=player, online=True, updated=datetime.now(UTC))
                    server.feed.publish(here)
            await prepare(page.page)
            await page.page.screenshot(path=folder / f"page-{name}.png")
            print(folder / f"page-{name}.png")


async def main(folder: Path) -> None:
    """Take the pictures into a folder."""
    with tempfile.TemporaryDirectory() as arena:
        settings = Settings(port=0, websocket_port=0, arena=Path(arena))
        async with Server(settings) as server, launch() as browser:
            await take(browser, server, folder)
            await film(browser, server, folder)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
