"""The time manager on clocks that only exist as numbers."""

import math
import random

import pytest

from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.othello.backend import OthelloBackend
from plywire.engine.othello.rules import Othello
from plywire.engine.registry import backend_of, load
from plywire.engine.search.time_management import LAG, UNLIMITED, Budget, budget, time_budget

CLOCKS = [
    (1_000, 0),
    (1_000, 100),
    (10_000, 0),
    (60_000, 0),
    (60_000, 600),
    (300_000, 3_000),
    (100, 0),
    (5, 0),
    (0, 50),
    (0, 0),
]


def share(left: int, increment: int, plies: int) -> Budget:
    """The budget where the second half of the game is expected to take next to no time."""
    return budget(left, increment, plies, plies // 2)


def play_game(left: int, increment: int, plies: int, spend: float, lag: float) -> list[float]:
    """What a player's clock shows after each move of a game that fills the board.

    Every move takes its soft limit and that part of the way to the hard one, and the lag.
    """
    clocks = []
    clock = float(left)
    for ply in range(plies, 0, -2):
        limit = share(int(clock), increment, ply)
        clock -= limit.soft + spend * (limit.hard - limit.soft) + lag
        clocks.append(clock)
        clock += increment
    return clocks


@pytest.mark.parametrize(("left", "increment"), CLOCKS)
@pytest.mark.parametrize("plies", [9, 42, 60])
@pytest.mark.parametrize("spend", [0.0, 0.5, 1.0])
def test_no_clock_ever_runs_out(left: int, increment: int, plies: int, spend: float) -> None:
    clocks = play_game(left, increment, plies, spend, lag=0)
    assert min(clocks) >= 0


@pytest.mark.parametrize(("left", "increment"), [clock for clock in CLOCKS if clock[0] >= 1_000])
@pytest.mark.parametrize("spend", [0.0, 0.5, 1.0])
def test_lag_does_not_lose_a_game_either(left: int, increment: int, spend: float) -> None:
    lag = min(LAG, left / 60)
    assert min(play_game(left, increment, 60, spend, lag)) >= 0


def test_no_clock_runs_out_whatever_the_game() -> None:
    chance = random.Random(7)
    for _ in range(500):
        clock = float(chance.randrange(50, 100_000))
        increment = chance.choice([0, 0, 10, 1_000])
        for ply in range(chance.randrange(1, 64), 0, -2):
            limit = share(int(clock), increment, ply)
            assert 0 <= limit.soft <= limit.hard <= clock
            clock += increment - chance.uniform(0, limit.hard)


def test_plies_that_take_next_to_no_time_leave_more_for_the_others() -> None:
    assert budget(60_000, 0, 40, 30).soft > budget(60_000, 0, 40, 20).soft
    assert budget(60_000, 0, 40, 40).hard < 60_000


def test_an_othello_game_is_expected_to_end_early_where_there_is_time_to_solve_it() -> None:
    backend = OthelloBackend(Othello())
    quick = [backend.plies_without_thinking(60, left) for left in (0, 1_000, 60_000, 1_000_000)]
    assert quick == sorted(set(quick))
    assert backend.plies_without_thinking(4, 60_000) == 4


@pytest.mark.parametrize("increment", [0, 500])
@pytest.mark.parametrize("plies", [42, 60])
def test_most_of_the_clock_is_used(increment: int, plies: int) -> None:
    # An iteration that began just in time overruns the soft limit by some part.
    clocks = play_game(60_000, increment, plies, spend=0.3, lag=0)
    had = 60_000 + increment * (len(clocks) - 1)
    assert (had - clocks[-1]) / had > 0.8


def test_more_time_is_spent_early_than_late() -> None:
    assert share(60_000, 0, 40).soft > share(30_000, 0, 40).soft
    assert share(60_000, 0, 40).soft > share(60_000, 0, 60).soft
    assert share(60_000, 1_000, 40).soft > share(60_000, 0, 40).soft


def test_the_last_move_may_take_what_is_left() -> None:
    assert share(1_000, 0, 1).hard > 950


def test_a_time_for_the_move_and_a_clock_both_hold() -> None:
    position = load("othello").start()
    clock = ClockTimes(60_000, 60_000)

    def spend(limits: SearchLimits) -> Budget:
        return time_budget(limits, position, backend_of(position.game).plies_without_thinking)

    alone = spend(SearchLimits(clock=clock))
    assert spend(SearchLimits(clock=clock, movetime=10**6)) == alone
    assert spend(SearchLimits(clock=clock, movetime=1)) == Budget(1, 1)
    assert spend(SearchLimits(movetime=50)) == Budget(50, 50)
    assert spend(SearchLimits(depth=5)) == UNLIMITED


def test_without_a_clock_there_is_no_limit() -> None:
    assert math.isinf(UNLIMITED.soft)
    assert math.isinf(UNLIMITED.hard)
