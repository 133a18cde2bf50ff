"""What bots do wrong: the right one is blamed, the other is unharmed, the server lives on."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plywire.protocol.messages.arena import (
    Abort,
    Bot,
    Echo,
    Lobby,
    Login,
    Offered,
    Over,
    Play,
    Played,
    Replaced,
    Resign,
    Resume,
    Seek,
    Start,
    Turn,
    Welcome,
    Withdraw,
)
from plywire.protocol.messages.base import Error, ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Bye, Ok, Ping, Pong, Quit
from plywire.server.arena.arena_session import ArenaSession
from plywire.server.arena.store.journal import JournalError
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.errors import RefusedError
from tests.support.arena import Arena, Connection, Game, jump_the_clock
from tests.support.peers import settings
from tests.support.until import until


async def unharmed(arena: Arena, bot: Connection) -> None:
    """The bot is connected, and can play another game at once."""
    assert isinstance(await bot.ask(Ping()), Pong)
    other, _ = await arena.login("carl")
    seek = Seek(game="tictactoe", limits=Limits(movetime=777))
    await bot.ask(seek)
    await other.ask(seek)
    await bot.until(Start, opponent="carl")


async def play_out(game: Game) -> None:
    """Ann wins."""
    for turn, (bot, move) in enumerate(
        [(game.ann, "a1"), (game.bob, "b1"), (game.ann, "a2"), (game.bob, "b2"), (game.ann, "a3")]
    ):
        await bot.until(Turn, turn=turn) if turn else None
        assert isinstance(await bot.ask(Play(table=game.table, turn=turn, move=move)), Ok)


async def test_a_game_is_played_and_kept(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await play_out(game)
        for bot in (game.ann, game.bob):
            over = await bot.until(Over)
            assert (over.winner, over.termination, over.reason) == (1, "normal", "three in a row")
        (record,) = await arena.records()
        assert record.players == ("ann", "bob")
        assert record.moves == ("a1", "b1", "a2", "b2", "a3")
        assert record.last_lines == ()


async def test_a_move_is_told_when_it_is_in_the_journal(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        assert isinstance(await game.ann.ask(Play(table=game.table, turn=0, move="a1")), Ok)
        (kept,) = await arena.journal.games(1)
        assert [name for name, _ in kept.moves] == ["a1"]
        await game.bob.until(Played, turn=0, move="a1")


async def illegal(arena: Arena, game: Game) -> None:
    answer = await game.ann.ask(Play(table=game.table, turn=0, move="z9"))
    assert isinstance(answer, Error)
    assert answer.code is ErrorCode.ILLEGAL_MOVE


async def hang(arena: Arena, game: Game) -> None:
    """Says nothing, though it is connected."""
    await arena.advance(1)


async def late(arena: Arena, game: Game) -> None:
    await arena.advance(1.001)
    answer = await game.ann.ask(Play(table=game.table, turn=0, move="a1"))
    assert isinstance(answer, Error)
    assert answer.code is ErrorCode.GAME_OVER


async def resign(arena: Arena, game: Game) -> None:
    assert isinstance(await game.ann.ask(Resign(table=game.table)), Ok)


async def leave(arena: Arena, game: Game) -> None:
    await game.ann.leave()
    await until(lambda: len(arena.lobby.bots) == 1)
    await arena.advance(30)


async def quit_(arena: Arena, game: Game) -> None:
    assert isinstance(await game.ann.ask(Quit()), Bye)
    await until(lambda: len(arena.lobby.bots) == 1)
    await arena.advance(30)


async def flood(arena: Arena, game: Game) -> None:
    game.ann.say_bytes(b'{"type":"ping"}\n' * 200)
    await until(lambda: game.ann.is_closed)
    await until(lambda: len(arena.lobby.bots) == 1)
    await arena.advance(30)


@pytest.mark.parametrize(
    ("fault", "termination"),
    [
        (illegal, "illegal-move"),
        (hang, "time"),
        (late, "time"),
        (resign, "resignation"),
        (leave, "disconnect"),
        (quit_, "disconnect"),
        (flood, "disconnect"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
async def test_the_right_one_is_blamed(
    fault: Callable[[Arena, Game], Awaitable[None]],
    termination: str,
    tmp_path: Path,
) -> None:
    chosen = settings(idle_time=0, messages_per_second=1, message_burst=50)
    async with Arena(tmp_path, chosen=chosen) as arena:
        game = await arena.game()
        await fault(arena, game)
        over = await game.bob.until(Over)
        assert (over.winner, over.termination) == (2, termination)
        (record,) = await arena.records()
        assert (record.winner, record.termination) == (2, termination)
        assert "ann" in record.reason
        await unharmed(arena, game.bob)


async def test_who_resigns_on_the_others_turn_loses(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        assert isinstance(await game.bob.ask(Resign(table=game.table)), Ok)
        over = await game.ann.until(Over)
        assert (over.winner, over.termination) == (1, "resignation")


async def test_a_bot_that_stays_away_loses_on_the_others_turn_too(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game(movetime=60_000)
        await game.bob.leave()
        await until(lambda: len(arena.lobby.bots) == 1)
        await arena.advance(30)
        over = await game.ann.until(Over)
        assert (over.winner, over.termination) == (1, "disconnect")


async def both_leave(arena: Arena, game: Game) -> None:
    """Ann first, bob ten seconds later."""
    for bot, name in ((game.ann, "ann"), (game.bob, "bob")):
        await bot.leave()
        await until(partial(_is_away, arena, name))
        await arena.advance(10)


def _is_away(arena: Arena, name: str) -> bool:
    return name not in [bot.name for bot in arena.lobby.bots]


async def back(arena: Arena, name: str, bot: Connection) -> Connection:
    again = arena.connect()
    assert isinstance(await again.ask(Login(name=name, token=bot.token)), Welcome)
    return again


async def test_if_both_stay_away_nobody_wins(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await both_leave(arena, await arena.game(movetime=60_000))
        await arena.advance(10)
        assert arena.lobby.tables  # bob may still come
        await arena.advance(10)
        (record,) = await arena.records()
        assert (record.winner, record.termination) == (None, "abort")
        assert record.reason == "neither player came back"


@pytest.mark.parametrize("first", ["ann", "bob"])
async def test_of_two_who_left_the_one_who_comes_back_wins(first: str, tmp_path: Path) -> None:
    """Also ann, though her time to come back was over: nobody waited for her."""
    async with Arena(tmp_path) as arena:
        game = await arena.game(movetime=60_000)
        await both_leave(arena, game)
        await arena.advance(15)
        again = await back(arena, first, getattr(game, first))
        assert (await again.until(Start)).table == game.table
        await arena.advance(10)
        over = await again.until(Over)
        assert (over.winner, over.termination) == (1 if first == "ann" else 2, "disconnect")
        await arena.records()
        late = arena.connect()
        gone = game.bob if first == "ann" else game.ann
        name = "bob" if first == "ann" else "ann"
        welcome = await late.ask(Login(name=name, token=gone.token))
        assert isinstance(welcome, Welcome)
        assert welcome.tables == 0


async def test_two_who_left_and_came_back_play_on(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game(movetime=300_000)
        await both_leave(arena, game)
        await arena.advance(15)
        game.ann = await back(arena, "ann", game.ann)
        game.bob = await back(arena, "bob", game.bob)
        await arena.advance(30)
        await game.ann.until(Turn, turn=0)
        await play_out(game)
        assert (await game.bob.until(Over)).termination == "normal"


async def test_who_is_away_when_its_time_is_up_is_not_stalling(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await game.ann.leave()
        await until(lambda: len(arena.lobby.bots) == 1)
        await arena.advance(1)
        over = await game.bob.until(Over)
        assert (over.winner, over.termination) == (2, "disconnect")


async def test_a_move_counts_though_its_connection_is_lost_before_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        keep, asked, may_go_on = arena.journal.move, asyncio.Event(), asyncio.Event()

        async def slowly(*row: Any) -> None:
            asked.set()
            await may_go_on.wait()
            await keep(*row)

        monkeypatch.setattr(arena.journal, "move", slowly)
        await game.ann.give(Play(table=game.table, turn=0, move="a1"))
        await asked.wait()
        old, game.ann = game.ann, arena.connect()
        assert isinstance(await game.ann.ask(Resume(session=game.session)), Welcome)
        await until(lambda: old.is_closed)
        may_go_on.set()
        assert (await game.bob.until(Turn)).turn == 1
        again = await game.ann.ask(Play(table=game.table, turn=0, move="a1"))
        assert isinstance(again, Ok)


async def test_offers_that_nobody_accepts_leave_no_trace(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, _ = await arena.login("ann")
        for movetime in range(1, 20):
            seek = Seek(game="tictactoe", limits=Limits(movetime=movetime))
            offered = await ann.ask(seek)
            assert isinstance(offered, Offered)
            assert isinstance(await ann.ask(Withdraw(offer=offered.offer)), Ok)
        assert await arena.journal.tournaments() == []


async def test_offers_of_a_replaced_connection_are_void(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, welcome = await arena.login("ann")
        seek = Seek(game="tictactoe", limits=Limits(movetime=1000))
        assert isinstance(await ann.ask(seek), Offered)
        again = arena.connect()
        assert isinstance(await again.ask(Resume(session=welcome.session)), Welcome)
        assert arena.lobby.matchmaker.seeks == []
        assert isinstance(await again.ask(seek), Offered)


@pytest.mark.parametrize("moved", [False, True])
async def test_only_who_has_not_moved_may_abort(moved: bool, tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        if moved:
            await game.ann.ask(Play(table=game.table, turn=0, move="a1"))
            assert isinstance(await game.ann.ask(Abort(table=game.table)), Error)
        assert isinstance(await game.bob.ask(Abort(table=game.table)), Ok)
        over = await game.ann.until(Over)
        assert (over.winner, over.termination) == (None, "abort")


@pytest.mark.parametrize(
    "garbage",
    [
        b"x" * 2**20 + b"\n",
        bytes(range(256)) * 40 + b"\n",
        b'{"type":"play","table":"1.0"\n',
        b'{"type":"play","table":"9.9","turn":0,"move":"a1"}\n',
        b'{"type":"play","table":"1.0","turn":7,"move":"a1"}\n',
        b'{"type":"play","table":"1.0","turn":0,"move":17}\n',
    ],
    ids=["1 MB", "binary", "half an object", "no such table", "no such turn", "wrong type"],
)
async def test_garbage_changes_nothing(garbage: bytes, tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        game.ann.say_bytes(garbage)
        await game.ann.until(Error)
        await play_out(game)
        assert (await game.bob.until(Over)).termination == "normal"


async def test_half_a_line_is_no_move(tmp_path: Path) -> None:
    """Nor is it one when the connection is lost in the middle of it."""
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        game.ann.say_bytes(b'{"type":"play","table":"1.0","turn":0,"mo')
        await game.ann.leave()
        await until(lambda: len(arena.lobby.bots) == 1)
        game.ann = arena.connect()
        assert isinstance(await game.ann.ask(Resume(session=game.session)), Welcome)
        await game.ann.until(Turn, turn=0)
        await play_out(game)


async def test_who_comes_back_finds_its_games(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game(movetime=60_000)
        await game.ann.ask(Play(table=game.table, turn=0, move="a1"))
        await game.bob.until(Turn, turn=1)
        await game.bob.ask(Play(table=game.table, turn=1, move="b1"))
        await game.ann.until(Turn, turn=2)
        await game.ann.leave()
        await until(lambda: len(arena.lobby.bots) == 1)
        await arena.advance(0.4)
        game.ann = arena.connect()
        welcome = await game.ann.ask(Resume(session=game.session))
        assert isinstance(welcome, Welcome)
        assert welcome.tables == 1
        start = await game.ann.until(Start)
        assert (start.table, start.player, start.moves) == (game.table, 1, ("a1", "b1"))
        turn = await game.ann.until(Turn)
        assert (turn.turn, turn.moves, turn.limits.movetime) == (2, ("a1", "b1"), 59_600)
        await arena.advance(31)  # it is back: nobody counts any more
        assert isinstance(await game.bob.ask(Ping()), Pong)
        assert arena.lobby.tables


async def test_a_game_that_ended_meanwhile_is_told(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await game.ann.leave()
        await until(lambda: len(arena.lobby.bots) == 1)
        await game.bob.ask(Resign(table=game.table))
        await game.bob.until(Over)
        ann = arena.connect()
        welcome = await ann.ask(Resume(session=game.session))
        assert isinstance(welcome, Welcome)
        assert welcome.tables == 0
        assert (await ann.until(Over)).winner == 1


async def test_the_same_move_twice_is_one_move(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        for _ in range(2):
            assert isinstance(await game.ann.ask(Play(table=game.table, turn=0, move="a1")), Ok)
        other = await game.ann.ask(Play(table=game.table, turn=0, move="c3"))
        assert isinstance(other, Error)
        assert other.message == "turn 0 was answered already, by a1"
        (kept,) = await arena.journal.games(1)
        assert [name for name, _ in kept.moves] == ["a1"]


@pytest.mark.parametrize("how", ["resume", "login"])
async def test_the_later_connection_has_the_name(how: str, tmp_path: Path) -> None:
    """However often, and the one before is told why."""
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        old, session = game.ann, game.session
        for _ in range(2):
            new = arena.connect()
            back = Resume(session=session) if how == "resume" else None
            welcome = await new.ask(back or Login(name="ann", token=game.ann.token))
            assert isinstance(welcome, Welcome)
            assert (welcome.tables, welcome.session == session) == (1, how == "resume")
            await old.until(Replaced)
            assert (await old.until(Bye)).reason == "another connection has logged in as ann"
            await new.until(Turn, turn=0)
            old, session = new, welcome.session
        await until(lambda: len(arena.lobby.bots) == 2)
        game.ann = old
        await play_out(game)
        assert (await game.bob.until(Over)).termination == "normal"


@pytest.mark.parametrize(
    "attempt",
    [
        Login(name="ann", token="guessed"),
        Login(name="ANN", token="guessed"),
        Login(name="nobody", token="guessed"),
        Resume(session="guessed"),
    ],
    ids=lambda command: command.type,
)
async def test_a_name_cannot_be_stolen(attempt: Login | Resume, tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        thief = arena.connect()
        refused = await thief.ask(attempt)
        assert isinstance(refused, Error)
        assert refused.code is ErrorCode.UNAUTHORIZED
        for command in (Lobby(), Play(table=game.table, turn=0, move="a1"), Echo(number=1)):
            refused = await thief.ask(command)
            assert isinstance(refused, Error)
            assert refused.code is ErrorCode.UNAUTHORIZED
        await play_out(game)


async def test_an_old_session_is_void_after_a_login(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, welcome = await arena.login("ann")
        again = arena.connect()
        assert isinstance(await again.ask(Login(name="ann", token=ann.token)), Welcome)
        refused = await arena.connect().ask(Resume(session=welcome.session))
        assert isinstance(refused, Error)


async def test_a_session_is_over_after_the_grace_time(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, welcome = await arena.login("ann")
        await ann.leave()
        await until(lambda: not arena.lobby.bots)
        await arena.advance(30)
        refused = await arena.connect().ask(Resume(session=welcome.session))
        assert isinstance(refused, Error)


async def test_a_server_that_shuts_down_takes_no_more_moves(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await arena.lobby.close()
        refused = await game.ann.ask(Play(table=game.table, turn=0, move="a1"))
        assert isinstance(refused, Error)
        assert refused.code is ErrorCode.DRAINING


@pytest.mark.parametrize("length", ["none", "part", "all but one", "more"])
async def test_a_part_of_the_secret_is_none(length: str, tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        _, welcome = await arena.login("ann")
        secret = welcome.session
        guess = {
            "none": "",
            "part": secret[:8],
            "all but one": secret[:-1],
            "more": secret + "x",
        }[length]
        with pytest.raises(RefusedError) as refused:
            await arena.lobby.logins.resume(guess)
        assert refused.value.code is ErrorCode.UNAUTHORIZED
        assert isinstance(await arena.connect().ask(Resume(session=secret)), Welcome)


async def test_a_game_that_could_not_be_kept_leaves_its_number_unused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games after it are told from each other, also by a server that counts anew."""
    seek = Seek(game="tictactoe", limits=Limits(movetime=1000))
    async with Arena(tmp_path) as arena:
        ann, bob = [(await arena.login(name))[0] for name in ("ann", "bob")]
        schedule = arena.journal.schedule

        async def fail(*_: Any) -> None:
            monkeypatch.setattr(arena.journal, "schedule", schedule)
            raise JournalError("the disk is full")

        monkeypatch.setattr(arena.journal, "schedule", fail)
        await ann.ask(seek)
        await bob.ask(seek)
        assert (await ann.until(Over)).termination == "abort"
        await ann.ask(seek)
        await bob.ask(seek)
        turn = await ann.until(Turn)
        await ann.ask(Resign(table=turn.table))
        assert [record.number for record in await arena.records()] == [1]
    async with Arena(tmp_path) as arena:
        ann, bob = await back(arena, "ann", ann), await back(arena, "bob", bob)
        await ann.ask(seek)
        await bob.ask(seek)
        await ann.ask(Resign(table=(await ann.until(Turn)).table))
        assert (await bob.until(Over)).termination == "resignation"
        assert [record.number for record in await arena.records()] == [1, 2]


async def test_games_go_on_when_the_server_is_back(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await game.ann.ask(Play(table=game.table, turn=0, move="a1"))
    async with Arena(tmp_path) as arena:
        bots = []
        for name, token in (("ann", game.ann.token), ("bob", game.bob.token)):
            bot = arena.connect()
            assert isinstance(await bot.ask(Login(name=name, token=token)), Welcome)
            bots.append(bot)
        start = await bots[0].until(Start)
        assert (start.table, start.player, start.moves) == (game.table, 1, ("a1",))
        assert (await bots[1].until(Turn)).turn == 1
        await bots[1].ask(Resign(table=game.table))
        assert (await bots[0].until(Over)).winner == 1
        (record,) = await arena.records()
        assert record.moves == ("a1",)


async def test_the_lag_is_credited_up_to_the_bound_and_kept_apart(tmp_path: Path) -> None:
    async with Arena(tmp_path, max_lag=100) as arena:
        ann, _ = await arena.login("ann")
        await arena.advance(0.3)
        await ann.ask(Echo(number=1))
        bob, _ = await arena.login("bob")
        seek = Seek(game="tictactoe", limits=Limits(movetime=1000))
        await ann.ask(seek)
        await bob.ask(seek)
        turn = await ann.until(Turn)
        await arena.advance(1.05)
        assert isinstance(await ann.ask(Play(table=turn.table, turn=0, move="a1")), Ok)
        assert (await bob.until(Played)).time == 950
        await bob.ask(Resign(table=turn.table))
        (record,) = await arena.records()
        assert (record.times, record.lags) == ((950,), (100,))


async def test_the_record_holds_the_last_lines_of_who_is_to_blame(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await illegal(arena, game)
        (record,) = await arena.records()
        assert '"type":"turn"' in record.last_lines[-2]
        assert record.last_lines[-1] == '< {"type":"play","turn":0,"move":"z9"}'
        assert record.started is not None


async def test_a_logged_in_bot_may_be_silent(tmp_path: Path) -> None:
    async with Arena(tmp_path, chosen=settings(idle_time=60)) as arena:
        ann, _ = await arena.login("ann")
        for _ in range(5):
            await arena.advance(60)
        assert isinstance(await ann.ask(Ping()), Pong)


async def test_a_bot_that_reads_nothing_is_disconnected(tmp_path: Path) -> None:
    chosen = settings(idle_time=0, max_unsent=4096, write_timeout=0.05)
    async with Arena(tmp_path, chosen=chosen) as arena:
        game = await arena.game()
        game.ann.reading.clear()
        await arena.advance(60)
        await until(lambda: game.ann.is_closed)
        game.ann.reading.set()
        assert isinstance(await game.bob.ask(Ping()), Pong)


async def test_the_lobby_lists_who_is_there(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, _ = await arena.login("ann", games=("tictactoe",), slots=2)
        await arena.login("bob")
        assert isinstance(await ann.ask(Lobby()), Ok)
        assert [event.name for event in ann.heard if isinstance(event, Bot)] == ["ann", "bob"]


async def fill_the_disk(arena: Arena) -> None:
    """Leave space for no move more, as far as SQLite can tell a small disk from a limit."""
    journal = arena.journal
    pool = await journal.create("filler", "{}")
    await journal.schedule(pool, [ScheduledGame(0, 1, "x", "1x1", ("x", "y"), "-", ())])

    def fill(connection: sqlite3.Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    await journal.database.do(fill)
    plies = itertools.count()
    for length in (200, 10, 1):
        with suppress(JournalError):
            for ply in plies:
                await journal.move(pool, 0, ply, length * "x", 0)
        # Moves follow each other without a gap: the one that found no space is tried again.
        plies = itertools.count(ply)
    with pytest.raises(JournalError, match="the disk is full"):
        await journal.move(pool, 0, ply, "x", 0)


async def free_space(arena: Arena) -> None:
    def run(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA max_page_count = 1000000")

    await arena.journal.database.do(run)


async def test_when_the_disk_is_full_the_game_waits_and_the_server_lives(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await fill_the_disk(arena)
        await game.ann.give(Play(id="first", table=game.table, turn=0, move="a1"))
        for _ in range(5):
            await arena.advance(1)
            assert isinstance(await game.bob.ask(Ping()), Pong)
        assert not any(isinstance(event, Over | Played) for event in game.bob.heard)
        await free_space(arena)
        kept = asyncio.create_task(game.ann.until(Ok, id="first"))
        while not kept.done():
            await arena.advance(1)
        assert (await game.bob.until(Turn)).limits.movetime == 1000


async def test_the_clock_of_the_machine_may_jump(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also between two lives of the server."""
    jump_the_clock(monkeypatch)
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await arena.advance(0.4)
        await game.ann.ask(Play(table=game.table, turn=0, move="a1"))
        await game.bob.until(Turn)
    async with Arena(tmp_path) as arena:
        ann, bob = await back(arena, "ann", game.ann), await back(arena, "bob", game.bob)
        assert (await bob.until(Turn)).limits.movetime == 1000
        await arena.advance(0.9)
        await bob.ask(Play(table=game.table, turn=1, move="b1"))
        await ann.ask(Resign(table=game.table))
        (record,) = await arena.records()
        assert (record.times, record.termination) == ((400, 900), "resignation")


async def connected(arena: Arena, game: Game) -> None:
    """Ann stays as she is."""


async def resumed(arena: Arena, game: Game) -> None:
    game.ann = arena.connect()
    assert isinstance(await game.ann.ask(Resume(session=game.session)), Welcome)


async def away(arena: Arena, game: Game) -> None:
    await game.ann.leave()
    await until(partial(_is_away, arena, "ann"))


class Busy:
    """A connection that still gives commands after its end."""

    network = None
    round_trip: float | None = None
    heard = 0.0

    def notify(self, event: object) -> None:
        """Nobody reads it."""

    def end(self, reason: str) -> None:
        """Not yet."""


async def test_a_bot_that_was_removed_is_told_so(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        session = ArenaSession(arena.lobby, Busy())  # type: ignore[arg-type]
        token = await asyncio.to_thread(arena.accounts.add, "ann")
        await session.handle(Login(name="ann", token=token), lambda event: None)
        await asyncio.to_thread(arena.accounts.remove, "ann")
        await arena.advance(1)
        await until(lambda: not arena.lobby.bots)
        with pytest.raises(RefusedError, match="its account was removed"):
            await session.handle(Lobby(), lambda event: None)


@pytest.mark.parametrize("how", [connected, resumed, away], ids=lambda how: how.__name__)
@pytest.mark.parametrize("is_added_again", [False, True])
async def test_a_bot_that_is_removed_is_out_at_once(
    how: Callable[[Arena, Game], Awaitable[None]], is_added_again: bool, tmp_path: Path
) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game(movetime=60_000)
        await how(arena, game)
        await asyncio.to_thread(arena.accounts.remove, "ann")
        if is_added_again:
            await asyncio.to_thread(arena.accounts.add, "ann")
        await arena.advance(1)
        over = await game.bob.until(Over)
        assert (over.winner, over.termination) == (2, "disconnect")
        assert over.reason == "ann: its account was removed"
        if how is not away:
            assert (await game.ann.until(Bye)).reason == "its account was removed"
        for attempt in (
            Login(name="ann", token=game.ann.token or "x"),
            Resume(session=game.session),
        ):
            refused = await arena.connect().ask(attempt)
            assert isinstance(refused, Error)
            assert refused.code is ErrorCode.UNAUTHORIZED
        assert [bot.name for bot in arena.lobby.bots] == ["bob"]
        await unharmed(arena, game.bob)


async def test_who_was_removed_just_now_cannot_resume(tmp_path: Path) -> None:
    """No time passes: the clock stands still."""
    async with Arena(tmp_path) as arena:
        _, welcome = await arena.login("ann")
        await asyncio.to_thread(arena.accounts.remove, "ann")
        refused = await arena.connect().ask(Resume(session=welcome.session))
        assert isinstance(refused, Error)
        assert refused.code is ErrorCode.UNAUTHORIZED


async def test_nobody_plays_against_itself(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, _ = await arena.login("ann", slots=4)
        seek = Seek(game="tictactoe", limits=Limits(movetime=1000))
        for _ in range(2):
            assert isinstance(await ann.ask(seek), Offered)
        assert len(arena.lobby.matchmaker.seeks) == 2
        assert arena.lobby.tables == []
