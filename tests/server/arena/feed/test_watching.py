"""Watching the arena over a connection: by the protocol, without an account."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from plywire.protocol.messages.arena import Lobby, Play, Resign
from plywire.protocol.messages.base import Error, ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import BestMove, Go, Ok, Ping, Stop
from plywire.protocol.messages.watching import GameState, Status, Unwatch, Watch
from tests.support.arena import Arena, Connection
from tests.support.peers import in_memory, settings
from tests.support.transcripts import PROTOCOL, matches
from tests.support.until import until

(TEXT,) = re.findall(r"^```json-watch\n(.*?)^```$", PROTOCOL, re.MULTILINE | re.DOTALL)


async def watching(arena: Arena) -> Connection:
    watcher = arena.connect()
    assert isinstance(await watcher.ask(Watch()), Ok)
    return watcher


async def test_what_is_written_is_what_happens(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await arena.game()
        watcher = arena.connect()
        wanted = TEXT.splitlines()
        await watcher.say(wanted.pop(0)[2:])
        heard = [await watcher.hear() for _ in wanted]
        for line in wanted:
            assert any(matches(line[2:], said or "") for said in heard), (line, heard)


async def test_a_game_is_told_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        watcher = await watching(arena)
        game = await arena.game()
        first = await watcher.until(GameState, table=game.table)
        assert (first.players, first.moves, first.result) == (("ann", "bob"), (), None)
        await game.ann.ask(Play(table=game.table, turn=0, move="b2"))
        assert (await watcher.until(GameState, moves=("b2",))).turn == 2
        await game.bob.ask(Resign(table=game.table))
        result = (await watcher.until(GameState, turn=2, moves=("b2",))).result
        while result is None:
            result = (await watcher.until(GameState)).result
        assert (result.winner, result.termination) == (1, "resignation")
        await watcher.until(Status, games=0)


async def test_who_comes_late_is_told_what_was(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await game.ann.ask(Resign(table=game.table))
        await arena.records()
        watcher = await watching(arena)
        state = await watcher.until(GameState)
        assert (state.table, state.result.termination) == (game.table, "resignation")
        assert isinstance(await watcher.ask(Watch()), Ok)
        assert await watcher.until(GameState) == state


async def test_no_more_is_told_after_unwatch(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        watcher = await watching(arena)
        await watcher.until(Status)
        assert isinstance(await watcher.ask(Unwatch()), Ok)
        await until(lambda: not arena.lobby.feed.watchers)
        await arena.login("ann")
        await watcher.ask(Ping())
        assert not watcher.heard
        assert isinstance(await watcher.ask(Unwatch()), Ok)


async def test_a_watcher_may_think_and_is_no_bot(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        watcher = await watching(arena)
        refused: Any = await watcher.ask(Lobby())
        assert isinstance(refused, Error)
        assert refused.code is ErrorCode.UNAUTHORIZED
        await watcher.give(Go(limits=Limits(infinite=True)))
        await arena.login("ann")
        await watcher.until(Status, bots=1)
        await watcher.ask(Stop())
        await watcher.until(BestMove)


async def test_a_watcher_that_leaves_is_forgotten(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        watcher = await watching(arena)
        await until(lambda: arena.lobby.feed.watchers == 1)
        await watcher.leave()
        await until(lambda: not arena.lobby.feed.watchers)


async def test_a_watcher_that_does_not_read_is_told_the_latest_later(tmp_path: Path) -> None:
    async with Arena(tmp_path, chosen=settings(idle_time=0, max_unsent=4096)) as arena:
        watcher = await watching(arena)
        await watcher.until(Status)
        watcher.reading.clear()
        game = await arena.game()
        state = arena.lobby.feed.latest_of(f"games/{game.table}")
        assert state is not None
        for _ in range(200):
            arena.lobby.feed.publish(state)
            await asyncio.sleep(0)
        await game.ann.ask(Play(table=game.table, turn=0, move="b2"))
        watcher.reading.set()
        await watcher.until(GameState, moves=("b2",))
        assert len(watcher.heard) < 100


async def test_without_an_arena_there_is_nothing_to_watch() -> None:
    async with in_memory() as (peer, _):
        await peer.say("watch")
        assert (await peer.hear() or "").startswith("error unavailable this server has no arena")
