"""Live tournaments: bots join, play, leave and come back, and the server is cut off."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from plywire.clients.play.matches.records import GameRecord
from plywire.engine.registry import load
from plywire.protocol.messages.arena import (
    Abort,
    Echo,
    Login,
    Over,
    Play,
    Resign,
    Seek,
    Turn,
    Welcome,
    Withdrawn,
)
from plywire.protocol.messages.base import Error, ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Ok
from plywire.protocol.messages.tournaments import (
    Join,
    Leave,
    Progress,
    Standing,
    Standings,
    Tournament,
    Tournaments,
    TournamentState,
)
from plywire.server.arena.job_workers import Workers
from plywire.server.arena.live import live_tournament
from plywire.server.arena.live.announcing import begin_now, read_live_config
from plywire.server.arena.live.live_tournament import LiveTournament
from plywire.server.arena.store.journal import JournalError, JournalHinderedError, journal_of
from plywire.server.arena.tournament.config import ConfigError, TournamentConfig, parse_config
from plywire.server.arena.tournament.pairings import dutch
from plywire.server.arena.tournament.plan import Plan, make_plan
from plywire.server.cli.tournament.run import Options, resume
from tests.support.arena import Arena, Connection, jump_the_clock
from tests.support.until import until

CUP = """
name = "Friday cup"
accuracy = false
seats = {seats}
{more}
[format]
system = "{system}"
games = 2
[time]
{time}
[[games]]
game = "tictactoe"
openings = "start"
[players]
{players}
"""


async def announce(
    arena: Arena,
    *,
    seats: int = 2,
    players: str = "",
    more: str = "",
    time: str = "movetime = 60000",
    system: str = "round-robin",
    starts: datetime | None = None,
) -> None:
    """Open the cup, as another process does."""
    text = CUP.format(seats=seats, players=players, more=more, time=time, system=system)
    config = parse_config(text)
    await arena.journal.announcements.announce(config.name, config.model_dump_json(), starts)
    await arena.advance(1)
    await until(lambda: arena.lobby.tournaments.listed)


async def reschedule(arena: Arena) -> None:
    """Have the cup begin now, as another process does."""
    (cup,) = await arena.journal.announcements.listed()
    assert await arena.journal.announcements.begin_now(cup.id)


async def join(bot: Connection) -> None:
    assert isinstance(await bot.ask(Join(tournament="friday cup")), Ok)


async def refused(bot: Connection, code: ErrorCode, words: str) -> None:
    answer = await bot.ask(Join(tournament="Friday cup"))
    assert isinstance(answer, Error)
    assert answer.code is code
    assert words in answer.message


async def play(bot: Connection) -> None:
    """Play the first legal move wherever it is the bot's turn, until the cup is over."""
    game = load("tictactoe")
    while True:
        event = await bot.next()
        bot.heard.clear()
        if isinstance(event, Progress) and event.state is TournamentState.OVER:
            return
        assert not (isinstance(event, Over) and event.termination == "abort"), event
        if isinstance(event, Turn):
            position = [game.parse(event.fen), *game.parse(event.fen).play_names(event.moves)][-1]
            move = game.move_name(position.moves()[0])
            await bot.give(Play(table=event.table, turn=event.turn, move=move))


async def played(arena: Arena) -> list[GameRecord]:
    """The records of the cup, once it is over."""
    await until(lambda: arena.lobby.tournaments.named("Friday cup").state is TournamentState.OVER)
    return await arena.records()


async def newcomer(arena: Arena, name: str, **fields: object) -> Connection:
    bot, _ = await arena.login(name, **fields)
    return bot


async def back(arena: Arena, name: str, token: str) -> Connection:
    bot = arena.connect()
    assert isinstance(await bot.ask(Login(name=name, token=token)), Welcome)
    return bot


async def let_pass(arena: Arena, cup: LiveTournament, played: int) -> None:
    """Let time pass until so many games have ended."""
    async with asyncio.timeout(30):
        while cup.played < played:
            await arena.advance(5)


async def listed(bot: Connection) -> Tournament:
    await bot.ask(Tournaments())
    event = await bot.until(Tournament)
    assert isinstance(event, Tournament)
    return event


async def test_bots_are_told_that_it_begins_before_the_openings_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asyncio.Event()

    async def make_late(config: TournamentConfig, workers: Workers) -> Plan:
        await made.wait()
        return await make_plan(config, workers)

    monkeypatch.setattr(live_tournament, "make_plan", make_late)
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=1, players='House = "random"')
        bot = await newcomer(arena, "ann")
        await join(bot)
        await bot.until(Progress, state=TournamentState.PLAYING, scheduled=0)
        made.set()
        await play(bot)


async def test_bots_join_and_play_when_all_seats_are_taken(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=2, players='House = "greedy"')
        ann, _ = await arena.login("ann")
        bob, _ = await arena.login("bob")
        cup = await listed(ann)
        assert (cup.name, cup.state, cup.games) == ("Friday cup", "open", ("tictactoe",))
        assert (cup.players, cup.seats, cup.limits.movetime) == (1, 2, 60_000)
        await join(ann)
        assert (await ann.until(Progress)).state is TournamentState.OPEN
        await join(ann)
        assert (await listed(ann)).seats == 1
        await join(bob)
        await asyncio.gather(play(ann), play(bob))
        records = await played(arena)
        assert len(records) == 6
        assert {frozenset(record.players) for record in records} == {
            *(frozenset(pair) for pair in (("House", "ann"), ("House", "bob"), ("ann", "bob"))),
        }
        assert {record.termination for record in records} == {"normal"}
        cup = await listed(ann)
        assert (cup.state, cup.played, cup.scheduled) == ("over", 6, 6)
        assert isinstance(await bob.ask(Standings(tournament="Friday cup")), Ok)
        table = [event for event in bob.heard if isinstance(event, Standing)]
        assert len(table) == 3
        assert sum(standing.points for standing in table) == 6
        assert sum(standing.wins for standing in table) == sum(s.losses for s in table)
        await refused(await newcomer(arena, "carl"), ErrorCode.UNAVAILABLE, "is over")


async def test_a_tournament_ends_without_ratings_if_their_file_is_bad(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Arena(tmp_path) as arena:
        (tmp_path / "ratings.sqlite").write_text("ada 1500\n" * 100)
        await announce(arena, seats=1, players='House = "greedy"')
        ann, _ = await arena.login("ann")
        await join(ann)
        await play(ann)
        assert len(await played(arena)) == 2
    (line,) = [line for line in caplog.messages if line.startswith("not rated")]
    assert "ratings.sqlite: not a file of ratings of Plywire" in line
    # The file is moved away while the server is down.
    (tmp_path / "ratings.sqlite").unlink()
    await resume(journal_of(tmp_path), Options(), Console())
    assert {rated.games for rated in arena.ratings.latest()["tictactoe"]} == {2}


async def test_a_tournament_is_found_as_soon_as_it_is_announced(tmp_path: Path) -> None:
    """No time passes: the clock stands still."""
    async with Arena(tmp_path) as arena:
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        config = parse_config(
            CUP.format(seats=2, players="", more="", time="", system="round-robin")
        )
        await arena.journal.announcements.announce(config.name, config.model_dump_json(), None)
        await join(ann)
        await arena.journal.announcements.announce("Another", config.model_dump_json(), None)
        await bob.ask(Tournaments())
        assert (await bob.until(Tournament, name="Another")).seats == 2


async def test_who_cannot_join_is_told_why(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann = await newcomer(arena, "ann")
        await refused(ann, ErrorCode.UNAVAILABLE, "there are none")
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        await announce(arena, seats=3, players='House = "greedy"', starts=tomorrow)
        await refused(
            await newcomer(arena, "bob", games=("othello",)), ErrorCode.BAD_VALUE, "tictactoe"
        )
        await refused(await newcomer(arena, "house"), ErrorCode.BAD_VALUE, "another player")
        for name in ("one", "two", "three"):
            await join(await newcomer(arena, name))
        await refused(ann, ErrorCode.UNAVAILABLE, "are taken")
        await reschedule(arena)
        await arena.advance(1)
        await until(lambda: arena.lobby.tables)
        await refused(ann, ErrorCode.UNAVAILABLE, "has begun")


async def test_a_seat_is_given_back_before_it_begins(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=2)
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        leave = Leave(tournament="Friday cup")
        assert isinstance(await ann.ask(leave), Error)
        await join(ann)
        assert isinstance(await ann.ask(leave), Ok)
        assert (await listed(bob)).seats == 2
        await join(bob)
        await join(ann)
        await bob.until(Turn)
        assert isinstance(await ann.ask(leave), Error)


async def test_it_begins_at_its_time_with_those_who_are_there(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=9, starts=datetime.now(UTC) + timedelta(days=1))
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await join(ann)
        cup = await listed(ann)
        assert cup.starts is not None
        await reschedule(arena)
        await arena.advance(1)
        assert (await listed(ann)).state == "open"  # with one player there is nothing to play
        await join(bob)
        await asyncio.gather(play(ann), play(bob))
        assert len(await played(arena)) == 2


async def test_no_two_have_the_same_name(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=1, players='House = "greedy"')
        for name in ("Friday cup", "FRIDAY CUP", "Lobby"):
            with pytest.raises(JournalError, match=f"a tournament {name} already"):
                await arena.journal.announcements.announce(name, "{}", None)
        ann = await newcomer(arena, "ann")
        await join(ann)
        await play(ann)
        await until(lambda: arena.lobby.tournaments.listed[0].state is TournamentState.OVER)
        with pytest.raises(JournalError, match="already"):
            await announce(arena)
        await arena.journal.announcements.announce("Åcup", "{}", None)
        with pytest.raises(JournalError, match="already"):
            await arena.journal.announcements.announce("åcup", "{}", None)


async def test_the_organiser_begins_it_by_any_case_of_its_name(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=3, players='House = "greedy"')
        ann = await newcomer(arena, "ann")
        with pytest.raises(JournalError, match="joined so far: House"):
            await begin_now(tmp_path, "friday CUP")
        await join(ann)
        begun = await asyncio.gather(
            *(begin_now(tmp_path, "friday CUP") for _ in range(2)), return_exceptions=True
        )
        assert ["House", "ann"] in begun
        (refusal,) = [error for error in begun if isinstance(error, JournalError)]
        assert str(refusal) == "Friday cup begins already; the arena's server plays it"
        await arena.advance(1)
        await play(ann)
        with pytest.raises(JournalError, match="no tournament Friday cup waits"):
            await begin_now(tmp_path, "Friday cup")


async def test_a_bot_plays_as_many_games_at_once_as_it_has_slots(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=3, more="concurrency = 8")
        slots = {"ann": 1, "bob": 3, "eve": 2}
        bots = [await newcomer(arena, name, slots=count) for name, count in slots.items()]
        most: Counter[str] = Counter()
        playing = []
        for bot in bots:
            await join(bot)
            playing.append(asyncio.create_task(play(bot)))
        while not all(task.done() for task in playing):
            for there in arena.lobby.bots:
                most[there.name] = max(most[there.name], len(there.tables))
            await asyncio.sleep(0)
        assert most == {"ann": 1, "bob": 3, "eve": 2}
        assert len(await played(arena)) == 6


async def test_a_game_of_the_tournament_takes_the_slot_of_a_seek(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena)
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await ann.ask(Seek(game="othello", limits=Limits(movetime=1000)))
        await join(ann)
        await join(bob)
        assert "takes the slot" in (await ann.until(Withdrawn)).reason
        turn = await ann.until(Turn)
        assert arena.lobby.matchmaker.seeks == []
        answer = await ann.ask(Abort(table=turn.table))
        assert isinstance(answer, Error)
        assert "tournament" in answer.message
        seek = await ann.ask(Seek(game="othello", limits=Limits(movetime=1000)))
        assert isinstance(seek, Error)
        assert seek.code is ErrorCode.BUSY


async def test_who_does_not_come_forfeits_game_by_game(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=2, players='House = "greedy"')
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await join(ann)
        await ann.leave()
        await until(lambda: len(arena.lobby.bots) == 1)
        await arena.advance(30)
        await join(bob)
        playing = asyncio.create_task(play(bob))
        cup = arena.lobby.tournaments.named("Friday cup")
        await until(lambda: cup.played == 2)  # those of bob and the house are not held up
        await let_pass(arena, cup, 6)
        await playing
        records = [record for record in await played(arena) if "ann" in record.players]
        assert len(records) == 4
        for record in records:
            assert record.players[(record.winner or 0) - 1] != "ann"
            assert (record.termination, record.reason) == ("disconnect", "ann: did not come")


async def test_who_leaves_a_player_of_the_server_loses(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=1, players='House = "greedy"')
        ann = await newcomer(arena, "ann")
        await join(ann)
        turn = await ann.until(Turn)
        await ann.leave()
        await until(lambda: not arena.lobby.bots)
        await let_pass(arena, arena.lobby.tournaments.named("Friday cup"), 2)
        records = await played(arena)
        assert [record.termination for record in records] == ["disconnect", "disconnect"]
        assert [record.players[(record.winner or 0) - 1] for record in records] == ["House"] * 2
        begun = records[int(turn.table.partition(".")[2])]
        assert begun.reason == "ann: did not come back"


async def test_if_both_leave_their_game_nobody_gets_a_point(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena)
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await join(ann)
        await join(bob)
        await ann.until(Turn)
        await ann.leave()
        await bob.leave()
        await until(lambda: not arena.lobby.bots)
        cup = arena.lobby.tournaments.named("Friday cup")
        await let_pass(arena, cup, 2)
        assert [(record.termination, record.reason) for record in await played(arena)] == [
            ("abort", "neither player came back"),
            ("abort", "neither player came"),
        ]
        assert {standing.points for standing in await cup.standings()} == {0}


async def test_if_nobody_comes_nobody_gets_a_point(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena)
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await join(ann)
        await ann.leave()
        await until(lambda: len(arena.lobby.bots) == 1)
        await arena.advance(30)
        await bob.give(Join(tournament="Friday cup"))
        await bob.leave()
        await until(lambda: not arena.lobby.bots)
        cup = arena.lobby.tournaments.named("Friday cup")
        await let_pass(arena, cup, 2)
        records = await played(arena)
        assert [(record.winner, record.termination) for record in records] == 2 * [(None, "abort")]
        assert {standing.points for standing in await cup.standings()} == {0}


async def test_a_game_goes_on_when_the_server_is_back(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena)
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await join(ann)
        await join(bob)
        turn = await ann.until(Turn)
        assert isinstance(await ann.ask(Play(table=turn.table, turn=0, move="b2")), Ok)
        await bob.until(Turn)
    async with Arena(tmp_path) as arena:
        assert arena.lobby.tables == []
        bob = await back(arena, "bob", bob.token)
        ann = await back(arena, "ann", ann.token)
        again = await bob.until(Turn)
        assert (again.table, again.turn, again.moves) == (turn.table, 1, ("b2",))
        await bob.give(Play(table=again.table, turn=1, move="a1"))
        await asyncio.gather(play(ann), play(bob))
        records = await played(arena)
        assert [record.number for record in records] == [0, 1]
        assert records[0].moves[:2] == ("b2", "a1")


async def test_who_joined_is_still_in_when_the_server_is_back(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena)
        ann = await newcomer(arena, "ann")
        await join(ann)
    async with Arena(tmp_path) as arena:
        await until(lambda: arena.lobby.tournaments.listed)
        bob = await newcomer(arena, "bob")
        cup = await listed(bob)
        assert (cup.players, cup.seats, cup.state) == (1, 1, "open")


async def test_a_bot_may_be_named_and_need_not_join(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann = await newcomer(arena, "ann")
        await announce(arena, seats=0, players='ann = "remote"\nHouse = "greedy"')
        await play(ann)
        assert len(await played(arena)) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Friday cup", "Friday  cup", "name: words with single spaces"),
        ("House", '"The house"', "players: The house: letters"),
        ("seats = 2", "seats = 0", "players: at least 2 are needed"),
    ],
)
def test_what_bots_cannot_be_told_is_refused(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "cup.toml"
    text = CUP.format(seats=2, players='House = "greedy"', more="", time="", system="round-robin")
    path.write_text(text.replace(old, new))
    with pytest.raises(ConfigError, match=message):
        read_live_config(path)


async def test_the_lag_is_credited_up_to_the_bound_and_kept_apart(tmp_path: Path) -> None:
    """Of two that are equally late, the one with the longer way is in time."""
    async with Arena(tmp_path, max_lag=100) as arena:
        bots = []
        for name, way in (("ann", 0.3), ("bob", 0.02)):
            bot, _ = await arena.login(name)
            await arena.advance(way)
            await bot.ask(Echo(number=1))
            bots.append(bot)
        ann, bob = bots
        await announce(arena, time="movetime = 1000\nmargin = 50")
        await join(ann)
        await join(bob)
        turn = await ann.until(Turn)
        for bot, place, answer in ((ann, 0, Ok), (bob, 1, Error)):
            await bot.until(Turn, turn=1) if place else None
            await arena.advance(1.12)
            move = Play(table=turn.table, turn=place, move=f"b{place + 1}")
            assert isinstance(await bot.ask(move), answer)
        turn = await bob.until(Turn, turn=0)
        await arena.advance(0.5)
        assert isinstance(await bob.ask(Play(table=turn.table, turn=0, move="b2")), Ok)
        assert isinstance(await ann.ask(Resign(table=turn.table)), Ok)
        late, resigned = await played(arena)
        assert (late.times, late.lags) == ((1020,), (100,))
        assert (late.winner, late.termination) == (1, "time")
        assert late.reason == "bob: took 1100 ms where 1000 ms were left"
        assert (resigned.times, resigned.lags) == ((480,), (20,))


@pytest.mark.parametrize("failure", [JournalHinderedError, JournalError])
async def test_a_full_disk_holds_a_tournament_up(
    failure: type[JournalError], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its games wait, and go on where they were; the bots hear of no end before that."""
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=3, more="concurrency = 3", time="movetime = 86400000")
        bots = [await newcomer(arena, name, slots=2) for name in ("ann", "bob", "eve")]
        keep, asked, is_full = arena.journal.move, 0, range(5, 12)

        async def move(*row: Any) -> None:
            nonlocal asked
            asked += 1
            if asked in is_full:
                raise failure("the disk is full")
            await keep(*row)

        monkeypatch.setattr(arena.journal, "move", move)
        playing = []
        for bot in bots:
            await join(bot)
            playing.append(asyncio.create_task(play(bot)))
        await let_pass(arena, arena.lobby.tournaments.named("Friday cup"), 6)
        await asyncio.gather(*playing)
        records = await played(arena)
        assert asked > is_full.stop
        assert [record.number for record in records] == list(range(6))
        assert {record.termination for record in records} == {"normal"}
        assert all(not bot.tables for bot in arena.lobby.bots)


async def test_a_game_that_ended_while_another_failed_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is cut off when it is on disk, and nobody was told yet."""
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=3, more="concurrency = 3")
        bots = [await newcomer(arena, name, slots=2) for name in ("ann", "bob", "eve")]
        finish, is_kept, tries = arena.journal.finish, asyncio.Event(), []

        async def cut(*row: Any, **options: Any) -> None:
            tries.append(row)
            if len(tries) == 1:
                await finish(*row, **options)
                is_kept.set()
                await asyncio.get_running_loop().create_future()
            if len(tries) == 2:
                await is_kept.wait()
                raise JournalError("a row is missing")
            await finish(*row, **options)

        monkeypatch.setattr(arena.journal, "finish", cut)
        playing = []
        for bot in bots:
            await join(bot)
            playing.append(asyncio.create_task(play(bot)))
        cup = arena.lobby.tournaments.named("Friday cup")
        await let_pass(arena, cup, 6)
        await asyncio.gather(*playing)
        assert len(await played(arena)) == 6
        assert sum(standing.points for standing in await cup.standings()) == 6


async def test_the_clock_of_the_machine_may_jump(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins tournaments and stamps what happens; games have another."""
    async with Arena(tmp_path) as arena:
        await announce(arena, starts=datetime.now(UTC) + timedelta(days=1), time='tc = "60"')
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await join(ann)
        await join(bob)
        await arena.advance(1)
        assert (await listed(ann)).state == "open"
        jump_the_clock(monkeypatch)
        while (await listed(ann)).state == "open":
            await arena.advance(1)
        await asyncio.gather(play(ann), play(bob))
        records = await played(arena)
        assert {record.termination for record in records} == {"normal"}
        assert max(ms for record in records for ms in record.times) < 1000


async def test_rounds_are_drawn_in_another_process_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many players take seconds, in which this one has games to conduct; who asks gets no more."""

    def draw(*_: object) -> None:
        raise AssertionError("a round is drawn where games are played")

    monkeypatch.setattr(dutch, "pair_round", draw)
    names = ("ann", "bob", "carl", "dave", "eve")
    async with Arena(tmp_path) as arena:
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        await announce(arena, seats=len(names) + 1, system="swiss", starts=tomorrow)
        bots = [await newcomer(arena, name) for name in names]
        for bot in bots:
            await join(bot)
        await reschedule(arena)
        await arena.advance(1)
        playing = [asyncio.create_task(play(bot)) for bot in bots]
        cup = arena.lobby.tournaments.named("Friday cup")
        asked = 0
        while (await asyncio.wait(playing, timeout=0.01))[1]:
            assert len(await cup.standings()) == len(names)
            asked += 1
        assert asked > 5
        assert len(await played(arena)) == 3 * 2 * 2
        table = await cup.standings()
        assert sum(standing.points for standing in table) == 3 * 3 * 2
        assert Counter(standing.bye_points for standing in table) == {2: 3, 0: 2}
    async with Arena(tmp_path) as arena:
        assert await arena.lobby.tournaments.named("Friday cup").standings() == table


async def test_a_lost_game_is_told(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena)
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await join(ann)
        await join(bob)
        turn = await ann.until(Turn)
        assert isinstance(await ann.ask(Play(table=turn.table, turn=0, move="z9")), Error)
        over = await bob.until(Over)
        assert (over.winner, over.termination) == (2, "illegal-move")


async def test_a_flag_falls_and_meanwhile_others_play(tmp_path: Path) -> None:
    """Ann is connected and answers everything but her turns, however long others wait."""
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=4, time='tc = "3"\nmargin = 50')
        names = ("ann", "bob", "carl", "dave")
        ann, *others = [await newcomer(arena, name) for name in names]
        for bot in (ann, *others):
            await join(bot)
        playing = [asyncio.create_task(play(bot)) for bot in others]
        cup = arena.lobby.tournaments.named("Friday cup")
        await until(lambda: cup.played == 2)  # of those who are not paired with ann, by no time
        assert len(arena.lobby.tables) == 1
        for fallen in range(1, 7):  # each of her games, one after the other
            turn = await ann.until(Turn)
            await arena.advance(3.04)
            assert turn.table in arena.lobby.tables
            await arena.advance(0.01)
            over = await ann.until(Over, table=turn.table)
            assert over.termination == "time", fallen
            assert over.reason == "ann: no move came in its 3000 ms"
        await asyncio.gather(*playing)
        records = await played(arena)
        assert len(records) == 12
        lost = [record for record in records if "ann" in record.players]
        assert {record.players[(record.winner or 0) - 1] for record in lost} == {*names[1:]}
        assert {record.termination for record in records if record not in lost} == {"normal"}


async def test_patience_is_for_who_has_no_time_limit(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, time="nodes = 100\npatience = 5")
        ann, bob = [await newcomer(arena, name) for name in ("ann", "bob")]
        await join(ann)
        await join(bob)
        turn = await ann.until(Turn)
        await arena.advance(4.9)
        assert turn.table in arena.lobby.tables
        await arena.advance(0.1)
        over = await ann.until(Over)
        assert (over.termination, over.reason) == ("stall", "ann: no answer in 5000 ms")


async def test_players_of_the_server_play_as_many_games_at_once_as_the_file_says(
    tmp_path: Path,
) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=4, more="concurrency = 2", players='House = "greedy"')
        bots = [await newcomer(arena, name, slots=8) for name in ("ann", "bob", "carl", "dave")]
        most: Counter[bool] = Counter()
        playing = []
        for bot in bots:
            await join(bot)
            playing.append(asyncio.create_task(play(bot)))
        while not all(task.done() for task in playing):
            seats = Counter(table for bot in arena.lobby.bots for table in bot.tables)
            for is_here in (False, True):
                now = sum((count < 2) is is_here for count in seats.values())
                most[is_here] = max(most[is_here], now)
            await asyncio.sleep(0)
        assert most[True] == 2
        assert most[False] > 2
        assert len(await played(arena)) == 20


async def test_no_pair_of_bots_waits_for_a_player_of_the_server(tmp_path: Path) -> None:
    """Nor for each other: all games begin for which there are slots, and nobody moves."""
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=3, more="concurrency = 1", players='House = "greedy"')
        for name in ("ann", "bob", "carl"):
            await join(await newcomer(arena, name, slots=8))
        await until(lambda: len(arena.lobby.tables) == 6 + 1)
        seats = Counter(table for bot in arena.lobby.bots for table in bot.tables)
        assert Counter(seats.values()) == {2: 6, 1: 1}
