"""The referee: results, clocks and blame."""

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest

from plywire.clients.play.errors import (
    GameEndedError,
    PlayerCrashedError,
    PlayerError,
    PlayerGarbledError,
    PlayerIllegalMoveError,
    PlayerStalledError,
    Termination,
)
from plywire.clients.play.matches.clock import RunningClock
from plywire.clients.play.matches.openings import parse_opening
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine, Player
from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score, Searched
from tests.support.scripted_players import Scripted
from tests.support.turned_clock import TurnedClock

GAME = load("connect4")
START = GameLine.at(GAME.start())


class Raising(Player):
    """Fails where it is told to."""

    name = "raising"

    def __init__(self, error: BaseException, at_start: bool = False) -> None:
        self._error = error
        self._at_start = at_start

    async def start(self, game: Game) -> None:
        if self._at_start:
            raise self._error

    async def choose(self, line: GameLine, limits: Limits) -> int:
        raise self._error


class Silent(Player):
    """Never answers."""

    name = "silent"

    async def choose(self, line: GameLine, limits: Limits) -> int:
        await asyncio.get_running_loop().create_future()
        return 0


class Noting(RunningClock):
    """Notes how long it is to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[float] = []

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[asyncio.Timeout]:
        self.waited.append(seconds)
        return super().timeout(seconds)


async def test_a_won_game_is_recorded() -> None:
    record = await Referee(GAME, TimeControl()).play(
        (Scripted("4444", "A"), Scripted("111", "B")), START, 6
    )
    assert record.moves == tuple("4141414")
    assert (record.winner, record.score) == (1, 1)
    assert (record.termination, record.reason) == (Termination.NORMAL, "four in a row")
    assert record.players == ("A", "B")
    assert (record.number, record.game, record.size) == (6, "connect4", "7x6")
    assert len(record.times) == 7


async def test_an_opening_is_not_the_players() -> None:
    opening = parse_opening(GAME.start(), "414141")
    record = await Referee(GAME, TimeControl()).play((Scripted("4"), Scripted("")), opening)
    assert record.moves == tuple("4141414")
    assert (record.opening, len(record.times), record.winner) == (6, 1, 1)


async def test_a_drawn_game() -> None:
    game = load("tictactoe")
    first, second = ("a1", "a3", "c2", "b1", "b3"), ("b2", "a2", "c1", "c3")
    record = await Referee(game, TimeControl()).play(
        (Scripted(first), Scripted(second)), GameLine.at(game.start())
    )
    assert (record.winner, record.score, record.termination) == (None, 0, Termination.NORMAL)


@pytest.mark.parametrize(
    ("error", "termination"),
    [
        (PlayerCrashedError("gone"), Termination.CRASH),
        (PlayerStalledError("gone"), Termination.STALL),
        (PlayerIllegalMoveError("gone"), Termination.ILLEGAL_MOVE),
        (PlayerGarbledError("gone"), Termination.GARBAGE),
        (ZeroDivisionError("gone"), Termination.CRASH),
        (TimeoutError("gone"), Termination.CRASH),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("at_start", [False, True])
async def test_failures_are_blamed(
    error: PlayerError, termination: Termination, side: int, at_start: bool
) -> None:
    culprit, other = Raising(error, at_start), Scripted("123")
    players: tuple[Player, Player] = (other, culprit) if side else (culprit, other)
    record = await Referee(GAME, TimeControl()).play(players, START)
    assert record.termination is termination
    assert record.winner == 2 - side
    assert record.score == (1 if side else -1)
    assert record.reason.startswith("raising: ")
    assert "gone" in record.reason


async def test_a_full_column_is_an_illegal_move() -> None:
    class Stubborn(Scripted):
        async def choose(self, line: GameLine, limits: Limits) -> int:
            return 0

    record = await Referee(GAME, TimeControl()).play((Stubborn(""), Scripted("2")), START)
    assert record.termination is Termination.ILLEGAL_MOVE
    assert record.moves == ("1", "2")
    assert record.winner == 2


async def test_silence_is_a_stall() -> None:
    record = await Referee(GAME, TimeControl(patience=10)).play((Silent(), Scripted("")), START)
    assert record.termination is Termination.STALL
    assert record.reason == "silent: no answer in 10 ms"


@pytest.mark.parametrize(
    ("is_away", "termination", "reason"),
    [
        (False, Termination.TIME, "silent: no move came in its 10 ms"),
        (True, Termination.DISCONNECT, "silent: was not connected when its time was up"),
    ],
)
async def test_a_flag_falls_when_no_move_can_be_in_time(
    is_away: bool, termination: Termination, reason: str
) -> None:
    clock = Noting()
    silent = Silent()
    silent.is_away = is_away
    control = TimeControl(Limits(movetime=10), margin=5, max_lag=7, flag_falls=True)
    referee = Referee(GAME, control, clock=clock)
    record = await referee.play((silent, Scripted("")), START)
    assert (record.termination, record.reason) == (termination, reason)
    assert clock.waited == [60, 60, 0.022]


@pytest.mark.parametrize(
    ("lag", "took", "times", "lags"),
    [(20, 0.1, 80, 20), (80, 0.1, 70, 30), (80, 0.01, 0, 10), (0, 0.1, 100, 0)],
)
async def test_no_more_lag_is_given_than_the_bound_and_the_move_took(
    lag: int, took: float, times: int, lags: int
) -> None:
    time = TurnedClock()
    far = Scripted("4444", before=lambda: time.pass_by(took))
    far.lag = lag
    control = TimeControl(max_lag=30)
    record = await Referee(GAME, control, clock=time).play((far, Scripted("111")), START)
    assert record.times[::2] == (times,) * 4
    assert record.lags[::2] == ((lags,) * 4 if lags else ())


@pytest.mark.parametrize(("loser", "winner", "score"), [(0, 2, -1), (1, 1, 1), (None, None, 0)])
@pytest.mark.parametrize("termination", [Termination.RESIGNATION, Termination.CRASH])
async def test_a_game_may_be_ended_from_outside(
    loser: int | None, winner: int | None, score: int, termination: Termination
) -> None:
    class Ending(Raising):
        last_lines = ("> go", "< oops")

    ending = Ending(GameEndedError(termination, loser, "so it was said"))
    record = await Referee(GAME, TimeControl()).play((ending, ending), START)
    assert (record.winner, record.score, record.reason) == (winner, score, "so it was said")
    assert record.termination is termination
    is_blamed = loser is not None and termination is Termination.CRASH
    assert record.last_lines == (("> go", "< oops") if is_blamed else ())


async def test_clocks_run_and_are_told() -> None:
    time = TurnedClock()
    clock = Clock(p1=10_000, p2=8_000, inc1=500, inc2=0)
    first = Scripted("4444", before=lambda: time.pass_by(2))
    second = Scripted("111", before=lambda: time.pass_by(1))
    control = TimeControl(Limits(clock=clock))
    record = await Referee(GAME, control, clock=time).play((first, second), START)
    assert record.termination is Termination.NORMAL
    assert record.times == (2000, 1000, 2000, 1000, 2000, 1000, 2000)
    left = [(told.clock.p1, told.clock.p2) for told in first.told if told.clock]
    assert left == [(10_000, 8_000), (8_500, 7_000), (7_000, 6_000), (5_500, 5_000)]
    assert second.told[0].clock == Clock(p1=8_500, p2=8_000, inc1=500, inc2=0)


@pytest.mark.parametrize(
    ("limits", "seconds", "in_time"),
    [
        (Limits(movetime=100), 0.15, True),
        (Limits(movetime=100), 0.151, False),
        (Limits(clock=Clock(p1=100, p2=9000)), 0.15, True),
        (Limits(clock=Clock(p1=100, p2=9000)), 0.151, False),
        (Limits(movetime=100, clock=Clock(p1=9000, p2=9000)), 0.2, False),
        (Limits(depth=3), 9, True),
    ],
)
async def test_late_moves_lose(limits: Limits, seconds: float, in_time: bool) -> None:
    time = TurnedClock()
    slow = Scripted("4444", "slow", before=lambda: time.pass_by(seconds))
    control = TimeControl(limits, margin=50)
    record = await Referee(GAME, control, clock=time).play((slow, Scripted("1")), START)
    if in_time:
        assert record.times[0] == round(seconds * 1000)
    else:
        assert record.termination is Termination.TIME
        assert (record.winner, record.moves) == (2, ())
        assert record.reason.startswith(f"slow: took {round(seconds * 1000)} ms")


async def test_a_player_may_bring_its_own_limits() -> None:
    time = TurnedClock()
    own = Limits(depth=4)
    first = Scripted("4444", before=lambda: time.pass_by(9), limits=own)
    second = Scripted("111")
    control = TimeControl(Limits(clock=Clock(p1=1000, p2=1000)))
    record = await Referee(GAME, control, clock=time).play((first, second), START)
    assert record.termination is Termination.NORMAL
    assert first.told == [own] * 4
    assert {told.clock for told in second.told} == {Clock(p1=1000, p2=1000)}


async def byoyomi(*seconds: float) -> tuple[list[tuple[int, int]], Termination]:
    """What a player with 10 s and two periods of 5 s is told when it takes these times."""
    time = TurnedClock()
    left = iter(seconds)
    clock = Clock(p1=10_000, p2=10_000, byoyomi=5_000, periods1=2, periods2=2)
    referee = Referee(GAME, TimeControl(Limits(clock=clock), margin=0), clock=time)
    player = Scripted("4444", "A", lambda: time.pass_by(next(left)))
    record = await referee.play((player, Scripted("111", "B")), START)
    clocks = [limits.clock for limits in player.told if limits.clock is not None]
    return [(clock.p1, clock.periods1) for clock in clocks], record.termination


async def test_byoyomi_follows_the_main_time() -> None:
    told, termination = await byoyomi(9, 6, 5, 5)
    assert told == [(10_000, 2), (1_000, 2), (0, 2), (0, 2)]
    assert termination is Termination.NORMAL


async def test_who_oversteps_the_last_period_is_late() -> None:
    told, termination = await byoyomi(10, 9, 5.001)
    assert told == [(10_000, 2), (0, 2), (0, 1)]
    assert termination is Termination.TIME


async def test_the_record_holds_clocks_and_searches() -> None:
    time = TurnedClock()
    said = Searched(score=Score(kind="cp", value=35), depth=8, nodes=1234)
    clock = Clock(p1=10_000, p2=5_000, inc1=100)
    control = TimeControl(Limits(clock=clock))
    first = Scripted("4444", before=lambda: time.pass_by(1), searches=(said, None, said))
    second = Scripted("111", limits=Limits(depth=1))
    record = await Referee(GAME, control, clock=time).play((first, second), START)
    assert record.clocks == (9_100, None, 8_200, None, 7_300, None, 6_400)
    assert record.searches == (said, None, None, None, said, None, None)


async def test_what_a_player_said_of_an_earlier_move_is_not_said_of_the_next() -> None:
    said = Searched(depth=3)
    first = Scripted("4444")
    first.searched = said  # left from another game
    record = await Referee(GAME, TimeControl()).play((first, Scripted("111")), START)
    assert record.searches == record.clocks == ()


async def test_each_player_has_its_own_time_control() -> None:
    time = TurnedClock()
    ten, five = Clock(p1=10_000, p2=10_000, inc1=100, inc2=100), Clock(p1=5_000, p2=5_000)
    control = TimeControl(
        Limits(depth=1), {"A": Limits(clock=ten), "B": Limits(clock=five), "C": Limits(nodes=9)}
    )
    a = Scripted("4444", "A", before=lambda: time.pass_by(1))
    b = Scripted("111", "B", before=lambda: time.pass_by(0.5))
    record = await Referee(GAME, control, clock=time).play((a, b), START)
    assert record.clocks == (9_100, 4_500, 8_200, 4_000, 7_300, 3_500, 6_400)
    assert a.told[1] == Limits(clock=Clock(p1=9_100, p2=4_500, inc1=100))
    assert b.told[1] == Limits(clock=Clock(p1=8_200, p2=4_500, inc1=100))

    b, c, d = Scripted("4444", "B"), Scripted("111", "C"), Scripted("111", "D")
    for other, told in ((c, Limits(nodes=9)), (d, Limits(depth=1))):
        record = await Referee(GAME, control).play((b, other), START)
        assert record.clocks[1::2] == (None,) * 3
        assert b.told[-1] == Limits(clock=Clock(p1=record.clocks[-3], p2=5_000))
        assert other.told == [told] * 3


async def test_a_late_player_loses_by_its_own_clock() -> None:
    time = TurnedClock()
    control = TimeControl(Limits(), {"B": Limits(clock=Clock(p1=900, p2=900))})
    a = Scripted("4444", "A", before=lambda: time.pass_by(60))
    b = Scripted("111", "B", before=lambda: time.pass_by(0.6))
    record = await Referee(GAME, control, clock=time).play((a, b), START)
    assert (record.winner, record.termination) == (1, Termination.TIME)
    assert len(record.moves) == 3


def test_those_who_watch_are_told_what_both_are_given() -> None:
    ten, five = Clock(p1=10, p2=10, inc1=1, inc2=1), Clock(p1=5, p2=5)
    control = TimeControl(
        Limits(depth=3, movetime=7),
        {"A": Limits(clock=ten, depth=3), "B": Limits(clock=five, depth=3)},
    )
    assert control.shown(("C", "D")) == control.limits
    assert control.shown(("A", "C")) == Limits(depth=3)
    assert control.shown(("A", "B")) == Limits(depth=3, clock=Clock(p1=10, p2=5, inc1=1))
    assert control.shown(("B", "A")) == Limits(depth=3, clock=Clock(p1=5, p2=10, inc2=1))
