"""The feed: who watches is told how things stand, and never in anybody's way."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from plywire.protocol.framing import MAX_LINE
from plywire.protocol.messages.arena import Login, Play, Resign, Seek, Start, Turn, Welcome
from plywire.protocol.messages.base import Error
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Ok
from plywire.protocol.messages.watching import (
    MAX_PAIRINGS,
    MAX_ROWS,
    FeedEvent,
    GameState,
    Pairing,
    Pairings,
    PlayerState,
    StandingRow,
    Standings,
    Status,
    feed_adapter,
)
from plywire.server.arena.feed.feed import Feed, FeedWatch, TooSlowError
from plywire.server.arena.feed.standings_publisher import StandingsPublisher
from plywire.server.arena.store.journal import JournalError
from plywire.server.arena.tournament.config import parse_config
from plywire.server.arena.tournament.plan import Plan
from tests.server.arena.live.test_live_tournament import announce, join, newcomer, play, played
from tests.support.arena import Arena, Game
from tests.support.until import until


def status(bots: int) -> Status:
    return Status(online=True, bots=bots, updated=datetime.now(UTC))


def player(name: str, *, online: bool = True) -> PlayerState:
    return PlayerState(player=name, online=online, updated=datetime.now(UTC))


def standings(number: int, played: int = 0, outcome: str | None = None) -> Standings:
    return Standings(
        tournament=str(number),
        name="Cup",
        rows=(),
        played=played,
        games=9,
        outcome=outcome,
        updated=datetime.now(UTC),
    )


async def take(watch: FeedWatch, count: int) -> list[FeedEvent]:
    """The next events."""
    taken: list[FeedEvent] = []
    async with asyncio.timeout(30):
        async for event in watch:
            taken.append(event)
            if len(taken) == count:
                break
    return taken


async def rest(feed: Feed, watch: FeedWatch) -> list[FeedEvent]:
    """All events up to the end of the feed."""
    feed.close()
    return [event async for event in watch]


async def test_a_watcher_is_told_what_is_and_then_what_comes() -> None:
    feed = Feed()
    feed.publish(status(1))
    feed.publish(standings(1))
    feed.publish(status(2))
    with feed.watch() as watch:
        assert await take(watch, 2) == list(feed.latest)
        taking = asyncio.create_task(take(watch, 1))
        await asyncio.sleep(0)
        feed.publish(standings(1, played=1))
        assert await taking == [feed.latest[1]]
        assert await rest(feed, watch) == []


async def test_a_slow_watcher_is_told_the_latest_only() -> None:
    feed = Feed()
    with feed.watch() as watch:
        for played in range(1000):
            feed.publish(standings(1, played))
            feed.publish(standings(2, played))
        told = await rest(feed, watch)
    assert [(event.topic, event.played) for event in told if isinstance(event, Standings)] == [
        ("tournaments/1/standings", 999),
        ("tournaments/2/standings", 999),
    ]


def small_feed(monkeypatch: pytest.MonkeyPatch, behind: int = 3) -> Feed:
    """A feed that keeps two ended things, and so many more endings for the slow."""
    monkeypatch.setattr("plywire.server.arena.feed.feed._FINISHED", 2)
    monkeypatch.setattr("plywire.server.arena.feed.feed._BEHIND", behind)
    return Feed()


async def test_who_comes_late_is_told_all_that_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    feed = small_feed(monkeypatch, behind=3)
    for number in range(10_000):
        feed.publish(standings(number))
    with feed.watch() as watch:
        assert len(await rest(feed, watch)) == 10_000


async def test_how_things_ended_is_kept_for_who_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    feed = small_feed(monkeypatch, behind=300)
    for number in range(200):
        feed.publish(standings(number))
    with feed.watch() as watch:
        await take(watch, 200)
        for number in range(200):
            feed.publish(standings(number, outcome="over"))
        told = await take(watch, 200)
        assert [event.is_final for event in told] == [True] * 200
        for number in range(200, 300):
            feed.publish(standings(number, outcome="over"))
        assert len(feed.latest) < 200


async def test_who_is_very_far_behind_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    feed = small_feed(monkeypatch, behind=3)
    feed.publish(standings(0))
    with feed.watch() as slow, feed.watch("tournaments/0") as other:
        await take(slow, 1)
        await take(other, 1)
        for number in range(200):
            feed.publish(standings(number, outcome="over"))
        assert len(feed.latest) < 100
        with pytest.raises(TooSlowError) as behind:
            await take(slow, 200)
        assert behind.value.missed + len(feed.latest) == 200
        with feed.watch() as late:
            assert len(await take(late, 2)) == 2


async def test_those_who_watch_something_else_do_not_fall_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    feed = small_feed(monkeypatch, behind=3)
    with feed.watch("status") as watch:
        taking = asyncio.create_task(take(watch, 1))
        await asyncio.sleep(0)
        for number in range(200):
            feed.publish(standings(number, outcome="over"))
        assert len(feed.latest) == 2
        feed.publish(status(1))
        assert await taking == [feed.latest_of("status")]


async def test_what_is_watched_by_itself() -> None:
    feed = Feed()
    feed.publish(player("ann"))
    feed.publish(standings(1))
    with (
        feed.watch("status") as counts,
        feed.watch("players/ann") as ann,
        feed.watch("tournaments/1") as cup,
    ):
        for event in (status(1), standings(2), player("bob"), player("ann", online=False)):
            feed.publish(event)
        feed.publish(standings(1, outcome="over"))
        feed.close()
        told = [[event.topic async for event in watch] for watch in (counts, ann, cup)]
    assert told == [["status"], ["players/ann"], ["tournaments/1/standings"]]


async def test_who_has_left_is_forgotten() -> None:
    feed = Feed()
    for name in ("ann", "bob"):
        feed.publish(player(name))
    feed.publish(player("ann", online=False))
    feed.publish(player("bob", online=False))
    feed.publish(player("bob"))
    assert [(event.topic, event.is_final) for event in feed.latest] == [("players/bob", False)]


async def test_watchers_take_turns() -> None:
    """All else gets in between: each round of the event loop serves one of them."""
    feed = Feed()
    told: list[int] = []

    async def watch(number: int) -> None:
        with feed.watch() as watch:
            async for _ in watch:
                told.append(number)

    watching = [asyncio.create_task(watch(number)) for number in range(100)]
    await until(lambda: feed.watchers == 100)
    feed.publish(status(1))
    rounds: list[int] = []
    while len(told) < 100:
        await asyncio.sleep(0)
        rounds.append(len(told))
    assert told == list(range(100))
    assert max(after - before for before, after in pairwise(rounds)) == 1
    feed.close()
    await asyncio.gather(*watching)


def test_only_the_latest_of_what_has_ended_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    feed = small_feed(monkeypatch)
    feed.publish(standings(0))
    for number in (1, 2, 3):
        feed.publish(standings(number))
        feed.publish(standings(number, outcome="over"))
    kept = [event.topic for event in feed.latest]
    assert kept == [f"tournaments/{n}/standings" for n in (0, 2, 3)]


def test_who_has_left_is_told_nothing() -> None:
    feed = Feed()
    with feed.watch():
        assert feed.watchers == 1
    assert feed.watchers == 0


async def play_moves(game: Game, *moves: str) -> None:
    for turn, move in enumerate(moves):
        bot = game.bob if turn % 2 else game.ann
        await bot.until(Turn, turn=turn) if turn else None
        assert isinstance(await bot.ask(Play(table=game.table, turn=turn, move=move)), Ok)


def state(arena: Arena) -> GameState:
    (found,) = (event for event in arena.lobby.feed.latest if isinstance(event, GameState))
    return found


def at(arena: Arena) -> Status:
    (found,) = (event for event in arena.lobby.feed.latest if isinstance(event, Status))
    return found


async def test_a_game_in_the_feed(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        assert at(arena).bots == 0
        game = await arena.game()
        assert (at(arena).bots, at(arena).games) == (2, 1)
        began = state(arena)
        assert (began.table, began.players) == (game.table, ("ann", "bob"))
        assert (began.moves, began.turn, began.limits.movetime) == ((), 1, 1000)
        await arena.advance(0.25)
        await play_moves(game, "a1")
        moved = state(arena)
        assert (moved.moves, moved.times, moved.turn, moved.result) == (("a1",), (250,), 2, None)
        await game.bob.ask(Resign(table=game.table))
        (record,) = await arena.records()
        ended = state(arena)
        assert ended.result is not None
        assert (ended.result.winner, ended.result.termination) == (1, "resignation")
        assert (ended.moves, ended.times) == (record.moves, record.times)
        assert ended.started == began.started == record.started
        assert at(arena).games == 0
        assert feed_adapter().validate_json(ended.model_dump_json(), strict=True) == ended


async def test_clocks_in_the_feed(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, _ = await arena.login("ann")
        bob, _ = await arena.login("bob")
        clock = Clock(p1=60_000, p2=60_000, inc1=1000, inc2=2000)
        for bot in (ann, bob):
            await bot.ask(Seek(game="tictactoe", limits=Limits(clock=clock)))
        turn = await ann.until(Turn)
        game = Game(ann, bob, turn.table, "")
        assert state(arena).clock == clock
        for bot, move, took in ((ann, "a1", 5), (bob, "b1", 7), (ann, "a2", 3)):
            await arena.advance(took)
            turn = len(state(arena).moves)
            assert isinstance(await bot.ask(Play(table=game.table, turn=turn, move=move)), Ok)
            await (ann if bot is bob else bob).until(Turn, turn=turn + 1)
        assert state(arena).clock == Clock(p1=54_000, p2=55_000, inc1=1000, inc2=2000)


async def test_the_feed_of_a_server_that_is_back(tmp_path: Path) -> None:
    """One game goes on, and the feed has it whole; another is called off."""
    async with Arena(tmp_path) as arena:
        game = await arena.game()
        await play_moves(game, "a1", "b1")
        began = state(arena).started
    async with Arena(tmp_path) as arena:
        for name, token in (("ann", game.ann.token), ("bob", game.bob.token)):
            bot = arena.connect()
            assert isinstance(await bot.ask(Login(name=name, token=token)), Welcome)
        await bot.until(Start)
        went_on = state(arena)
        assert (went_on.table, went_on.moves, went_on.started) == (game.table, ("a1", "b1"), began)
    async with Arena(tmp_path) as arena:
        await arena.advance(30)
        await arena.records()
        called_off = state(arena).result
        assert called_off is not None
        assert called_off.termination == "abort"


async def test_a_game_that_cannot_be_kept_is_off_in_the_feed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Arena(tmp_path) as arena:
        game = await arena.game()

        async def fail(*_: Any) -> None:
            raise JournalError("the disk is full")

        monkeypatch.setattr(arena.journal, "move", fail)
        answer = await game.ann.ask(Play(table=game.table, turn=0, move="a1"))
        assert isinstance(answer, Error)
        result = state(arena).result
        assert result is not None
        assert (result.winner, result.termination) == (None, "abort")
        assert at(arena).games == 0


async def test_a_tournament_in_the_feed(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=2)
        bots = [await newcomer(arena, name) for name in ("ann", "bob")]
        for bot in bots:
            await join(bot)
        await asyncio.gather(*(play(bot) for bot in bots))
        records = await played(arena)
        feed = arena.lobby.feed
        await until(lambda: any(isinstance(e, Standings) and e.is_final for e in feed.latest))
        (table,) = (event for event in feed.latest if isinstance(event, Standings))
        assert (table.name, table.played, table.games) == ("Friday cup", 2, 2)
        assert sorted(row.player for row in table.rows) == ["ann", "bob"]
        assert sum(row.points for row in table.rows) == 2
        told = [event for event in feed.latest if isinstance(event, GameState)]
        assert [(event.tournament, event.moves, event.times) for event in told] == [
            (table.tournament, record.moves, record.times) for record in records
        ]


def test_no_event_outgrows_a_line() -> None:
    now, name = datetime.now(UTC), "\U0001f3c6" * 64
    row = StandingRow(
        rank=9999,
        player=name,
        points=9999.5,
        wins=9999,
        draws=9999,
        losses=9999,
        elo=-1 / 3,
        error=1 / 3,
    )
    pairing = Pairing(
        players=(name, name), points=(9999.5, 9999.5), table="9" * 64, games=10**6, played=10**6
    )
    events = (
        status(10**6),
        Standings(
            tournament="9" * 9,
            name=name,
            rows=(row,) * MAX_ROWS,
            played=10**6,
            games=10**6,
            updated=now,
        ),
        Pairings(
            tournament="9" * 9,
            round=9999,
            rounds=9999,
            pairings=(pairing,) * MAX_PAIRINGS,
            updated=now,
        ),
        GameState(
            table="9" * 64,
            tournament="9" * 64,
            game="othello",
            size="8x8",
            players=(name, name),
            limits=Limits(clock=Clock(p1=10**7, p2=10**7)),
            fen="8/" * 64 + " x",
            moves=("a1",) * 256,
            times=(10**7,) * 256,
            turn=1,
            updated=now,
        ),
    )
    assert all(len(f"feed {event.line}") <= MAX_LINE for event in events)


async def test_standings_of_many_come_in_pages() -> None:
    feed = Feed()
    names = [f"player{number}" for number in range(2 * MAX_ROWS + 1)]
    config = parse_config(
        """
        name = "Crowd"
        [format]
        system = "swiss"
        rounds = 2
        [time]
        tc = "1+0"
        [[games]]
        game = "tictactoe"
        [players]
        """
        + "\n".join(f'{name} = "random"' for name in names)
    )
    publisher = StandingsPublisher(feed, "7", Plan(config=config, openings=()), [], 0)
    await publisher.close()
    pages = [event for event in feed.latest if isinstance(event, Standings)]
    assert [page.topic for page in pages] == [
        "tournaments/7/standings",
        "tournaments/7/standings/2",
        "tournaments/7/standings/3",
    ]
    assert sorted(row.player for page in pages for row in page.rows) == sorted(names)


async def test_what_was_written_once_is_not_written_of_a_copy() -> None:
    one = status(1)
    assert '"bots":1' in one.line
    assert '"bots":2' in one.model_copy(update={"bots": 2}).line
