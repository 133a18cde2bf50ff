import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywire.clients.play.ratings.bradley_terry import Outcome
from plywire.clients.play.ratings.glicko2 import Glicko, rate_event, update

OPPONENTS = (Glicko(1400, 30), Glicko(1550, 100), Glicko(1700, 300))


def test_glickmans_example() -> None:
    after = update(Glicko(1500, 200, 0.06), zip(OPPONENTS, (1, 0, 0), strict=True))
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_the_order_of_an_events_games_does_not_matter() -> None:
    outcomes = [Outcome("a", "b", 1.0), Outcome("b", "c", 0.5), Outcome("c", "a", 0.0)]
    before = {"a": Glicko(1700, 80), "b": Glicko(1400, 30)}
    here, there = rate_event(before, outcomes), rate_event(before, outcomes[::-1])
    for player in "abc":
        assert here[player].rating == pytest.approx(there[player].rating)
    assert here["a"].rating > 1700
    # The newcomer's rating moves most, for it was known least.
    assert abs(here["c"].rating - 1500) > abs(here["b"].rating - 1400)


def test_who_stays_away_becomes_less_certain_but_never_less_than_a_newcomer() -> None:
    player = Glicko(1800, 50, 0.06)
    away = rate_event({"a": player}, [])["a"]
    assert (away.rating, away.volatility) == (1800, 0.06)
    # phi* = sqrt(phi^2 + sigma^2)
    assert away.deviation == pytest.approx(math.sqrt(50**2 + (0.06 * 173.7178) ** 2))
    for _ in range(2000):
        away = update(away, [])
    assert away.deviation == 350


def test_an_upset_raises_volatility_and_the_expected_lowers_it() -> None:
    steady = Glicko(1500, 60, 0.06)
    strong = Glicko(2200, 40)
    assert update(steady, [(strong, 1.0)] * 5).volatility > 0.06
    assert update(steady, [(strong, 0.0)] * 5).volatility < 0.06


def test_the_interval_is_two_deviations() -> None:
    assert Glicko(1850, 50).interval == (1750, 1950)


players = st.builds(Glicko, st.floats(-2000, 5000), st.floats(1, 350), st.floats(1e-3, 1))


@settings(deadline=None)
@given(players, st.lists(st.tuples(players, st.sampled_from([0.0, 0.5, 1.0])), max_size=20))
def test_never_nan_and_games_never_make_anyone_unknown(player, games) -> None:
    after = update(player, games)
    assert math.isfinite(after.rating)
    assert 0 < after.deviation <= 350
    assert 0 < after.volatility < math.inf
