"""The referee of games that were cut off, that are written down as they go, or adjudicated."""

from __future__ import annotations

import asyncio

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import IllegalMoveError, Result
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from tests.support.scripted_players import Scripted
from tests.support.turned_clock import TurnedClock

GAME = load("tictactoe")
START = GameLine.at(GAME.start())
CLOCK = TimeControl(Limits(clock=Clock(p1=1000, p2=2000, inc1=10, inc2=20)))


def squares(*names: str) -> list[int]:
    line = START
    for name in names:
        line = line.play(GAME.parse_move(line.position, name))
    return list(line.moves)


async def test_a_game_goes_on_with_its_moves_and_clocks() -> None:
    one, two = Scripted(["c3", "b3"], "one"), Scripted(["b1", "c1"], "two")
    played = list(zip(squares("a1", "a2", "a3"), (100, 300, 200), strict=True))
    record = await Referee(GAME, CLOCK, clock=TurnedClock()).play(
        (one, two), START, 5, played=played
    )
    assert record.moves[:3] == ("a1", "a2", "a3")
    assert record.times[:3] == (100, 300, 200)
    assert record.termination is Termination.NORMAL
    told = two.told[0].clock
    assert told is not None
    # What is left after the moves made before, with their increments.
    assert (told.p1, told.p2) == (1000 - 100 + 10 - 200 + 10, 2000 - 300 + 20)


async def test_a_game_cut_off_after_its_last_move_asks_nobody() -> None:
    one, two = Scripted([]), Scripted([])
    played = [(move, 1) for move in squares("a1", "a2", "b1", "b2", "c1")]
    record = await Referee(GAME, CLOCK).play((one, two), START, played=played)
    assert record.winner == 1
    assert one.told == two.told == []


async def test_what_is_no_course_of_a_game_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        await Referee(GAME, CLOCK).play(
            (Scripted([]), Scripted([])), START, played=[(squares("a1")[0], 1)] * 2
        )


@pytest.mark.parametrize("is_elsewhere", [False, True])
async def test_a_move_is_kept_before_anybody_elsewhere_learns_of_it(is_elsewhere: bool) -> None:
    order: list[str] = []
    one = Scripted(["a1", "b1", "c1"], before=lambda: order.append("one"))
    two = Scripted(["a2", "b2"], before=lambda: order.append("two"))
    two.is_elsewhere = is_elsewhere

    async def on_move(line: GameLine, ms: int) -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        order.append(line.names[-1])

    record = await Referee(GAME, CLOCK).play((one, two), START, on_move=on_move)
    kept = [step for step in order if step not in ("one", "two")]
    assert tuple(kept) == record.moves == ("a1", "a2", "b1", "b2", "c1")
    # Who is elsewhere is asked when the move is kept; who is here may think about it meanwhile.
    assert (order[:3] == ["one", "a1", "two"]) == is_elsewhere
    assert (order[:2] == ["one", "two"]) == (not is_elsewhere)


async def test_the_disk_is_nobodys_time_and_nobodys_fault() -> None:
    time = TurnedClock()

    async def slow(line: GameLine, ms: int) -> None:
        await asyncio.sleep(0)
        time.pass_by(9)

    async def full(line: GameLine, ms: int) -> None:
        raise OSError("the disk is full")

    one, two = Scripted(["a1", "b1", "c1"]), Scripted(["a2", "b2"])
    one.is_elsewhere = two.is_elsewhere = True
    referee = Referee(GAME, CLOCK, clock=time)
    record = await referee.play((one, two), START, on_move=slow)
    assert record.times == (0,) * 5
    with pytest.raises(OSError, match="the disk is full"):
        await referee.play((one, two), START, on_move=full)


async def test_a_game_waits_for_a_disk_that_is_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywire.clients.play.matches.game_host.LoopHost._AHEAD", 2)
    asked: list[str] = []
    disk = asyncio.Event()

    async def on_move(line: GameLine, ms: int) -> None:
        asked.append(line.names[-1])
        await disk.wait()

    players = Scripted(["a1", "b1", "c1"]), Scripted(["a2", "b2"])
    game = asyncio.ensure_future(Referee(GAME, CLOCK).play(players, START, on_move=on_move))
    for _ in range(100):
        await asyncio.sleep(0)
    assert asked == ["a1", "a2", "b1"]
    disk.set()
    assert list((await game).moves) == ["a1", "a2", "b1", "b2", "c1"] == asked


async def test_the_last_move_is_kept_before_a_failure_ends_the_game() -> None:
    order: list[str] = []

    async def on_move(line: GameLine, ms: int) -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        order.append(line.names[-1])

    players = Scripted(["a1"]), Scripted([])  # the second has no move
    record = await Referee(GAME, CLOCK).play(players, START, on_move=on_move)
    assert record.termination is Termination.CRASH
    assert tuple(order) == record.moves == ("a1",)


async def test_what_cannot_be_written_down_blames_nobody() -> None:
    async def on_move(line: GameLine, ms: int) -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        await Referee(GAME, CLOCK).play((Scripted(["a1"]), Scripted([])), START, on_move=on_move)


async def test_a_proven_game_is_adjudicated() -> None:
    def adjudicate(line: GameLine) -> Result | None:
        return Result(1, -1, "proven") if len(line.moves) == 2 else None

    record = await Referee(GAME, CLOCK, adjudicate=adjudicate).play(
        (Scripted(["a1"]), Scripted(["a2"])), START
    )
    assert (record.winner, record.score, record.reason) == (2, -1, "proven")
    assert record.termination is Termination.ADJUDICATION
    assert not record.termination.is_failure
    assert len(record.moves) == 2
