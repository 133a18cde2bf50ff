"""The lag that a game forgives: `docs/referee.md` has the same figures."""

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.lag_allowance import LagAllowance
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import RandomPlayer
from plywire.engine.registry import load
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Clock, Limits
from tests.support.scripted_players import Scripted
from tests.support.turned_clock import TurnedClock


@pytest.mark.parametrize(
    ("limits", "at_first", "a_move"),
    [
        (Limits(movetime=200), 400, 50),
        (Limits(movetime=1000), 800, 100),
        (Limits(clock=Clock(p1=60_000, p2=1000)), 1200, 150),
        (Limits(clock=Clock(p1=180_000, p2=1000, inc1=2000)), 5200, 650),
        (Limits(clock=Clock(p1=0, p2=0, byoyomi=5000, periods1=1)), 4000, 500),
        (Limits(movetime=1000, clock=Clock(p1=60_000, p2=60_000)), 800, 100),
        (Limits(depth=9), 400, 50),
    ],
)
def test_an_allowance_follows_from_the_time_control(
    limits: Limits, at_first: int, a_move: int
) -> None:
    allowance = LagAllowance(limits, 1)
    assert allowance.left == at_first
    allowance.moved(30)
    assert allowance.left == at_first + a_move - 30


async def test_who_makes_lag_of_its_own_gains_the_allowance_and_no_more() -> None:
    """A bot that echoes probes 600 ms late gained 500 ms with every move."""
    clock = TurnedClock()
    game = load("connect4")
    late = Scripted("4444", "late", before=lambda: clock.pass_by(0.7))
    late.lag = 600
    control = TimeControl(Limits(movetime=200), max_lag=500)
    record = await Referee(game, control, clock=clock).play(
        (late, Scripted("111")), GameLine.at(game.start())
    )
    assert (record.times, record.lags) == ((300, 0), (400, 0))
    assert (record.winner, record.termination) == (2, "time")
    assert record.reason == "late: took 650 ms where 200 ms were left"


async def test_who_is_far_away_is_in_time_all_game_long() -> None:
    """At 200 ms a move, the margin covers what the allowance does not, up to a way of 150 ms."""
    clock = TurnedClock()
    game = load("othello")

    class Far(RandomPlayer):
        lag = 150

        def think(self, line: GameLine, limits: Limits, stop: Stop) -> int:
            clock.pass_by(0.35)
            return super().think(line, limits, stop)

    control = TimeControl(Limits(movetime=200), max_lag=500)
    record = await Referee(game, control, clock=clock).play(
        (Far(1), Far(2)), GameLine.at(game.start())
    )
    assert record.termination is Termination.NORMAL
    assert record.lags[0] == 150
    assert record.lags[-1] == 50
