"""A server that starts tells watchers of what was played before."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from plywire.protocol.messages.arena import Over, Play, Resign, Seek, Turn
from plywire.protocol.messages.base import Error, ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Ok
from plywire.protocol.messages.watching import (
    GameState,
    Pairings,
    Recall,
    RecallRound,
    Standings,
)
from plywire.server.arena.feed import recall
from plywire.server.arena.store.journal import Journal
from tests.server.arena.live.test_live_tournament import announce, join, newcomer, play, played
from tests.support.arena import Arena
from tests.support.peers import settings
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


async def test_a_tournament_of_an_earlier_server_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        (pairings,) = told(arena, Pairings)
        assert pairings.is_final
        assert (pairings.round, pairings.rounds) == (1, 1)
        (pairing,) = pairings.pairings
        assert (pairing.table, pairing.games, pairing.played) == (games[0].table, 2, 2)
        visitor = arena.connect()
        assert isinstance(await visitor.ask(RecallRound(round=1, tournament=after.name)), Ok)
        assert [await visitor.until(GameState, table=game.table) for game in games] == games
        assert isinstance(await visitor.ask(RecallRound(round=2, tournament=after.name)), Ok)
        assert await visitor.until(Standings) == after
        assert await visitor.until(Pairings) == pairings
        for name in ("No such cup", "lobby"):
            refusal = await visitor.ask(RecallRound(round=1, tournament=name))
            assert isinstance(refusal, Error)
            assert refusal.message == f"there is no tournament {name}, or it has not begun"
    monkeypatch.setattr(recall, "_TOURNAMENTS", 0)  # so that only the journal has it
    async with Arena(tmp_path) as arena:
        visitor = arena.connect()
        assert isinstance(await visitor.ask(RecallRound(round=1, tournament=after.name)), Ok)
        again = await visitor.until(Standings)
        assert again == before.model_copy(update={"updated": again.updated})
        assert (await visitor.until(Pairings)).pairings == pairings.pairings


async def test_only_the_latest_are_told_and_what_cannot_be_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(recall, "_GAMES", 2)
    monkeypatch.setattr(recall, "_TOURNAMENTS", 1)
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
        visitor = arena.connect()
        for game in before:  # the oldest only in the journal
            assert isinstance(await visitor.ask(Recall(table=game.table)), Ok)
            recalled = await visitor.until(GameState, table=game.table)
            assert (recalled.moves, recalled.result) == (game.moves, game.result)
        for table in ("1.77", "77.0", "1.-1", "9" * 40 + ".0"):
            refusal = await visitor.ask(Recall(table=table))
            assert isinstance(refusal, Error)
            assert refusal.message == f"there is no game {table}, or it has not begun"


async def test_who_asks_for_many_old_games_has_to_wait(tmp_path: Path) -> None:
    chosen = settings(idle_time=0, message_burst=40)
    async with Arena(tmp_path, chosen=chosen) as arena:
        visitor = arena.connect()
        codes = [await visitor.ask(Recall(table="1.1")) for _ in range(3)]
        assert [error.code for error in codes if isinstance(error, Error)] == [
            *[ErrorCode.UNAVAILABLE] * 2,
            ErrorCode.TOO_MANY,
        ]
