"""A server that begins anew: games wait for both bots, and who stays away loses to who is back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from plywire.engine.registry import load
from plywire.protocol.messages.arena import (
    Accept,
    Challenge,
    Challenged,
    Guest,
    Login,
    Offered,
    Over,
    Play,
    Resign,
    Seek,
    Start,
    Turn,
    Welcome,
)
from plywire.protocol.messages.base import Error, ErrorCode
from plywire.protocol.messages.limits import Limits
from tests.support.arena import Arena, Connection, Game
from tests.support.until import until

LIMITS = Limits(movetime=60_000)


async def cut_off(folder: Path, *, rated: bool = True) -> Game:
    """A game with one move, whose server has ended; bob is to move."""
    async with Arena(folder) as arena:
        ann, welcome = await arena.login("ann")
        bob, _ = await arena.login("bob")
        offer = Challenge(name="bob", game="tictactoe", limits=LIMITS, rated=rated)
        assert isinstance(await ann.ask(offer), Offered)
        number = (await bob.until(Challenged)).offer
        await bob.ask(Accept(offer=number, rated=rated))
        table = (await ann.until(Turn)).table
        await ann.ask(Play(table=table, turn=0, move="a1"))
        return Game(ann, bob, table, welcome.session)


async def back(arena: Arena, name: str, bot: Connection) -> Connection:
    again = arena.connect()
    welcome = await again.ask(Login(name=name, token=bot.token))
    assert isinstance(welcome, Welcome)
    assert welcome.tables == 1
    again.token = bot.token
    return again


@pytest.mark.parametrize(("name", "other", "winner"), [("ann", "bob", 1), ("bob", "ann", 2)])
async def test_who_stays_away_loses_to_who_is_back(
    name: str, other: str, winner: int, tmp_path: Path
) -> None:
    game = await cut_off(tmp_path)
    async with Arena(tmp_path) as arena:
        await arena.advance(12)
        bot = await back(arena, name, getattr(game, name))
        start = await bot.until(Start)
        assert (start.table, start.opponent, start.moves) == (game.table, other, ("a1",))
        assert start.away == 18_000
        await arena.advance(18)
        over = await bot.until(Over)
        assert (over.winner, over.termination) == (winner, "disconnect")
        assert over.reason == f"{other}: did not come back"
        (record,) = await arena.records()
        assert (record.winner, record.termination, record.moves) == (winner, "disconnect", ("a1",))
        await until(lambda: arena.ratings.of(load("tictactoe")))
        ratings = arena.ratings.of(load("tictactoe"))
        assert ratings[name].rating > ratings[other].rating


async def test_if_both_stay_away_nobody_wins(tmp_path: Path) -> None:
    await cut_off(tmp_path)
    async with Arena(tmp_path) as arena:
        await arena.advance(30)
        (record,) = await arena.records()
        assert (record.winner, record.termination) == (None, "abort")
        assert record.reason == "neither player came back"


async def test_clocks_stand_still_until_both_are_back(tmp_path: Path) -> None:
    game = await cut_off(tmp_path)
    async with Arena(tmp_path) as arena:
        await arena.advance(10)
        bob = await back(arena, "bob", game.bob)
        assert (await bob.until(Start)).away == 20_000
        await arena.advance(19)
        ann = await back(arena, "ann", game.ann)
        for bot in (ann, bob):
            start = await bot.until(Start)
            assert (start.moves, start.away) == (("a1",), None)
        assert (await bob.until(Turn)).limits.movetime == 60_000
        await arena.advance(30)  # nobody is waited for any more
        await bob.ask(Resign(table=game.table))
        assert (await ann.until(Over)).winner == 1


async def test_who_waits_may_give_up(tmp_path: Path) -> None:
    game = await cut_off(tmp_path)
    async with Arena(tmp_path) as arena:
        ann = await back(arena, "ann", game.ann)
        await ann.ask(Resign(table=game.table))
        assert (await ann.until(Over)).winner == 2
        (record,) = await arena.records()
        assert (record.winner, record.termination) == (2, "resignation")
        bob = arena.connect()
        await bob.ask(Login(name="bob", token=game.bob.token))
        assert (await bob.until(Over)).winner == 2


async def test_a_game_that_waits_has_its_slot(tmp_path: Path) -> None:
    """So nobody with one slot has two games when the other one is back."""
    game = await cut_off(tmp_path)
    async with Arena(tmp_path) as arena:
        ann = await back(arena, "ann", game.ann)
        refused = await ann.ask(Seek(game="othello", limits=LIMITS))
        assert isinstance(refused, Error)
        assert refused.code is ErrorCode.BUSY


async def test_who_was_removed_meanwhile_loses(tmp_path: Path) -> None:
    game = await cut_off(tmp_path)
    async with Arena(tmp_path) as arena:
        ann = await back(arena, "ann", game.ann)
        arena.accounts.remove("bob")
        await arena.advance(30)
        assert (await ann.until(Over)).winner == 1


async def test_a_guest_comes_back_by_its_name(tmp_path: Path) -> None:
    seek = Seek(game="tictactoe", limits=LIMITS)
    async with Arena(tmp_path, guests=4) as arena:
        bob, _ = await arena.login("bob")
        guest = arena.connect()
        await guest.ask(Guest(name="eve"))
        await guest.ask(seek)
        await bob.ask(seek)
        table = (await guest.until(Turn)).table
    async with Arena(tmp_path, guests=1) as arena:
        guest = arena.connect()
        welcome = await guest.ask(Guest(name="guest-eve"))
        assert isinstance(welcome, Welcome)
        assert (welcome.name, welcome.tables) == ("guest-eve", 1)
        again = arena.connect()
        await again.ask(Login(name="bob", token=bob.token))
        await guest.until(Turn, table=table)
        other = await arena.connect().ask(Guest(name="guest-eve"))
        assert isinstance(other, Error)
        assert other.code is ErrorCode.TOO_MANY


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE game SET started = 'at noon'",
        "UPDATE game SET game = 'chess'",
        "UPDATE game SET fen = '?'",
        "UPDATE move SET name = 'z9'",
        "UPDATE tournament SET config = '{'",
    ],
)
async def test_a_damaged_game_keeps_nobody_from_playing(
    damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    game = await cut_off(tmp_path)
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as connection, connection:
        connection.execute(damage)
    async with Arena(tmp_path) as arena:
        assert "left out" in caplog.text
        assert arena.lobby.tables == []
        other, _ = await arena.login("carl")
        ann = arena.connect()
        await ann.ask(Login(name="ann", token=game.ann.token))
        seek = Seek(game="othello", limits=LIMITS)
        await other.ask(seek)
        await ann.ask(seek)
        await ann.until(Start)
