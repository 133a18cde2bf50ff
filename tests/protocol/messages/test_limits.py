"""Game clocks: increments and byo-yomi."""

from hypothesis import given

from plywire.protocol.messages.limits import Clock, Limits
from tests.protocol.strategies.fields import limits

CLOCK = Clock(p1=10_000, p2=5_000, inc1=100, byoyomi=3_000, periods1=3, periods2=1)


def test_main_time_goes_first() -> None:
    after = CLOCK.moved(1, 4_000)
    assert (after.p1, after.periods1) == (6_100, 3)
    assert (after.p2, after.periods2) == (5_000, 1)


def test_a_move_within_a_period_leaves_it_whole() -> None:
    clock = Clock(p1=1_000, p2=0, byoyomi=3_000, periods1=3)
    for ms in (1_001, 3_000, 1, 3_000):
        clock = clock.moved(1, ms)
        assert (clock.p1, clock.periods1) == (0, 3)


def test_each_period_that_is_overstepped_is_lost() -> None:
    clock = Clock(p1=0, p2=0, byoyomi=3_000, periods1=5)
    clock = clock.moved(1, 3_001)
    assert clock.periods1 == 4
    clock = clock.moved(1, 9_000)
    assert clock.periods1 == 2
    assert clock.moved(1, 6_050).periods1 == 1  # later than all its time, but it counted


def test_all_that_is_left_may_be_spent_on_one_move() -> None:
    assert CLOCK.left(1) == 19_000
    assert CLOCK.left(2) == 8_000


def test_while_a_player_thinks_the_sum_runs_down() -> None:
    after = CLOCK.after(1, 14_000)
    assert (after.p1, after.periods1, after.left(1)) == (2_000, 1, 5_000)
    after = CLOCK.after(1, 10_000)
    assert (after.p1, after.periods1) == (0, 3)
    assert CLOCK.after(1, 99_000).left(1) == 0
    assert CLOCK.after(2, 99_000).left(1) == CLOCK.left(1)


@given(limits)
def test_without_byoyomi_nobody_is_told_of_more_than_there_is(given_limits: Limits) -> None:
    if given_limits.clock is not None:
        told = given_limits.clock.without_byoyomi
        for player in (1, 2):
            assert told.left(player) <= given_limits.clock.left(player)
        assert told.byoyomi == told.periods1 == told.periods2 == 0


def test_a_clock_shows_the_opponents_time() -> None:
    other = Clock(p1=1, p2=9_000, inc1=2, inc2=30, byoyomi=1_000, periods1=3, periods2=4)
    shown = CLOCK.facing(1, other)
    assert (shown.p1, shown.inc1, shown.periods1) == (CLOCK.p1, CLOCK.inc1, CLOCK.periods1)
    assert (shown.p2, shown.inc2, shown.periods2) == (13_000, 30, 0)  # of periods as one time
    assert shown.left(2) == other.left(2)
    same = other.model_copy(update={"byoyomi": CLOCK.byoyomi})
    assert CLOCK.facing(1, same).periods2 == 4
    assert CLOCK.facing(2, CLOCK) == CLOCK


def test_a_player_s_own_limits_hold_in_those_of_a_game() -> None:
    clock = Clock(p1=1000, p2=2000)
    game = Limits(movetime=500, nodes=100, clock=clock)
    assert game.narrowed(None) == game
    own = Limits(movetime=600, depth=3, nodes=10, clock=Clock(p1=1, p2=1), infinite=True)
    assert game.narrowed(own) == Limits(movetime=500, depth=3, nodes=10, clock=clock)
    late = game.after(1, 500)
    assert late.narrowed(own).movetime == 0
