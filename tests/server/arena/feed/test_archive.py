"""A server that starts tells watchers of what was played before."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from plywire.protocol.messages.arena import Over, Play, Resign, Seek, Turn
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.watching import GameState, Standings
from plywire.server.arena.feed import archive
from plywire.server.arena.store.journal import Journal
from tests.server.arena.live.test_live_tournament import announce, join, newcomer, play, played
from tests.support.arena import Arena
from tests.support.until import until

T = TypeVar("T")


def told(arena: Arena, kind: type[T]) -> list[T]:
    return [event for event in arena.lobby.feed.latest if isinstance(event, kind)]


async def play_games(folder: Path, count: int) -> list[GameState]:
    """What the feed of a server has of so many games, each given up after its first move."""
    seek = Seek(game="tictactoe", limits=Limits(movetime=1000))
    async with Arena(folder) as arena:
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        for _ in range(count):
            await ann.ask(seek)
            await bob.ask(seek)
            table = (await ann.until(Turn)).table
            await ann.ask(Play(table=table, turn=0, move="b2"))
            await bob.ask(Resign(table=table))
            await ann.until(Over, table=table)
        return told(arena, GameState)


async def test_games_of_an_earlier_server_are_told(tmp_path: Path) -> None:
    (before,) = await play_games(tmp_path, 1)
    async with Arena(tmp_path) as arena:
        await until(lambda: told(arena, GameState))
        (after,) = told(arena, GameState)
        assert before.started is not None
        ended = before.started + timedelta(milliseconds=sum(before.times))
        assert after == before.model_copy(update={"updated": ended})
        assert after.is_final


async def test_a_tournament_of_an_earlier_server_is_told(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=2)
        bots = [await newcomer(arena, name) for name in ("ann", "bob")]
        for bot in bots:
            await join(bot)
        await asyncio.gather(*(play(bot) for bot in bots))
        await played(arena)
        await until(lambda: any(table.is_final for table in told(arena, Standings)))
        (before,) = told(arena, Standings)
    async with Arena(tmp_path) as arena:
        await until(lambda: told(arena, Standings))
        (after,) = told(arena, Standings)
        assert after == before.model_copy(update={"updated": after.updated})
        games = told(arena, GameState)
        assert [game.tournament for game in games] == [after.tournament] * 2


async def test_only_the_latest_are_told_and_what_cannot_be_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(archive, "_GAMES", 2)
    monkeypatch.setattr(archive, "_TOURNAMENTS", 1)
    before = await play_games(tmp_path, 3)
    async with Journal(tmp_path / "games.sqlite") as journal:
        for name in ("Older cup", "Old cup"):
            cup = await journal.create(name, '{"of": "another version"}')
            await journal.end(cup, "all games played")
    async with Arena(tmp_path) as arena:
        await until(lambda: "Old cup" in caplog.text)
        tables = [game.table for game in told(arena, GameState)]
        assert tables == [game.table for game in before][-2:]
        assert told(arena, Standings) == []
        assert "Older cup" not in caplog.text
