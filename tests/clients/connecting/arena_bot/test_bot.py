"""Bots in an arena, from the login to the last game."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.players.external import ExternalPlayer
from plywire.clients.play.players.base import Player
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.arena import Over, Seek
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.store.accounts import Accounts
from plywire.server.serve import Server
from tests.support.arena_bots import SEEK, tcp

ROOT = Path(__file__).parents[4]


async def test_several_games_at_once_over_two_transports(arena: Server, accounts: Accounts) -> None:
    overs: list[Over] = []
    urls = {"ann": tcp(arena), "bob": "ws://{}:{}".format(*arena.websocket_address)}
    bots = [
        ArenaBot(
            url,
            name,
            accounts.add(name),
            RandomPlayer,
            BotOptions(offers=[SEEK], slots=3, on_over=overs.append),
        )
        for name, url in urls.items()
    ]
    async with asyncio.timeout(60):
        await asyncio.gather(*(bot.run(6) for bot in bots))
    assert len(overs) == 12
    assert len({over.table for over in overs}) == 6
    assert {over.termination for over in overs} == {"normal"}


async def test_a_program_that_speaks_ugi_plays(arena: Server, accounts: Accounts) -> None:
    overs = list[Over]()
    seek = Seek(game="connect4", limits=Limits(movetime=20_000))
    engine = [sys.executable, str(ROOT / "examples" / "ugi_engine.py")]
    makers: dict[str, Callable[[], Player]] = {
        "ann": partial(ExternalPlayer, engine, "ugi"),
        "bob": RandomPlayer,
    }
    bots = [
        ArenaBot(
            tcp(arena),
            name,
            accounts.add(name),
            make,
            BotOptions(offers=[seek], on_over=overs.append),
        )
        for name, make in makers.items()
    ]
    async with asyncio.timeout(60):
        await asyncio.gather(*(bot.run(1) for bot in bots))
    assert {over.termination for over in overs} == {"normal"}
