"""A journal that cannot be written: games are held, and nobody hears that one is over."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from plywire.protocol.messages.arena import Login, Over, Play, Played, Resign, Seek, Start, Turn
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Ping, Pong
from plywire.server.arena.store import database
from plywire.server.arena.store.journal import JournalError, JournalHinderedError
from tests.support.arena import Arena, Connection
from tests.support.until import until

SEEK = Seek(game="tictactoe", limits=Limits(movetime=10_000))
WRITES = ("schedule", "start", "move", "finish")


def hinder(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, method: str, times: int, error: Exception
) -> list[int]:
    """Have writes of a kind fail so often; what comes back counts them."""
    write, tried = getattr(arena.journal, method), [0]

    async def failing(*row: Any, **options: Any) -> object:
        tried[0] += 1
        if tried[0] <= times:
            raise error
        return await write(*row, **options)

    monkeypatch.setattr(arena.journal, method, failing)
    return tried


async def paired(arena: Arena) -> tuple[Connection, Connection]:
    ann, bob = [(await arena.login(name))[0] for name in ("ann", "bob")]
    await ann.ask(SEEK)
    await bob.ask(SEEK)
    return ann, bob


async def let_try(arena: Arena, tried: list[int], times: int) -> None:
    """Let a second pass from try to try."""
    for number in range(1, times):
        await until(lambda number=number: tried[0] >= number)
        await arena.advance(1)
    await until(lambda: tried[0] >= times)


@pytest.mark.parametrize("method", WRITES)
async def test_a_game_is_held_until_it_can_be_kept(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty seconds of a full disk cost nobody a second, and the bots hear of nothing."""
    full = JournalHinderedError("the disk is full")
    async with Arena(tmp_path) as arena:
        tried = hinder(arena, monkeypatch, method, 20, full)
        ann, bob = await paired(arena)
        if method in ("schedule", "start"):
            await let_try(arena, tried, 21)
        table = (await ann.until(Turn)).table
        if method == "move":
            await ann.give(Play(table=table, turn=0, move="a1"))
            await let_try(arena, tried, 21)
            played = await bob.until(Played)
            assert (played.move, played.time) == ("a1", 0)
            assert (await bob.until(Turn)).limits.movetime == 10_000
        await bob.ask(Resign(table=table))
        if method == "finish":
            await let_try(arena, tried, 21)
        overs = [event for event in ann.heard if isinstance(event, Over)]
        assert overs == []
        assert (await ann.until(Over)).winner == 1
        (record,) = await arena.records()
        assert (record.winner, record.termination) == (1, "resignation")


async def test_a_journal_that_others_lock_holds_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.01)
    async with Arena(tmp_path) as arena:
        ann, bob = await paired(arena)
        table = (await ann.until(Turn)).table
        path = tmp_path / "games.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await ann.give(Play(table=table, turn=0, move="a1"))
            for _ in range(8):
                await arena.advance(1)
                assert isinstance(await bob.ask(Ping()), Pong)
            assert not any(isinstance(event, Over | Played) for event in ann.heard + bob.heard)
        for _ in range(100):
            await arena.advance(1)
            if any(isinstance(event, Played) for event in bob.heard):
                break
            await bob.ask(Ping())
        assert (await bob.until(Turn)).limits.movetime == 10_000


@pytest.mark.parametrize("method", ["move", "finish"])
async def test_a_server_that_ends_meanwhile_has_told_nobody_that_the_game_is_over(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At its next start the game goes on, and neither bot has another one in its slot."""
    async with Arena(tmp_path) as arena:
        ann, bob = await paired(arena)
        table = (await ann.until(Turn)).table
        tried = hinder(arena, monkeypatch, method, 10**9, JournalHinderedError("the disk is full"))
        turn = Play(table=table, turn=0, move="a1") if method == "move" else Resign(table=table)
        await ann.give(turn)
        await until(lambda: tried[0])
        await arena.lobby.close()
        assert not any(isinstance(event, Over) for event in ann.heard + bob.heard)
        tokens = ann.token, bob.token
    async with Arena(tmp_path) as arena:
        for name, token in zip(("ann", "bob"), tokens, strict=True):
            bot = arena.connect()
            await bot.ask(Login(name=name, token=token))
            assert (await bot.until(Start)).table == table
        assert arena.lobby.tables == [table]


async def test_what_no_other_try_mends_ends_the_game_on_disk_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Arena(tmp_path) as arena:
        ann, bob = await paired(arena)
        table = (await ann.until(Turn)).table
        hinder(arena, monkeypatch, "move", 1, JournalError("a row is missing"))
        await ann.give(Play(table=table, turn=0, move="a1"))
        for bot in (ann, bob):
            assert (await bot.until(Over)).termination == "abort"
        (record,) = await arena.records()
        assert (record.termination, record.moves) == ("abort", ())
    async with Arena(tmp_path) as arena:
        assert arena.lobby.tables == []
