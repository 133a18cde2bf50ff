"""Moves that come at the same time over one connection."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from plywire.protocol.messages.arena import Echo, Play, Played, Seek, Turn
from plywire.protocol.messages.base import Error
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Ok, Ping, Pong, Quit
from tests.support.arena import Arena, Connection
from tests.support.until import until


class SlowDisk:
    """Has the journal keep no move before it is let."""

    def __init__(self, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waiting = 0
        self.go = asyncio.Event()
        keep = arena.journal.move

        async def move(*of: Any) -> None:
            self.waiting += 1
            await self.go.wait()
            await keep(*of)

        monkeypatch.setattr(arena.journal, "move", move)


async def two_games(arena: Arena) -> tuple[Connection, list[str]]:
    """Ann, who is to move in two games, and their tables."""
    ann, _ = await arena.login("ann", slots=2)
    tables = []
    for name in ("bob", "cem"):
        other, _ = await arena.login(name)
        seek = Seek(game="tictactoe", limits=Limits(movetime=1000))
        await ann.ask(seek)
        await other.ask(seek)
        tables.append((await ann.until(Turn)).table)
    return ann, tables


async def test_plays_do_not_wait_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Arena(tmp_path) as arena:
        ann, tables = await two_games(arena)
        disk = SlowDisk(arena, monkeypatch)
        for table in tables:
            await ann.give(Play(table=table, turn=0, move="b2", id=table))
        await ann.give(Ping(id="ping"))
        await until(lambda: disk.waiting == 2)
        disk.go.set()
        assert isinstance(await ann.until(Pong, id="ping"), Pong)
        assert [event.id for event in ann.heard if isinstance(event, Ok)] == tables


async def test_a_refused_play_is_told_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Arena(tmp_path) as arena:
        ann, (first, second) = await two_games(arena)
        disk = SlowDisk(arena, monkeypatch)
        await ann.give(Play(table=first, turn=0, move="b2", id=1))
        await ann.give(Play(table=second, turn=0, move="z9", id=2))
        await ann.give(Play(table=second, turn=7, move="a1", id=3))
        await until(lambda: disk.waiting == 1)
        disk.go.set()
        await ann.until(Error, id=3)
        answers = [event for event in ann.heard if event.id in (1, 2)]
        assert [(event.id, event.type) for event in answers] == [(1, "ok"), (2, "error")]


async def test_a_goodbye_comes_after_the_moves_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Arena(tmp_path) as arena:
        ann, (first, _) = await two_games(arena)
        disk = SlowDisk(arena, monkeypatch)
        await ann.give(Play(table=first, turn=0, move="b2", id=1))
        await ann.give(Quit(id=2))
        await until(lambda: disk.waiting == 1)
        disk.go.set()
        answers = []
        while (line := await ann.hear()) is not None:
            answers += [line] if '"id":' in line else []
        assert '"type":"ok","id":1' in answers[0]
        assert '"type":"bye","id":2' in answers[1]


async def test_who_moves_again_and_again_is_answered_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than are carried out at the same time."""
    async with Arena(tmp_path) as arena:
        ann, (first, _) = await two_games(arena)
        disk = SlowDisk(arena, monkeypatch)
        for number in range(300):
            await ann.give(Play(table=first, turn=0, move="b2", id=number))
        await until(lambda: disk.waiting == 1)
        disk.go.set()
        await ann.until(Ok, id=299)


async def test_neither_disk_nor_other_moves_are_the_bots_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Arena(tmp_path) as arena:
        ann, tables = await two_games(arena)
        disk = SlowDisk(arena, monkeypatch)
        await arena.advance(0.1)
        for table in tables:
            await ann.give(Play(table=table, turn=0, move="b2"))
        await ann.give(Echo(number=1))
        await until(lambda: disk.waiting == 2)
        await arena.advance(0.7)
        disk.go.set()
        times = [(await ann.until(Played)).time for _ in tables]
        assert times == [100, 100]
