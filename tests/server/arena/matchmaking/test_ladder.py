"""Rated games: by agreement and by the ladder, within limits, each counted once."""

from __future__ import annotations

import asyncio
import signal
import socket
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.client import Backoff
from plywire.clients.play.players.local import RandomPlayer
from plywire.clients.play.ratings.bradley_terry import Outcome
from plywire.clients.play.ratings.glicko2 import Glicko, rate_event
from plywire.engine.readiness import prepare
from plywire.engine.registry import load
from plywire.protocol.messages.arena import (
    Abort,
    Accept,
    Challenge,
    Challenged,
    Offered,
    Over,
    Resign,
    Resume,
    Seek,
    Start,
)
from plywire.protocol.messages.base import Error
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Eval, Go, NewGame, Ok
from plywire.protocol.messages.review import Review
from plywire.server.arena.live.remote_bot import RemoteBot
from plywire.server.arena.matchmaking.game_rater import GameRater
from plywire.server.arena.matchmaking.ladder import Ladder
from plywire.server.arena.matchmaking.offers import GameOffer
from plywire.server.arena.store.accounts import AccountError, accounts_of
from plywire.server.arena.store.journal import Journal, journal_of
from plywire.server.arena.store.rating_list import RatingList, ratings_of
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.serve import Server
from plywire.server.settings import LadderSettings, Settings
from tests.support.arena import Arena, Connection
from tests.support.fake_engine import FakeWarmer
from tests.support.game_records import record
from tests.support.peers import PLYWIRE
from tests.support.turned_clock import TurnedClock
from tests.support.until import until

LIMITS = Limits(movetime=60_000)
TERMS: dict[str, Any] = {"game": "tictactoe", "limits": LIMITS, "rated": True}
RATED = Seek(**TERMS)
TICTACTOE, CONNECT4 = load("tictactoe"), load("connect4")
NO_ANCHOR = LadderSettings(anchor="")


async def challenged(ann: Connection, bob: Connection, **terms: object) -> int:
    """The number of ann's challenge of bob."""
    offered = await ann.ask(Challenge.model_validate({"name": "bob", **TERMS, **terms}))
    assert isinstance(offered, Offered), offered
    return int((await bob.until(Challenged, offer=offered.offer)).offer)


async def start(bot: Connection) -> Start:
    found: Start = await bot.until(Start)
    return found


async def resigned(arena: Arena, bot: Connection) -> None:
    """Resign the bot's game, and return when all is counted."""
    await bot.ask(Resign(table=(await start(bot)).table))
    await bot.until(Over)
    await until(lambda: not arena.lobby.tables)


async def test_a_game_is_rated_where_both_say_so(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        (ann, _), (bob, _) = await arena.login("ann"), await arena.login("bob")
        number = await challenged(ann, bob)
        refused = await bob.ask(Accept(offer=number))
        assert isinstance(refused, Error)
        assert "is rated: accept it as rated, or decline it" in refused.message
        assert isinstance(await bob.ask(Accept(offer=number, rated=True)), Ok)
        begun = await start(ann)
        assert begun.rated
        late = await ann.ask(Abort(table=begun.table))
        assert isinstance(late, Error)
        assert "rated games cannot be aborted" in late.message
        await bob.ask(Resign(table=begun.table))
        await until(lambda: arena.ratings.of(TICTACTOE))
        expected = rate_event({}, [Outcome("ann", "bob", 1.0)])
        assert arena.ratings.of(TICTACTOE) == expected
        number = await challenged(ann, bob, rated=False)
        assert (await bob.ask(Accept(offer=number, rated=True))).type == "error"
        await bob.ask(Accept(offer=number))
        assert [(await start(bob)).rated for _ in range(2)] == [True, False]


async def test_challengers_are_told_by_their_rating(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        arena.ratings.rate("1", "Cup", [record(0, "ann", "carl", 1)])
        (ann, _), (bob, _) = await arena.login("ann"), await arena.login("bob", slots=2)
        await ann.ask(Challenge(name="bob", game="connect4", limits=LIMITS))
        rating = (await bob.until(Challenged)).rating
        assert rating == round(arena.ratings.of(CONNECT4)["ann"].rating) > 1500


async def test_there_is_a_ladder_only_where_it_is_turned_on(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        ann, _ = await arena.login("ann")
        refused = await ann.ask(RATED)
        assert isinstance(refused, Error)
        assert "no ladder" in refused.message


async def test_the_ladder_pairs_by_rating(tmp_path: Path) -> None:
    """Nobody is paired at once, nor can choose; then it is the nearest, and who is left waits."""
    records = [
        *(record(number, "ann", "eve", 1, game="tictactoe", moves="a1") for number in range(3)),
        *(record(number, "bob", "eve", 1, game="tictactoe", moves="a1") for number in range(3)),
    ]
    async with Arena(tmp_path, ladder=NO_ANCHOR.model_copy(update={"difference": 2000})) as arena:
        arena.ratings.rate("1", "Cup", records)
        bots = {name: (await arena.login(name))[0] for name in ("ann", "eve", "carl", "bob", "dan")}
        offered = {name: await bot.ask(RATED) for name, bot in bots.items()}
        numbers = {name: dict(event)["offer"] for name, event in offered.items()}
        chosen = await bots["bob"].ask(Accept(offer=numbers["ann"], rated=True))
        assert isinstance(chosen, Error)
        assert arena.lobby.tables == []
        await arena.advance(NO_ANCHOR.every)
        assert (await start(bots["ann"])).opponent == "bob"
        begun = await start(bots["dan"])
        assert (begun.opponent, begun.offer, begun.rated) == ("carl", numbers["dan"], True)
        assert [seek.bot.name for seek in arena.lobby.matchmaker.seeks] == ["eve"]


async def test_a_pair_plays_so_many_rated_games_a_day(tmp_path: Path) -> None:
    ladder = NO_ANCHOR.model_copy(update={"pair_games": 1})
    async with Arena(tmp_path, ladder=ladder) as arena:
        (ann, _), (bob, _) = await arena.login("ann"), await arena.login("bob")
        for bot in (ann, bob):
            await bot.ask(RATED)
        await arena.advance(ladder.every)
        await resigned(arena, ann)
    async with Arena(tmp_path, ladder=ladder) as arena:  # a new server knows it too
        await until(lambda: "1.0" in [getattr(it, "table", "") for it in arena.lobby.feed.latest])
        for name in ("ann", "bob"):
            await asyncio.to_thread(arena.accounts.remove, name)
        (ann, _), (bob, _) = await arena.login("ann"), await arena.login("bob", slots=2)
        refused = await ann.ask(Challenge(name="bob", **TERMS))
        assert isinstance(refused, Error)
        assert refused.message == (
            "no rated game: ann and bob have played 1 rated games in 24 hours"
        )
        for bot in (ann, bob):
            await bot.ask(RATED)
        await arena.advance(ladder.every)
        await arena.advance(ladder.every)
        assert arena.lobby.tables == []
        carl, _ = await arena.login("carl")
        await carl.ask(RATED)
        await arena.advance(ladder.every)
        assert (await start(carl)).opponent in ("ann", "bob")


@pytest.mark.parametrize("is_shared", [False, True], ids=["addresses", "shared-addresses"])
async def test_the_engine_helps_nobody_in_their_own_rated_game(
    tmp_path: Path, is_shared: bool
) -> None:
    ladder = LadderSettings(anchor="", same_address=is_shared)
    async with Arena(tmp_path, ladder=ladder) as arena:
        ann, welcome = await arena.login("ann", host="10.0.0.1")
        bob, _ = await arena.login("bob", host="10.0.0.2")
        beside, away = arena.connect("10.0.0.1"), arena.connect("10.0.0.3")
        for peer in (ann, beside, away):
            await peer.ask(NewGame(game="tictactoe"))
        await bob.ask(Accept(offer=await challenged(ann, bob), rated=True))
        table = (await ann.until(Start)).table
        asked = (Go(limits=Limits(nodes=1)), Eval(), Review())
        for command in asked:
            refusal = await ann.ask(command)
            assert isinstance(refusal, Error)
            whose = "the engine helps nobody while ann plays a rated game of Tic-Tac-Toe"
            assert refusal.message == whose
            said = await beside.ask(command)
            if is_shared:
                assert not isinstance(said, Error)
            else:
                assert isinstance(said, Error)
                assert said.message == f"{whose} from your address"
            assert not isinstance(await away.ask(command), Error)
        ann = arena.connect("10.0.0.3")
        await ann.ask(Resume(session=welcome.session))
        await ann.ask(NewGame(game="tictactoe"))
        for command in asked:
            assert not isinstance(await beside.ask(command), Error)
            assert isinstance(await away.ask(command), Error) != is_shared
        await ann.ask(Resign(table=table))
        await ann.until(Over)
        assert not isinstance(await ann.ask(asked[0]), Error)


class At:
    """A connection from somewhere."""

    heard = 0.0
    round_trip = None

    def __init__(self, network: str | None) -> None:
        self.network = network

    def notify(self, event: object) -> None:
        """Nobody reads it."""


def bot(name: str, *, owner: str = "", network: str | None = None) -> RemoteBot:
    made = RemoteBot(name, TurnedClock(), 30, lambda bot: None)
    made.owner = owner
    made.arrive(At(network))  # type: ignore[arg-type]
    return made


@pytest.mark.parametrize(
    ("one", "other", "changes", "obstacle"),
    [
        (bot("ann"), bot("bob"), {}, ""),
        (bot("ann", owner="x"), bot("bob", owner="y"), {}, ""),
        (bot("ann", owner="x"), bot("bob", owner="X"), {}, "ann and bob have the same owner"),
        (bot("ann", network="1.2.3.4"), bot("bob", network="1.2.3.5"), {}, ""),
        (
            *(bot("ann", network="1.2.3.4"), bot("bob", network="1.2.3.4"), {}),
            "ann and bob come from the same address",
        ),
        (bot("a", network="1.2.3.4"), bot("b", network="1.2.3.4"), {"same_address": True}, ""),
        (bot("strong"), bot("bob"), {}, "the ratings of strong and bob differ by more than 400"),
        (bot("strong"), bot("bob"), {"difference": 401}, ""),
    ],
)
def test_who_may_play_whom(
    one: RemoteBot, other: RemoteBot, changes: dict[str, object], obstacle: str
) -> None:
    ladder = Ladder(LadderSettings.model_validate(changes))
    assert ladder.obstacle(one, other, {"strong": Glicko(1901.0)}) == obstacle


def test_new_opponents_come_before_old_ones() -> None:
    ladder = Ladder(LadderSettings())
    names = ("ann", "bob", "carl", "dan")
    seeks = [
        GameOffer(number, bot(name), None, TICTACTOE, LIMITS, None, True)
        for number, name in enumerate(names)
    ]
    met: set[frozenset[str]] = set()
    for _ in range(3):
        pairs = [(one.bot.name, other.bot.name) for one, other in ladder.pairs(seeks, {})]
        assert len(pairs) == 2
        for pair in pairs:
            ladder.began(pair, datetime.now(UTC))
            met.add(frozenset(pair))
    assert len(met) == 6


@pytest.mark.parametrize("killed", ["before", "after"])
async def test_a_game_counts_once_whenever_the_server_is_killed(
    killed: str, tmp_path: Path
) -> None:
    """Between its end and its rating, or between that and the note of it."""
    ratings = RatingList(tmp_path / "ratings.sqlite")
    ended = record(0, "ann", "bob", 1)
    async with Journal(tmp_path / "games.sqlite", create=True) as journal:
        series = await journal.create("lobby", "{}")
        scheduled = ScheduledGame(0, 1, "connect4", "7x6", ("ann", "bob"), ended.fen, ())
        await journal.schedule(series, [scheduled])
        await journal.start(series, 0)
        await journal.finish(series, ended, is_rated=True)
        if killed == "after":
            key = f"{ended.started} {series}.0"
            ratings.rate(key, "rated game", [ended], is_period=False)
        await GameRater(journal, ratings, TurnedClock()).count()
    assert [rated.games for rated in ratings.latest()["connect4"]] == [1, 1]


async def test_who_is_left_over_plays_the_anchor(tmp_path: Path) -> None:
    ladder = LadderSettings(every=0.01, anchor="random", anchor_rating=1700)
    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path, ladder=ladder)
    accounts, overs = accounts_of(tmp_path), list[Over]()
    ratings = RatingList(ratings_of(tmp_path))
    for _ in range(2):  # the second server makes the anchor's account anew
        async with Server(settings) as server, asyncio.timeout(60):
            ann = ArenaBot(
                "tcp://{}:{}".format(*server.tcp_address),
                *("ann", accounts.add("ann", again=True), RandomPlayer),
                BotOptions(offers=[RATED], on_over=overs.append),
            )
            await ann.run(2)
            await until(partial(_are_counted, ratings, len(overs)))
    assert ratings.of(TICTACTOE)["Anchor"] == Glicko(1700.0, 0.0)
    assert {over.termination for over in overs} == {"normal"}


async def test_an_anchor_takes_games_once_its_engine_is_ready(tmp_path: Path) -> None:
    ladder = LadderSettings(every=0.01, anchor="engine:level=1")
    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path, ladder=ladder)
    overs = list[Over]()
    async with Server(settings) as server, asyncio.timeout(60):
        warmer = FakeWarmer(is_warm=False)
        assert server._anchor is not None
        server._anchor._warmer = server._pool.warmer = warmer  # type: ignore[assignment]
        ann = ArenaBot(
            "tcp://{}:{}".format(*server.tcp_address),
            *("ann", accounts_of(tmp_path).add("ann"), RandomPlayer),
            BotOptions(offers=[RATED], on_over=overs.append),
        )
        playing = asyncio.create_task(ann.run(1))
        await until(lambda: {bot.name for bot in server._arena.bots} == {"ann", "Anchor"})  # type: ignore[union-attr]
        await asyncio.sleep(0.3)
        assert not playing.done()
        assert server._arena is not None
        assert server._arena.tables == []
        await asyncio.to_thread(prepare, TICTACTOE)
        warmer.ready.set_result(None)
        await playing
    assert {over.termination for over in overs} == {"normal"}


async def test_the_anchors_name_is_its_own(tmp_path: Path) -> None:
    await asyncio.to_thread(accounts_of(tmp_path).add, "anchor")
    settings = Settings(
        port=0, websocket_port=0, warmup=False, arena=tmp_path, ladder=LadderSettings()
    )
    with pytest.raises(AccountError, match="there is a bot Anchor already"):
        async with Server(settings):
            pass


async def test_nothing_is_lost_or_counted_twice_when_the_server_is_killed(tmp_path: Path) -> None:
    folder, config, games = tmp_path / "arena", tmp_path / "plywire.toml", 6
    config.write_text(
        """
        warmup = false
        arena_grace = 60.0
        log_level = "warning"
        [ladder]
        every = 0.05
        pair_games = 100
        difference = 4000
        anchor = "random"
        """
    )
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    accounts, overs = accounts_of(folder), list[Over]()
    bots = [
        ArenaBot(
            *(f"tcp://127.0.0.1:{port}", name, accounts.add(name), RandomPlayer),
            BotOptions(
                offers=[RATED],
                slots=2,
                on_over=overs.append,
                backoff=Backoff(attempts=1000, first=0.05, longest=0.2),
            ),
        )
        for name in ("ann", "bob", "carl")
    ]
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    async with asyncio.timeout(120):
        for death in (signal.SIGKILL, signal.SIGTERM):
            server = await asyncio.create_subprocess_exec(
                *(*PLYWIRE, "serve", "--config", str(config), "--arena", str(folder)),
                *("--port", str(port), "--websocket-port", "0"),
            )
            played = len(overs)
            await until(partial(_has_grown, overs, played + games))
            server.send_signal(death)
            await server.wait()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    ratings = RatingList(ratings_of(folder))
    async with Journal(journal_of(folder)) as journal:
        await GameRater(journal, ratings, TurnedClock()).count()
        players = [
            name
            for tournament in await journal.tournaments()
            for result in await journal.results(tournament.id)
            if result.termination != "abort"
            for name in result.players
        ]
    assert {one.player: one.games for one in ratings.latest()["tictactoe"]} == {
        name: players.count(name) for name in set(players)
    }
    assert len(players) >= 2 * games


def _are_counted(ratings: RatingList, games: int) -> bool:
    if not ratings.of(TICTACTOE):
        return False
    return {one.games for one in ratings.latest()["tictactoe"]} == {games}


def _has_grown(overs: list[Over], length: int) -> bool:
    return len(overs) >= length
