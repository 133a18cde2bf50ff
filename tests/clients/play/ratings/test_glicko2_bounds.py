"""Glicko-2 within its bounds: any numbers give finite ratings, and players keep their order."""

from __future__ import annotations

import math
import sys
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywire.clients.play.ratings.bradley_terry import Outcome
from plywire.clients.play.ratings.glicko2 import Glicko, rate_event, update

HUGE = sys.float_info.max
TINY = sys.float_info.min

#: By name, the ratings before an event of the worst shape, and its games.
WORST: dict[str, tuple[dict[str, Glicko], list[Outcome]]] = {
    "thirty upsets": (
        {"a": Glicko(2000, 50), "b": Glicko(1000, 50)},
        [Outcome("a", "b", 0.0)] * 30,
    ),
    "thirty upsets between the ends of the scale": (
        {"a": Glicko(4000, 30), "b": Glicko(0, 30)},
        [Outcome("a", "b", 0.0)] * 30,
    ),
    "one player of many loses to all": (
        {"a": Glicko(2800, 30), **{f"b{number}": Glicko(900, 40) for number in range(200)}},
        [Outcome("a", f"b{number}", 0.0) for number in range(200)],
    ),
    "ten thousand upsets": (
        {"a": Glicko(2500, 30), "b": Glicko(500, 30)},
        [Outcome("a", "b", 0.0)] * 10_000,
    ),
    "what an older version stored": (
        {"a": Glicko(-57060, 350, 29.5), "b": Glicko(60060, 350, 29.5)},
        [Outcome("a", "b", 0.0)] * 30,
    ),
    "the largest numbers": (
        {"a": Glicko(HUGE, HUGE, HUGE), "b": Glicko(-HUGE, HUGE, HUGE)},
        [Outcome("a", "b", 0.0)] * 3,
    ),
    "the smallest numbers": (
        {"a": Glicko(TINY, TINY, TINY), "b": Glicko(0, 0, 0)},
        [Outcome("a", "b", 1.0)] * 3,
    ),
    "negative numbers": (
        {"a": Glicko(-1, -50, -0.06), "b": Glicko(1500, -350, -1)},
        [Outcome("a", "b", 1.0)] * 3,
    ),
    "scores that no game gives": (
        {"a": Glicko(1500, 30), "b": Glicko(1500, 30)},
        [Outcome("a", "b", HUGE), Outcome("a", "b", -HUGE), Outcome("b", "a", 1e9)],
    ),
    "nobody but oneself": ({"a": Glicko(3999, 350)}, [Outcome("a", "a", 1.0)] * 30),
}


def is_within_bounds(glicko: Glicko) -> bool:
    return (
        0 <= glicko.rating <= 4000
        and 30 <= glicko.deviation <= 350
        and 0.01 <= glicko.volatility <= 0.1
    )


@pytest.mark.parametrize("shape", WORST)
def test_the_worst_events_end_within_the_bounds(shape: str) -> None:
    ratings, outcomes = WORST[shape]
    for _ in range(5):
        after = rate_event(ratings, outcomes)
        assert all(map(is_within_bounds, after.values()))
        for player, glicko in after.items():
            assert abs(glicko.rating - ratings[player].bounded.rating) <= 700 + 1e-9
        ratings = after


def test_thirty_upsets_move_both_players_towards_each_other() -> None:
    ratings, outcomes = WORST["thirty upsets"]
    after = rate_event(ratings, outcomes)
    assert 1300 <= after["a"].rating < 2000
    assert 1000 < after["b"].rating <= 1700


def test_what_is_within_the_bounds_stays_as_it_is() -> None:
    fixed = Glicko(1800, 0)
    assert fixed.bounded == fixed
    assert Glicko(-1, 351, 0.2).bounded == Glicko(0, 350, 0.1)


def test_a_volatility_near_zero_counts_as_the_least() -> None:
    """Its square rounds to zero, which has no logarithm."""
    expected = update(Glicko(1500, 60, 0.01), [(Glicko(1500, 60), 0.5)] * 10)
    assert update(Glicko(1500, 60, 5e-324), [(Glicko(1500, 60), 0.5)] * 10) == expected


anything = st.floats()
any_player = st.builds(Glicko, anything, anything, anything)


@settings(deadline=None)
@given(any_player, st.lists(st.tuples(any_player, anything), max_size=20))
def test_any_numbers_give_a_rating_within_the_bounds(player, games) -> None:
    assert is_within_bounds(update(player, games))


sound = st.builds(Glicko, st.floats(0, 4000), st.floats(0, 350), st.floats(0.01, 0.1))
scores = st.sampled_from([0.0, 0.5, 1.0])


@settings(deadline=None)
@given(
    sound,
    st.lists(st.tuples(sound, scores, scores), min_size=1, max_size=20),
    st.sampled_from([1, 1, 30, 300]),
)
def test_more_points_in_the_same_games_are_no_less(player, games, times) -> None:
    less = [(opponent, min(pair)) for opponent, *pair in games] * times
    more = [(opponent, max(pair)) for opponent, *pair in games] * times
    assert update(player, less).rating <= update(player, more).rating + 1e-6


def shares(opponent: Glicko, half_points: int) -> list[tuple[Glicko, float]]:
    """Thirty games against one opponent with so many half points."""
    wins, draws = divmod(half_points, 2)
    return [
        (opponent, score) for score in [1.0] * wins + [0.5] * draws + [0.0] * (30 - wins - draws)
    ]


@settings(deadline=None)
@given(sound, sound, st.lists(st.integers(0, 60), min_size=2, max_size=10))
def test_more_points_against_one_opponent_are_no_less(player, opponent, points) -> None:
    ratings = [update(player, shares(opponent, count)).rating for count in sorted(points)]
    assert all(one <= other + 1e-6 for one, other in pairwise(ratings))


@settings(deadline=None)
@given(sound, st.integers(2, 6), st.data())
def test_a_round_robin_of_equals_ends_in_the_order_of_points(before, count, data) -> None:
    players = "abcdef"[:count]
    outcomes = [Outcome(*pair, data.draw(scores)) for pair in combinations(players, 2)]
    points = Counter(dict.fromkeys(players, 0.0))
    for outcome in outcomes:
        points[outcome.first] += outcome.score
        points[outcome.second] += 1 - outcome.score
    after = rate_event(dict.fromkeys(players, before), outcomes)
    for one, other in combinations(players, 2):
        if points[one] >= points[other]:
            assert after[one].rating >= after[other].rating - 1e-6


def test_a_hundred_thousand_upsets() -> None:
    after = update(Glicko(4000, 30), ((Glicko(0, 30), 0.0) for _ in range(10**5)))
    assert is_within_bounds(after)
    assert math.isclose(after.rating, 3300)
