"""The page's rules are the engine's: what both say of the same positions, legal or not."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Route

from plywire.engine.game import Game, Position, RulesError
from plywire.engine.registry import load
from plywire.server.serve import Server
from plywire.server.transports.http import WEB
from tests.support.browser import visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

BUILT_IN = ("connect4", "othello", "tictactoe")

#: All boards of Connect Four, and those beside them that there are not.
SIZES = [f"{width}x{height}" for width in range(3, 14) for height in range(3, 17)]

#: What the page says of positions, or why it refuses them; a start has no string.
ASK = """async (games) => {
  const { rulesOf, GAMES } = await import("/game/games.js");
  const attempt = (ask) => {
    try { return ask(); } catch (error) { return error.constructor.name; }
  };
  const known = ({ line, ...facts }) => facts;
  return [GAMES, games.map(({ game, size, fens, moves }) => {
    const rules = attempt(() => rulesOf(game, size));
    if (typeof rules === "string") return rules;
    const told = [rules.parse(null)];
    for (const move of moves) told.push(rules.play(told.at(-1), move));
    return [told.map(known), fens.map((fen) => attempt(() => known(rules.parse(fen))))];
  })];
}"""


MODULES = re.compile(r"/game/.*\.js$")


async def send_module(route: Route) -> None:
    """Send a module of the page as it stands."""
    await route.fulfill(path=f"{WEB}{urlsplit(route.request.url).path}")


def facts(position: Position) -> dict[str, Any]:
    """What the page should say of a position."""
    result = position.result()
    winner = None if result is None or result.winner is None else result.winner + 1
    return {
        "fen": position.fen(),
        "turn": position.turn + 1,
        "legal": [position.game.move_name(move) for move in position.moves()],
        "over": result is not None,
        "winner": winner,
        "score": 0 if result is None else result.score,
        "reason": "" if result is None else result.reason,
    }


def parsed(game: Game, fen: str) -> dict[str, Any] | str:
    try:
        return facts(game.parse(fen))
    except RulesError:
        return "RulesError"


def spoilt(fen: str, chance: random.Random) -> str:
    """A position string with a character more, fewer or another."""
    place = chance.randrange(len(fen) + 1)
    return fen[:place] + chance.choice(["", *"xo/1278 "]) + fen[place + chance.randrange(2) :]


def line(game: Game, chance: random.Random) -> list[Position]:
    """The positions of a random game."""
    positions = [game.start()]
    while moves := positions[-1].moves():
        positions.append(positions[-1].play(chance.choice(moves)))
    return positions


def played(positions: list[Position]) -> list[str]:
    """The moves that lead from each position to the next."""
    return [
        next(before.game.move_name(move) for move in before.moves() if before.play(move) == after)
        for before, after in pairwise(positions)
    ]


async def test_positions_are_what_the_engine_says(browser: Browser, server: Server) -> None:
    chance = random.Random(1)
    asked: list[dict[str, Any]] = []
    wanted: list[Any] = []
    sizes = [("connect4", size) for size in SIZES] + [("othello", "8x8"), ("tictactoe", "3x3")] * 40
    for name, size in [*sizes, *[("connect4", "7x6")] * 40]:
        ask = {"game": name, "size": size, "moves": list[str](), "fens": list[str]()}
        asked.append(ask)
        try:
            game = load(name, size)
        except RulesError:
            wanted.append("RulesError")
            continue
        positions = line(game, chance)
        ask["moves"] = played(positions)
        fens = [chance.choice(positions).fen() for _ in range(12)]
        ask["fens"] = [fens[0], *(spoilt(fen, chance) for fen in fens)]
        told = [facts(position) for position in positions]
        wanted.append([told, [parsed(game, fen) for fen in ask["fens"]]])
    async with visit(browser, server) as page:
        # The server sends all modules as one script.
        await page.page.route(MODULES, send_module)
        games, found = await page.page.evaluate(ASK, asked)
    assert games == [
        {"name": game.name, "title": game.title, "players": list(game.players), "size": game.size}
        for game in map(load, BUILT_IN)
    ]
    for ask, one, other in zip(asked, found, wanted, strict=True):
        assert one == other, ask
