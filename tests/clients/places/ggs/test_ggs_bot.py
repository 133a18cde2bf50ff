"""A player on GGS, against a server written from its documents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from plywire.clients import Backoff
from plywire.clients.places.ggs.bot import Ask, GameOver, GgsBot
from plywire.clients.places.ggs.clock import GgsClock
from plywire.clients.places.ggs.match_type import MatchType
from plywire.clients.players.local import RandomPlayer
from tests.support.ggs_server import FakeGgs

AT_ONCE = Backoff(attempts=20, first=0.001, longest=0.01)
Make = Callable[..., GgsBot]


@pytest.fixture
async def ggs() -> AsyncIterator[FakeGgs]:
    async with FakeGgs() as server:
        yield server


@pytest.fixture
def make(ggs: FakeGgs) -> Make:
    def make(name: str, *, over: list[GameOver] | None = None, **options: Any) -> GgsBot:
        options = {"backoff": AT_ONCE, "make_player": lambda: RandomPlayer(7)} | options
        on_over = (lambda game: None) if over is None else over.append
        return GgsBot("127.0.0.1", ggs.port, name, "secret", on_over=on_over, **options)

    return make


def ask(type_: str, clock: str = "05:00//02:00", opponent: str = "") -> Ask:
    return Ask(MatchType.parse(type_), GgsClock.parse(clock), opponent)


async def play(*bots: GgsBot, games: int) -> None:
    async with asyncio.timeout(60):
        await asyncio.gather(*(bot.run(games) for bot in bots))


async def test_two_play_a_game(ggs: FakeGgs, make: Make) -> None:
    over: list[GameOver] = []
    await play(make("ann", asks=[ask("8", opponent="bob")], over=over), make("bob"), games=1)
    (match,) = ggs.finished
    (game,) = match.games
    assert game.position.is_over
    assert ggs.faults == []
    (ours,) = over
    assert ours.line.position == game.position
    assert ours.score == (game.score if game.names[0] == "ann" else -(game.score or 0))
