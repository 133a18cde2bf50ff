"""Games by a time control that nobody plays cost nothing, and strangers cannot invent any."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

from plywire.protocol.messages.arena import Guest, Over, Resign, Seek, Start, Turn
from plywire.protocol.messages.base import Error, ErrorCode
from plywire.protocol.messages.limits import Clock, Limits
from plywire.server.arena.store.series import SeriesTerms
from plywire.server.arena.tournament.config import SERIES
from tests.support.arena import Arena
from tests.support.until import until


async def play(arena: Arena, ann: Any, bob: Any, movetime: int) -> str:
    """A short game, and its id."""
    seek = Seek(game="tictactoe", limits=Limits(movetime=movetime))
    await ann.ask(seek)
    await bob.ask(seek)
    table: str = (await ann.until(Start)).table
    await ann.ask(Resign(table=table))
    await bob.until(Over, table=table)
    await until(lambda: not arena.lobby.tables)
    return table


async def test_a_series_is_found_when_it_is_played_again(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, _ = await arena.login("ann")
        bob, _ = await arena.login("bob")
        tables = [await play(arena, ann, bob, movetime) for movetime in (700, 800, 700)]
        assert tables == ["1.0", "2.0", "1.1"]
        gc.collect()
        assert not arena.lobby._arranged._series
    async with Arena(tmp_path) as arena:
        assert not arena.lobby._arranged._series
        ann, _ = await arena.login("carl")
        bob, _ = await arena.login("dora")
        assert await play(arena, ann, bob, 800) == "2.1"
        assert len(await arena.journal.tournaments(SERIES)) == 2


async def test_only_series_of_games_that_go_on_are_read_at_the_start(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        for ms in range(1, 50):
            await arena.journal.create(SERIES, SeriesTerms(movetime=ms).model_dump_json())
        game = await arena.game(movetime=777)
    async with Arena(tmp_path) as arena:
        assert list(arena.lobby._arranged._series) == [SeriesTerms(movetime=777)]
        await arena.journal.tournament(int(game.table.partition(".")[0]))


INVENTED = [
    Limits(movetime=1001),
    Limits(movetime=0),
    Limits(movetime=1000, depth=3),
    Limits(movetime=1000, nodes=1000),
    Limits(clock=Clock(p1=60_001, p2=60_001)),
    Limits(clock=Clock(p1=60_000, p2=120_000)),
    Limits(clock=Clock(p1=60_000, p2=60_000, inc1=1000)),
    Limits(clock=Clock(p1=60_000, p2=60_000, inc1=17, inc2=17)),
    Limits(clock=Clock(p1=60_000, p2=60_000, byoyomi=1000, periods1=1, periods2=1)),
    Limits(movetime=1000, clock=Clock(p1=60_000, p2=60_000)),
]


@pytest.mark.parametrize("limits", INVENTED, ids=str)
async def test_guests_play_by_times_of_a_list(limits: Limits, tmp_path: Path) -> None:
    async with Arena(tmp_path, guests=2) as arena:
        ann, bob = arena.connect(), arena.connect()
        for guest in (ann, bob):
            await guest.ask(Guest(name="g"))
        refused: Any = await ann.ask(Seek(game="tictactoe", limits=limits))
        assert isinstance(refused, Error)
        assert refused.code is ErrorCode.BAD_VALUE
        assert "guests play by times of a fixed list" in refused.message
        assert await arena.journal.tournaments(SERIES) == []
        seek = Seek(game="tictactoe", limits=Limits(movetime=1000))
        await ann.ask(seek)
        await bob.ask(seek)
        await ann.until(Turn)
        assert len(await arena.journal.tournaments(SERIES)) == 1
