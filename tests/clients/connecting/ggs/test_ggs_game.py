"""One game: its clock, its limits, passes, and players that fail."""

from __future__ import annotations

import asyncio

from plywire.clients.connecting.ggs.ask import Ask
from plywire.clients.connecting.ggs.game import GameOver
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.limits import Clock, Limits
from tests.support.ggs_bots import Make, Thinker, games_board, games_of, play, playing_on
from tests.support.ggs_server import FakeGgs
from tests.support.until import until


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
    async with playing_on(ann):
        await until(lambda: "ann" in ggs.peers)
        board = games_board("00:00,0:0//00:40,0:0")
        ggs.peers["ann"].send("/os: join .7 8 K?", board)
        await until(lambda: thinker.told)
        clock = thinker.told[0].clock
        assert isinstance(clock, Clock)
        assert 38_000 <= clock.p1 <= 39_500


async def test_limits_of_the_player_count_beside_the_clock(ggs: FakeGgs, make: Make) -> None:
    thinker = Thinker()
    thinker.limits = Limits(depth=3)
    ann = make("ann", make_player=lambda: thinker, asks=[Ask.parse("8 05:00//02:00")])
    await play(ann, make("bob"), games=1)
    assert {limits.depth for limits in thinker.told} == {3}
    assert all(limits.clock is not None for limits in thinker.told)


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


async def test_an_illegal_move_is_not_asked_for_again(ggs: FakeGgs, make: Make) -> None:
    class Careless(Thinker):
        async def choose(self, line: GameLine, limits: Limits) -> int:
            await super().choose(line, limits)
            return 99

    careless = Careless()
    over: list[GameOver] = []
    ann = make("ann", make_player=lambda: careless, over=over)
    await play(ann, make("bob", asks=[Ask.parse("8 05:00//02:00 ann")]), games=1)
    assert (over[0].score, over[0].reason) == (-64, "ann resigned")
    assert len(careless.asked) == 1
