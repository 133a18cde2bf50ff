"""Games between players of one process, each in a thread of its own."""

import asyncio
import gc
import threading
from collections.abc import Callable
from functools import partial

import pytest

from plywire.clients.play.errors import PlayerGarbledError, Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import EnginePlayer
from plywire.engine.game import Result
from plywire.engine.registry import load
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Clock, Limits
from tests.support.scripted_players import LocalScripted, Scripted
from tests.support.turned_clock import TurnedClock

GAME = load("connect4")
START = GameLine.at(GAME.start())


async def played(first: LocalScripted, second: LocalScripted, **control: object) -> GameRecord:
    return await Referee(GAME, TimeControl(**control)).play((first, second), START)  # type: ignore[arg-type]


async def test_a_game_takes_one_thread_and_not_that_of_the_loop() -> None:
    threads: list[threading.Thread] = []

    def note(stop: Stop) -> None:
        threads.append(threading.current_thread())

    record = await played(LocalScripted("4444", before=note), LocalScripted("111", before=note))
    assert record.moves == tuple("4141414")
    assert len(threads) == 7
    assert len(set(threads)) == 1
    assert threads[0] is not threading.current_thread()


async def test_the_record_is_that_of_a_game_on_the_loop() -> None:
    async def play(make: Callable[..., LocalScripted | Scripted]) -> GameRecord:
        time = TurnedClock()
        control = TimeControl(Limits(clock=Clock(p1=9_000, p2=9_000, inc1=100, inc2=200)))
        referee = Referee(GAME, control, clock=time)
        players = (
            make("4444", "A", before=lambda *_: time.pass_by(1)),
            make("111", "B", before=lambda *_: time.pass_by(2)),
        )
        record = await referee.play(players, START, 7, played=[(0, 12)])
        told = [limits.model_dump() for player in players for limits in player.told]
        tellings.append(told)
        return record

    tellings: list[list[dict[str, object]]] = []
    assert await play(LocalScripted) == await play(Scripted)
    assert tellings[0] == tellings[1] != []


def garble(stop: Stop) -> None:
    raise PlayerGarbledError("gone")


def crash(stop: Stop) -> None:
    raise ZeroDivisionError("gone")


@pytest.mark.parametrize(
    ("before", "termination", "reason"),
    [
        (garble, Termination.GARBAGE, "B: gone"),
        (crash, Termination.CRASH, "B: ZeroDivisionError: gone"),
        (Stop.wait, Termination.STALL, "B: no answer in 10 ms"),
    ],
)
async def test_failures_are_blamed(
    before: Callable[[Stop], object], termination: Termination, reason: str
) -> None:
    culprit = LocalScripted("1", "B", before)
    record = await played(LocalScripted("4", "A"), culprit, patience=10)
    assert (record.termination, record.reason) == (termination, reason)
    assert (record.winner, record.moves) == (1, ("4",))


async def test_a_flag_falls() -> None:
    slow = LocalScripted("1", "slow", Stop.wait)
    record = await played(
        slow, LocalScripted("1"), limits=Limits(movetime=10), margin=5, flag_falls=True
    )
    assert record.termination is Termination.TIME
    assert record.reason == "slow: no move came in its 10 ms"


async def test_a_search_without_limits_is_ended_when_patience_is_over() -> None:
    players = EnginePlayer(hash_mb=1, book=False, name="A"), LocalScripted("1", "B")
    control = TimeControl(Limits(infinite=True), patience=200)
    game = load("othello")
    await players[0].start(game)  # compiled, should it be that: the clock is not for that
    record = await Referee(game, control).play(players, GameLine.at(game.start()))
    assert record.reason == "A: no answer in 200 ms"


async def test_players_do_not_wait_for_the_disk_but_the_end_does() -> None:
    disk = asyncio.Event()
    loop = asyncio.get_running_loop()
    order: list[str] = []

    async def on_move(line: GameLine, ms: int) -> None:
        await disk.wait()
        order.append(line.names[-1])

    def last_move_is_asked_for(stop: Stop) -> None:
        if len(first.told) == 4:
            order.append("asked")
            loop.call_soon_threadsafe(disk.set)

    first = LocalScripted("4444", before=last_move_is_asked_for)
    referee = Referee(GAME, TimeControl())
    record = await referee.play((first, LocalScripted("111")), START, on_move=on_move)
    assert order == ["asked", *record.moves]


async def test_moves_are_kept_while_a_player_thinks() -> None:
    kept = threading.Event()

    async def on_move(line: GameLine, ms: int) -> None:
        kept.set()

    players = LocalScripted("4444"), LocalScripted("111", before=lambda stop: kept.wait())
    record = await Referee(GAME, TimeControl()).play(players, START, on_move=on_move)
    assert record.termination is Termination.NORMAL


async def test_what_cannot_be_kept_ends_the_game_and_blames_nobody() -> None:
    async def on_move(line: GameLine, ms: int) -> None:
        raise OSError("the disk is full")

    players = LocalScripted("4444"), LocalScripted("111", before=Stop.wait)
    with pytest.raises(OSError, match="the disk is full"):
        await Referee(GAME, TimeControl()).play(players, START, on_move=on_move)


async def test_a_cancelled_game_ends_with_its_thread() -> None:
    loop = asyncio.get_running_loop()
    thinking = asyncio.Event()
    left = threading.Event()

    def think(stop: Stop) -> None:
        loop.call_soon_threadsafe(thinking.set)
        stop.wait()
        left.set()

    players = LocalScripted("4444", before=think), LocalScripted("111")
    game = asyncio.ensure_future(Referee(GAME, TimeControl()).play(players, START))
    await thinking.wait()
    game.cancel()
    with pytest.raises(asyncio.CancelledError):
        await game
    assert left.is_set()
    assert len(players[0].told) == 1


async def test_it_is_adjudicated_there() -> None:
    def adjudicate(line: GameLine) -> Result | None:
        return Result(1, -1, "proven") if len(line.moves) == 2 else None

    referee = Referee(GAME, TimeControl(), adjudicate=adjudicate)
    record = await referee.play((LocalScripted("4444"), LocalScripted("111")), START)
    assert (record.winner, record.reason) == (2, "proven")
    assert record.termination is Termination.ADJUDICATION


async def test_giving_a_game_up_leaves_no_complaint_behind() -> None:
    loop = asyncio.get_running_loop()
    complaints: list[object] = []
    loop.set_exception_handler(lambda loop, context: complaints.append(context))
    for _ in range(20):
        thinking = asyncio.Event()
        player = LocalScripted("4444", before=partial(_tell_and_wait, loop, thinking))
        game = asyncio.ensure_future(
            Referee(GAME, TimeControl()).play((player, LocalScripted("111")), START)
        )
        await thinking.wait()
        game.cancel()
        await asyncio.gather(game, return_exceptions=True)
        del game
    gc.collect()
    assert not complaints


def _tell_and_wait(loop: asyncio.AbstractEventLoop, thinking: asyncio.Event, stop: Stop) -> None:
    loop.call_soon_threadsafe(thinking.set)
    stop.wait()
