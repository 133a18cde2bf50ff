"""A player on GGS, against a server written from its documents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest

from plywire.clients import Backoff
from plywire.clients.errors import CommandError, ConnectionLostError, PlayerCrashedError
from plywire.clients.places.ggs.acceptance import Acceptance
from plywire.clients.places.ggs.bot import Ask, GameOver, GgsBot
from plywire.clients.players.base import GameLine, Player
from plywire.clients.players.local import RandomPlayer
from plywire.engine.registry import load
from plywire.protocol.ggf import read_ggf, write_ggf
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score, Searched
from tests.support.ggs_server import FakeGame, FakeGgs
from tests.support.proxy import Proxy
from tests.support.until import until

RULES = load("othello")
AT_ONCE = Backoff(attempts=50, first=0.02, longest=0.02)
Make = Callable[..., GgsBot]


class Thinker(Player):
    """Plays the first legal move when it is let, and notes what it was asked."""

    name = "thinker"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.told: list[Limits] = []
        self.go = asyncio.Event()
        self.go.set()
        self.failures = 0
        self.started = 0

    async def start(self, game: object) -> None:
        self.started += 1

    async def choose(self, line: GameLine, limits: Limits) -> int:
        self.asked.append(line.position.fen())
        self.told.append(limits)
        if self.failures:
            self.failures -= 1
            raise PlayerCrashedError("out of memory")
        await self.go.wait()
        self.searched = Searched(score=Score(kind="cp", value=-150))
        return line.position.moves()[0]


@pytest.fixture
async def ggs() -> AsyncIterator[FakeGgs]:
    async with FakeGgs() as server:
        yield server


@pytest.fixture
def make(ggs: FakeGgs) -> Make:
    def make(name: str, *, over: list[GameOver] | None = None, **options: Any) -> GgsBot:
        options = {"backoff": AT_ONCE, "make_player": lambda: RandomPlayer(7)} | options
        on_over = (lambda game: None) if over is None else over.append
        port = options.pop("port", ggs.port)
        return GgsBot("127.0.0.1", port, name, "secret", on_over=on_over, **options)

    return make


async def play(*bots: GgsBot, games: int) -> None:
    """The first plays so many games against the others, who play on."""
    async with asyncio.timeout(60):
        others = [asyncio.create_task(bot.run()) for bot in bots[1:]]
        try:
            await bots[0].run(games)
        finally:
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)


def games_of(server: FakeGgs) -> list[FakeGame]:
    return [game for match in server.finished for game in match.games]


def all_moves(server: FakeGgs) -> int:
    matches = [*server.matches.values(), *server.finished, *server.stored.values()]
    return sum(len(game.moves) for match in matches for game in match.games)


async def test_a_game(ggs: FakeGgs, make: Make) -> None:
    over: list[GameOver] = []
    ann = make("ann", asks=[Ask.parse("8b 05:00//02:00 bob")], over=over)
    await play(ann, make("bob"), games=1)
    (game,) = games_of(ggs)
    assert game.names == ("ann", "bob")
    assert game.position.is_over
    assert ggs.faults == []
    (ours,) = over
    assert ours.line.position == game.position
    assert (ours.players, ours.me, ours.score) == (("ann", "bob"), 0, game.score)
    written = read_ggf(write_ggf(ours.as_ggf("GGS")))
    assert (written.names, written.black) == (ours.line.names, "ann")
    assert float(written.result) == game.score


async def test_what_the_server_is_told(ggs: FakeGgs, make: Make) -> None:
    ann = make("ann", asks=[Ask.parse("s8r20 05:00/00:10/02:00")], slots=2, rated=True)
    bob = make("bob", make_player=Thinker)
    await play(ann, bob, games=2)
    told = ggs.commands("ann")
    assert told[:2] == ["vt100 -", "verbose -news -faq -help"]
    for command in ("trust +", "rated +", "open 2", "ask s8r20 05:00/00:10/02:00"):
        assert f"tell /os {command}" in told
    moves = [text.split()[-1] for text in ggs.commands("bob") if " play " in text]
    square, score, seconds = next(move for move in moves if move != "PA").split("/")
    assert len(square) == 2
    assert score == "-1.50"
    assert 0 <= float(seconds) < 60


async def test_synchro_and_random_starts_several_at_once(ggs: FakeGgs, make: Make) -> None:
    over: list[GameOver] = []
    asks = [Ask.parse(f"{type_} 05:00//02:00") for type_ in ("s8r20", "8r14", "s8", "8")]
    await play(make("ann", asks=asks, slots=3, over=over), make("bob", slots=3), games=6)
    assert len(over) >= 6
    assert all(game.position.is_over for game in games_of(ggs))
    pair = next(match for match in ggs.finished if match.type == "s8r20").games
    assert pair[0].names == pair[1].names[::-1]
    assert pair[0].start == pair[1].start
    assert 64 - pair[0].start.plies_left == 20
    assert {"illegal" in fault for fault in ggs.faults} <= {False}


async def test_passes_are_sent_without_asking(ggs: FakeGgs, make: Make) -> None:
    thinker = Thinker()
    ask = Ask.parse("8 05:00//02:00")
    for seed in range(20):
        ann = make("ann", asks=[ask], make_player=lambda: thinker)
        await play(ann, make("bob", make_player=lambda seed=seed: RandomPlayer(seed)), games=1)
        sent = [text.split()[-1] for text in ggs.commands("ann") if " play " in text]
        if "PA" in sent:
            break
    assert "PA" in sent
    assert len(thinker.asked) == len(sent) - sent.count("PA")


async def test_the_line_drops_in_the_middle(ggs: FakeGgs, make: Make) -> None:
    """What is broken off goes on, whoever was lost, and comes before other matches."""
    over: list[GameOver] = []
    asks = [Ask.parse("s8r20 05:00//02:00 bob"), Ask.parse("8 05:00//02:00 bob")]

    async def cut() -> None:
        for number, name in enumerate(("ann", "bob", "ann", "ann", "bob"), 1):
            await until(lambda number=number: all_moves(ggs) >= 20 * number and ggs.matches)
            ggs.cut(name)

    cutting = asyncio.create_task(cut())
    await play(make("ann", asks=asks, over=over), make("bob"), games=5)
    await cutting
    assert ggs.broken_off == 5
    assert not ggs.stored
    assert all(game.position.is_over for game in games_of(ggs))
    ended = {game.id: game.position for game in games_of(ggs)}
    assert {game.id: game.line.position for game in over} == ended
    assert all(game.line.start in {one.start for one in games_of(ggs)} for game in over)
    assert not [fault for fault in ggs.faults if "illegal" in fault or "your turn" in fault]


@pytest.mark.parametrize("tournament", [False, True])
async def test_a_search_goes_on_while_the_line_is_lost(
    ggs: FakeGgs, make: Make, tournament: bool
) -> None:
    ggs.tournament = tournament
    thinker = Thinker()
    thinker.go.clear()
    ann = make("ann", make_player=lambda: thinker)
    bob = make("bob", asks=[Ask.parse("8w 05:00//02:00 ann")])
    playing = asyncio.create_task(play(ann, bob, games=1))
    await until(lambda: thinker.asked)
    ggs.cut("ann")
    await until(lambda: ggs.connected == 3 and ggs.matches and "ann" in ggs.peers)
    thinker.go.set()
    await playing
    (game,) = games_of(ggs)
    assert game.position.is_over
    assert len(thinker.asked) == len(set(thinker.asked))
    assert ggs.broken_off == (0 if tournament else 1)


async def test_an_answer_that_was_lost_is_sent_again(ggs: FakeGgs, make: Make) -> None:
    ggs.tournament = True
    thinker = Thinker()
    async with Proxy("127.0.0.1", ggs.port) as proxy:
        ann = make("ann", make_player=lambda: thinker, port=proxy.port)
        bob = make("bob", asks=[Ask.parse("8w 05:00//02:00 ann")])
        thinker.go.clear()
        playing = asyncio.create_task(play(ann, bob, games=1))
        await until(lambda: thinker.asked)
        proxy.hold()  # the move does not arrive
        thinker.go.set()
        await until(lambda: ann._games and next(iter(ann._games.values())).answer)
        proxy.cut()
        await playing
    assert len(thinker.asked) == len(set(thinker.asked))
    assert games_of(ggs)[0].position.is_over


async def test_a_silent_line_is_made_again(ggs: FakeGgs, make: Make) -> None:
    thinker = Thinker()
    thinker.go.clear()
    async with Proxy("127.0.0.1", ggs.port) as proxy:
        ann = make("ann", make_player=lambda: thinker, port=proxy.port, silence=0.1, timeout=1)
        bob = make("bob", asks=[Ask.parse("8w 05:00//02:00 ann")])
        playing = asyncio.create_task(play(ann, bob, games=1))
        await until(lambda: thinker.asked)
        proxy.silence()
        await until(lambda: proxy.connections > 1)
        thinker.go.set()
        await playing
    assert games_of(ggs)[0].position.is_over


async def test_nothing_is_told_before_the_login(make: Make) -> None:
    """A move that is found meanwhile would be taken for the name."""
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            heard.append(line)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    bot = make("ann", port=port)
    playing = asyncio.create_task(bot.run())
    await until(lambda: bot._transport is not None)
    await bot._say("play .2 D3")
    await bot._write("ann")
    await until(lambda: heard)
    assert heard == [b"ann\n"]
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    server.close()
    await server.wait_closed()


async def test_the_clock_that_the_server_shows_is_kept(make: Make) -> None:
    now = 1000.0
    async with FakeGgs(now=lambda: now) as ggs:
        thinker = Thinker()
        ann = make("ann", make_player=lambda: thinker, port=ggs.port)
        bob = make("bob", asks=[Ask.parse("8w 00:30/00:02/01:00 ann")], port=ggs.port)
        thinker.go.clear()
        playing = asyncio.create_task(play(ann, bob, games=1))
        for spent in (5.0, 27.5, 0.0):
            asked = len(thinker.asked)
            await until(lambda asked=asked: len(thinker.asked) > max(asked - 1, 0))
            now += spent
            thinker.go.set()
            await until(lambda asked=asked: len(thinker.asked) > asked)
            thinker.go.clear()
            if not spent:
                break
        thinker.go.set()
        await playing
        (game,) = games_of(ggs)
    clocks = [limits.clock for limits in thinker.told]
    assert clocks[0] is not None
    # Told whole seconds, less what is kept back and a little that passed on the way.
    assert 29_000 <= clocks[0].p1 <= 29_500
    assert (clocks[0].p2, clocks[0].inc1, clocks[0].inc2) == (29_500, 2_000, 2_000)
    assert game.clocks[0].extension <= 60


async def test_in_the_extension_it_lives_on_that(ggs: FakeGgs, make: Make) -> None:
    thinker = Thinker()
    ann = make("ann", make_player=lambda: thinker)
    playing = asyncio.create_task(ann.run())
    await until(lambda: "ann" in ggs.peers)
    board = games_board("00:00,0:0//00:40,0:0")
    ggs.peers["ann"].send("/os: join .7 8 K?", board)
    await until(lambda: thinker.told)
    clock = thinker.told[0].clock
    assert isinstance(clock, Clock)
    assert 38_000 <= clock.p1 <= 39_500
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing


def games_board(clock: str) -> list[str]:
    game = FakeGame(".7", ("ann", "bob"), RULES.start(), (clock, clock), clock)  # type: ignore[arg-type]
    return game.join()


async def test_limits_of_the_player_count_beside_the_clock(ggs: FakeGgs, make: Make) -> None:
    thinker = Thinker()
    thinker.limits = Limits(depth=3)
    ann = make("ann", make_player=lambda: thinker, asks=[Ask.parse("8 05:00//02:00")])
    await play(ann, make("bob"), games=1)
    assert {limits.depth for limits in thinker.told} == {3}
    assert all(limits.clock is not None for limits in thinker.told)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("ask 8 05:00//02:00 ann", "accept"),
        ("ask 10 05:00//02:00 ann", "decline"),
        ("ask 8k 05:00//02:00 ann", "decline"),
        ("ask 8 00:01//02:00 ann", "decline"),
        ("ask 8 05:00//02:00", "accept"),
    ],
)
async def test_requests_are_accepted_by_rules(
    ggs: FakeGgs, make: Make, request_: str, answer: str
) -> None:
    ann = make("ann", objection=Acceptance(initial=(60, 900)).objection)
    playing = asyncio.create_task(ann.run())
    reader, writer = await asyncio.open_connection("127.0.0.1", ggs.port)
    writer.write(b"carl\nsecret\ntell /os open 1\n")
    await until(lambda: "tell /os open 1" in ggs.commands("ann") and "carl" in ggs.peers)
    writer.write(f"tell /os {request_}\n".encode())
    await until(lambda: any(f"/os {answer} " in text for text in ggs.commands("ann")))
    writer.close()
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    assert reader is not None


async def test_talk_is_answered_once_or_not_at_all(ggs: FakeGgs, make: Make) -> None:
    lines: list[str] = []
    ann = make("ann", reply="I am a program.", on_line=lambda mark, line: lines.append(mark + line))
    playing = asyncio.create_task(ann.run())
    await until(lambda: "ann" in ggs.peers)
    for text in ("bob: hi", "bob: hi?", ".chat bob: all", "ann: me", "carl: you", "/td: round 1"):
        ggs.peers["ann"].send(text)
    await until(lambda: "tell carl I am a program." in ggs.commands("ann"))
    assert [text for text in ggs.commands("ann") if text.startswith("tell bob")] == [
        "tell bob I am a program."
    ]
    assert "<.chat bob: all" in lines
    assert ">********" in lines
    assert not any("secret" in line for line in lines)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing


HOSTILE = [
    "x" * 1_000_000,
    "\x1b[2J\x1b]0;title\x07/os: end .1 ( ann vs. bob ) +64",
    "\x00\x01\x02",
    "/os: end .999 ( ann vs. bob ) +64.00",
    "/os: - match .999 1 ann 1 bob 8 U +64.00",
    "/os: - match .998 1 ann 1 bob 8 U bob left .1",
    "/os: end .2.7.8 ( ann",
    "/os: update .2 8 K?\r\n|nothing",
    "/os: join .3 8 K?\r\n" + "|\r\n" * 1000,
    "/os: join .4 8 K?\r\n|ann (1 *) 1:00\r\n|bob (1 O) 1:00\r\n"
    + "".join(f"| {row} - - - - - - - - {row} \r\n" for row in range(1, 9))
    + "|* to move",
    "/os: join .6 8 K?\r\n|eve (1 *) 1:00\r\n|bob (1 O) 1:00\r\n|* to move",
    "/os: + .99999999999999999999 1 eve 1:00 8 U",
    "/os: + .8 1 eve 99999999999999:00 8 U",
    "/os: stored 9 ann\r\n|.1 2 3 4 5 6 7 8",
    "/os: ERR " + "%s{}" * 50,
    "READY",
    "(;GM[Othello]PC[",
    ": ERR",
]


async def test_hostile_lines_do_no_harm(ggs: FakeGgs, make: Make) -> None:
    over: list[GameOver] = []
    bob = Thinker()
    bob.go.clear()
    ann = make("ann", asks=[Ask.parse("8 05:00//02:00")], over=over)
    playing = asyncio.create_task(play(ann, make("bob", make_player=lambda: bob), games=1))
    await until(lambda: bob.asked)
    for text in HOSTILE:
        ggs.peers["ann"].raw(f"{text}\r\nREADY\r\n")
    bob.go.set()
    await playing
    (game,) = games_of(ggs)
    assert game.position.is_over
    assert [one.line.position for one in over] == [game.position]


async def test_no_more_games_than_can_be_played(ggs: FakeGgs, make: Make) -> None:
    """A server may show any number of games of ours."""
    made: list[Thinker] = []

    def thinker() -> Thinker:
        made.append(Thinker())
        made[-1].go.clear()
        return made[-1]

    ann = make("ann", make_player=thinker)
    playing = asyncio.create_task(ann.run())
    await until(lambda: "ann" in ggs.peers)
    board = games_board("05:00,0:0//00:40,0:0")
    for number in range(200):
        ggs.peers["ann"].send(f"/os: join .{number} 8 K?", board)
        ggs.peers["ann"].send(f"/os: + {number} 1 ann 1:00 8 U")
    ggs.peers["ann"].send("bob: done")
    await until(lambda: sum(len(one.asked) for one in made) == 64)
    assert len(made) <= 65
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing


async def test_a_player_that_fails_is_started_again(ggs: FakeGgs, make: Make) -> None:
    thinker = Thinker()
    thinker.failures = 2
    over: list[GameOver] = []
    ann = make("ann", make_player=lambda: thinker, over=over)
    await play(ann, make("bob", asks=[Ask.parse("8 05:00//02:00 ann")]), games=1)
    assert over[0].reason == ""
    assert games_of(ggs)[0].position.is_over


async def test_a_player_that_fails_for_good_resigns(ggs: FakeGgs, make: Make) -> None:
    thinker = Thinker()
    thinker.failures = 10**6
    over: list[GameOver] = []
    ann = make("ann", make_player=lambda: thinker, over=over)
    await play(ann, make("bob", asks=[Ask.parse("8 05:00//02:00 ann")]), games=1)
    assert (over[0].score, over[0].reason) == (-64, "ann resigned")
    assert len(thinker.asked) == 3


async def test_a_refused_login_is_for_good(make: Make) -> None:
    async with FakeGgs(passwords={"ann": "other"}) as ggs:
        with pytest.raises(CommandError, match="Password is incorrect"):
            await make("ann", port=ggs.port).run()
        assert ggs.connected == 1


async def test_a_server_that_is_not_there(make: Make) -> None:
    async with FakeGgs() as gone:
        port = gone.port
    backoff = Backoff(attempts=3, first=0.001)
    with pytest.raises(ConnectionLostError, match=f"no connection to 127.0.0.1:{port}"):
        await make("ann", port=port, backoff=backoff).run()


async def test_an_error_of_who_is_told_ends_it(ggs: FakeGgs, make: Make) -> None:
    def full(over: GameOver) -> None:
        raise OSError("no space left")

    class Refusing(list[GameOver]):
        append = staticmethod(full)  # type: ignore[assignment]

    ann = make("ann", asks=[Ask.parse("8 05:00//02:00")], over=Refusing())
    with pytest.raises(OSError, match="no space left"):
        await play(ann, make("bob"), games=1)


@pytest.mark.parametrize("text", ["", "8", "8 5 bob x", "9x 5", "8 x"])
def test_what_to_ask_for(text: str) -> None:
    with pytest.raises(ValueError, match="write"):
        Ask.parse(text)
