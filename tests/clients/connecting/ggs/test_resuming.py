"""Games that were broken off go on."""

from __future__ import annotations

import asyncio

import pytest

from plywire.clients.connecting.ggs.ask import Ask
from plywire.clients.connecting.ggs.game import GameOver
from tests.support.ggs_bots import Make, Thinker, all_moves, games_of, play
from tests.support.ggs_server import FakeGgs
from tests.support.proxy import Proxy
from tests.support.until import until


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
        await until(lambda: any(game.answer for game in ann._matches.games.values()))
        proxy.cut()
        await playing
    assert len(thinker.asked) == len(set(thinker.asked))
    assert games_of(ggs)[0].position.is_over
