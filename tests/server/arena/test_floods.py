"""Nobody loses a game, or a connection, by messages of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plywire.protocol.messages.arena import (
    Challenge,
    Challenged,
    Guest,
    Missed,
    Offered,
    Over,
    Play,
    Resign,
    Said,
    Say,
    Seek,
    Turn,
    Withdraw,
    Withdrawn,
)
from plywire.protocol.messages.base import Error, ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Ok, Ping, Pong
from plywire.protocol.messages.watching import Recall, Status, Watch
from tests.support.arena import Arena, Connection, Game
from tests.support.peers import settings

#: What may wait for a peer before the peer is hung up.
MAX_UNSENT = 2**14
SEEK = Seek(game="tictactoe", limits=Limits(movetime=1000))
CHALLENGE = Challenge(name="ann", game="tictactoe", limits=Limits(movetime=1000))


def arena_in(folder: Path, **options: Any) -> Arena:
    chosen = settings(idle_time=0, messages_per_second=0, max_unsent=MAX_UNSENT)
    return Arena(folder, chosen=chosen, **options)


async def plays_on(game: Game) -> None:
    """Ann, who has not read for a while, finds her turn and moves."""
    game.ann.reading.set()
    assert isinstance(await game.ann.ask(Play(table=game.table, turn=0, move="b2")), Ok)
    await game.bob.until(Turn, turn=1)
    assert isinstance(await game.ann.ask(Ping()), Pong)
    assert not [event for event in game.ann.heard if isinstance(event, Over)]


async def fill_by_feed(arena: Arena, watcher: Connection) -> None:
    """Have a watcher, which does not read, be told of more than may wait for it."""
    await watcher.ask(Watch())
    watcher.reading.clear()
    status = arena.lobby.feed.latest_of("status")
    assert isinstance(status, Status)
    for number in range(500):
        arena.lobby.feed.publish(status.model_copy(update={"bots": number}))
        await arena.advance(0)


def heard(connection: Connection, kind: type[Any]) -> list[Any]:
    return [event for event in connection.heard if isinstance(event, kind)]


async def test_an_opponent_that_talks_all_the_time_ends_no_game(tmp_path: Path) -> None:
    async with arena_in(tmp_path) as arena:
        game = await arena.game(movetime=1_000_000)
        game.ann.reading.clear()
        for number in range(200):
            say = Say(table=game.table, text=f"{number} {'x' * 400}")
            assert isinstance(await game.bob.ask(say), Ok)
            await arena.advance(1)
        await plays_on(game)
        told = [int(event.text.partition(" ")[0]) for event in heard(game.ann, Said)]
        (missed,) = heard(game.ann, Missed)
        assert told == sorted(told)
        assert told[-1] == 199
        assert len(told) + missed.count == 200
        assert sum(len(event.text) for event in heard(game.ann, Said)) < 2 * MAX_UNSENT


async def test_challenges_that_are_taken_back_end_no_game(tmp_path: Path) -> None:
    async with arena_in(tmp_path, guests=24) as arena:
        game = await arena.game(movetime=1_000_000)
        guests = [arena.connect() for _ in range(6)]
        for guest in guests:
            await guest.ask(Guest(name="g"))
        game.ann.reading.clear()
        for _ in range(60):
            for guest in guests:
                offered: Any = await guest.ask(CHALLENGE)
                assert isinstance(await guest.ask(Withdraw(offer=offered.offer)), Ok)
        await plays_on(game)
        told = heard(game.ann, Challenged) + heard(game.ann, Withdrawn)
        (missed,) = heard(game.ann, Missed)
        assert len(told) + missed.count == 2 * 6 * 60


async def test_who_reads_misses_nothing(tmp_path: Path) -> None:
    async with arena_in(tmp_path) as arena:
        game = await arena.game(movetime=1_000_000)
        for number in range(100):
            await game.bob.ask(Say(table=game.table, text=str(number)))
            await game.ann.until(Said, text=str(number))
            await game.ann.ask(Ping())
            await arena.advance(1)
        assert not heard(game.ann, Missed)


async def test_a_player_that_watches_all_games_is_not_hung_up(tmp_path: Path) -> None:
    async with arena_in(tmp_path) as arena:
        game = await arena.game(movetime=1_000_000)
        await fill_by_feed(arena, game.ann)
        await game.bob.ask(Resign(table=game.table))
        await game.bob.until(Over)
        game.ann.reading.set()
        await game.ann.until(Over)
        assert isinstance(await game.ann.ask(Ping()), Pong)


async def test_a_watcher_that_asks_for_a_game_is_waited_for(tmp_path: Path) -> None:
    async with arena_in(tmp_path) as arena:
        game = await arena.game(movetime=1_000_000)
        watcher = arena.connect()
        await fill_by_feed(arena, watcher)
        await watcher.give(Recall(table=game.table))
        await arena.advance(0)
        watcher.reading.set()
        assert isinstance(await watcher.ask(Ping()), Pong)


async def test_talk_and_challenges_are_limited(tmp_path: Path) -> None:
    async with arena_in(tmp_path, guests=4) as arena:
        game = await arena.game(movetime=1_000_000)
        answers: list[Any] = [
            await game.bob.ask(Say(table=game.table, text="hello")) for _ in range(6)
        ]
        assert [type(answer) for answer in answers] == [Ok] * 5 + [Error]
        assert answers[5].code is ErrorCode.TOO_MANY
        assert answers[5].message == "too many lines: 1 a second at a table is accepted"
        await arena.advance(1)
        assert isinstance(await game.bob.ask(Say(table=game.table, text="again")), Ok)
        carl, _ = await arena.login("carl")
        for _ in range(64):
            offered: Any = await carl.ask(CHALLENGE)
            await carl.ask(Withdraw(offer=offered.offer))
        refused: Any = await carl.ask(CHALLENGE)
        assert refused.code is ErrorCode.TOO_MANY
        assert refused.message == "too many offers: 2 a second are accepted"
        guest = arena.connect()
        await guest.ask(Guest(name="g"))
        answers = []
        for _ in range(65):
            answers.append(await guest.ask(SEEK))
            await guest.ask(Withdraw(offer=getattr(answers[-1], "offer", 1)))
        assert [type(answer) for answer in answers] == [Offered] * 64 + [Error]
