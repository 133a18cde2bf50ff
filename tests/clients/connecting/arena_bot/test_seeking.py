"""How a bot finds games."""

from __future__ import annotations

import asyncio

import pytest

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.client import Backoff
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.arena import Challenge
from plywire.server.arena.store.accounts import Accounts
from plywire.server.serve import Server
from tests.support.arena_bots import SEEK, bot, tcp
from tests.support.until import until


async def test_challenges_until_there_is_a_game(
    arena: Server, accounts: Accounts, caplog: pytest.LogCaptureFixture
) -> None:
    """Carl is not there, bob comes late and first declines, so ann asks again, and tells why."""
    caplog.set_level("INFO")
    objections = iter(["not yet"])
    tokens = {name: accounts.add(name) for name in ("ann", "bob", "carl")}
    terms = SEEK.model_dump(exclude={"type", "key"})
    ann = ArenaBot(
        *(tcp(arena), "ann", tokens["ann"], RandomPlayer),
        BotOptions(
            offers=[Challenge(name=name, **terms) for name in ("carl", "bob")],
            backoff=Backoff(first=0),
            greeting="hello",
        ),
    )
    bob = ArenaBot(
        *(tcp(arena), "bob", tokens["bob"], RandomPlayer),
        BotOptions(objection=lambda challenge: next(objections, "")),
    )
    async with asyncio.timeout(60):
        playing = asyncio.create_task(ann.run(2))
        await until(lambda: "no game of challenge: no other bot bob is here" in caplog.text)
        await asyncio.gather(playing, bob.run(2))
    assert "no other bot carl is here" in caplog.text
    assert "no game of challenge: bob declined: not yet" in caplog.text
    assert "offering games again in 0.0 s" in caplog.text
    assert caplog.text.count("name=ann: hello") == 2


async def test_who_seeks_takes_challenges(arena: Server, accounts: Accounts) -> None:
    ann = bot(tcp(arena), accounts.add("ann"), RandomPlayer)
    terms = {"game": "connect4", "limits": SEEK.limits}
    bob = ArenaBot(
        *(tcp(arena), "bob", accounts.add("bob"), RandomPlayer),
        BotOptions(offers=[Challenge(name="ann", **terms)], backoff=Backoff(first=0)),
    )
    async with asyncio.timeout(60):
        await asyncio.gather(ann.run(2), bob.run(2))
