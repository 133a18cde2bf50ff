"""One game: players that crash and programs that hang, and what the record says of them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.players.external import ExternalPlayer
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.arena import Over, Seek
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Score, Searched
from plywire.server.arena.store.accounts import Accounts, accounts_of
from plywire.server.arena.store.journal import Journal, journal_of
from plywire.server.arena.tournament.standings import standings
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.arena_bots import SEEK, Counting, bot, tcp

FAKE = Path(__file__).parents[3] / "support" / "fake_programs" / "fake_engine.py"


async def test_a_player_that_crashes_is_started_again(arena: Server, accounts: Accounts) -> None:
    player, overs = Counting(fails=2), list[Over]()
    player.go.set()
    ann = ArenaBot(
        tcp(arena),
        "ann",
        accounts.add("ann"),
        lambda: player,
        BotOptions(offers=[SEEK], on_over=overs.append),
    )
    bob = bot(tcp(arena), accounts.add("bob"), RandomPlayer, "bob")
    async with asyncio.timeout(60):
        await asyncio.gather(ann.run(1), bob.run(1))
    assert overs[0].termination == "normal"
    assert player.started >= 4


async def test_a_player_that_resigns_is_not_asked_again(arena: Server, accounts: Accounts) -> None:
    overs = list[Over]()
    player = Counting(resigns=True)
    ann = ArenaBot(
        *(tcp(arena), "ann", accounts.add("ann"), lambda: player),
        BotOptions(offers=[SEEK], on_over=overs.append),
    )
    bob = bot(tcp(arena), accounts.add("bob"), RandomPlayer, "bob")
    async with asyncio.timeout(60):
        await asyncio.gather(ann.run(1), bob.run(1))
    assert (overs[0].termination, overs[0].reason) == ("resignation", "ann resigned")
    assert player.started <= 2


async def test_a_player_that_only_crashes_loses_by_that(
    arena: Server, accounts: Accounts, caplog: pytest.LogCaptureFixture
) -> None:
    overs = list[Over]()
    ann = ArenaBot(
        *(tcp(arena), "ann", accounts.add("ann"), partial(Counting, fails=99)),
        BotOptions(offers=[SEEK], on_over=overs.append),
    )
    bob = bot(tcp(arena), accounts.add("bob"), RandomPlayer, "bob")
    async with asyncio.timeout(60):
        await asyncio.gather(ann.run(1), bob.run(1))
    assert overs[0].termination == "crash"
    assert overs[0].reason == "ann: out of memory"
    assert caplog.text.count("out of memory") == 1


async def test_an_illegal_move_loses_and_is_not_asked_for_again(
    arena: Server, accounts: Accounts
) -> None:
    asked = []

    class Careless(RandomPlayer):
        async def choose(self, line: GameLine, limits: Limits) -> int:
            asked.append(line)
            return 99

    overs = list[Over]()
    ann = ArenaBot(
        *(tcp(arena), "ann", accounts.add("ann"), Careless),
        BotOptions(offers=[SEEK], on_over=overs.append),
    )
    bob = bot(tcp(arena), accounts.add("bob"), RandomPlayer, "bob")
    async with asyncio.timeout(60):
        await asyncio.gather(ann.run(1), bob.run(1))
    assert overs[0].termination == "illegal-move"
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("behaviour", "termination", "reason", "line"),
    [
        ("crash", "crash", "ann: exited with status 3: out of memory", "> go movetime "),
        ("illegal", "illegal-move", "ann: no move '9' here: the legal", "< bestmove 9"),
        ("garbage", "garbage", "ann: ", "< bestmove"),
        ("hang", "time", "ann: no move came in its", "> go movetime "),
    ],
)
async def test_the_record_tells_what_a_program_did(
    behaviour: str, termination: str, reason: str, line: str, tmp_path: Path
) -> None:
    # Time enough for it to be asked, or there is no question on the record.
    movetime = 2_000 if behaviour == "hang" else 20_000
    seek = Seek(game="connect4", limits=Limits(movetime=movetime))
    program = [sys.executable, "-S", str(FAKE), "ugi", behaviour]
    makers: dict[str, Callable[[], Player]] = {
        "ann": partial(ExternalPlayer, program, "ugi"),
        "bob": RandomPlayer,
    }
    # Nothing but the lag's bound is waited for after the time of a program that hangs.
    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path, arena_max_lag=3_000)
    async with Server(settings) as server, asyncio.timeout(60):
        accounts = accounts_of(tmp_path)
        bots = [
            ArenaBot(tcp(server), name, accounts.add(name), make, BotOptions(offers=[seek]))
            for name, make in makers.items()
        ]
        await asyncio.gather(*(bot.run(1) for bot in bots))
    async with Journal(journal_of(tmp_path)) as journal:
        ((_, _, record),) = await journal.finished(2)
    assert record.termination == termination
    assert record.reason.startswith(reason)
    notes = [line for line in record.last_lines if line.startswith("< note ")]
    assert any(note.startswith(f"< note {line}") for note in notes)
    assert len(notes) <= 17
    assert not any(note.startswith("< note !") for note in notes)
    (standing,) = [one for one in standings([record], ["ann", "bob"]) if one.player == "ann"]
    assert standing.failures == {termination: 1}


async def test_what_a_bot_says_of_its_searches_is_recorded(tmp_path: Path) -> None:
    said = Searched(score=Score(kind="draw"), depth=9, nodes=1000)

    class Telling(RandomPlayer):
        limits = Limits(depth=9)

        async def choose(self, line: GameLine, limits: Limits) -> int:
            assert limits.depth == 9, "its own limits hold in the arena too"
            assert limits.left(line.position.turn + 1) is not None
            self.searched = said if len(line.moves) > 1 else None
            return await super().choose(line, limits)

    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path)
    async with Server(settings) as server, asyncio.timeout(60):
        accounts = accounts_of(tmp_path)
        bots = [
            ArenaBot(tcp(server), name, accounts.add(name), make, BotOptions(offers=[SEEK]))
            for name, make in (("ann", Telling), ("bob", Telling))
        ]
        await asyncio.gather(*(bot.run(1) for bot in bots))
    async with Journal(journal_of(tmp_path)) as journal:
        ((_, _, record),) = await journal.finished(2)
    assert record.searches[:2] == (None, None)
    assert set(record.searches[2:]) == {said}


async def test_a_program_that_hangs_loses_that_game_and_is_started_again(tmp_path: Path) -> None:
    overs, log = list[Over](), tmp_path / "log"
    seek = Seek(game="connect4", limits=Limits(movetime=50))
    program = [sys.executable, "-S", str(FAKE), "ugi", "hang", str(log)]
    makers: dict[str, Callable[[], Player]] = {
        "ann": partial(ExternalPlayer, program, "ugi"),
        "bob": RandomPlayer,
    }
    settings = Settings(
        port=0, websocket_port=0, warmup=False, arena=tmp_path / "arena", arena_max_lag=0
    )
    async with Server(settings) as server, asyncio.timeout(60):
        accounts = accounts_of(tmp_path / "arena")
        bots = [
            ArenaBot(
                tcp(server),
                name,
                accounts.add(name),
                make,
                BotOptions(offers=[seek], on_over=overs.append),
            )
            for name, make in makers.items()
        ]
        await asyncio.gather(*(bot.run(2) for bot in bots))
    assert {over.termination for over in overs} == {"time"}
    assert {over.reason for over in overs} == {"ann: no move came in its 50 ms"}
    assert log.read_text().count("started") >= 2
