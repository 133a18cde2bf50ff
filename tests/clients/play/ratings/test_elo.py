import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.clients.play.ratings.elo import MatchTally, elo, estimate


def tally_of(scores: list[float]) -> MatchTally:
    tally = MatchTally()
    for number, score in enumerate(scores):
        tally.add(number, score)
    return tally


@pytest.mark.parametrize(
    ("score", "difference"),
    # The logistic curve at its usual landmarks: 10 to 1 odds are 400 Elo.
    [(0.5, 0.0), (10 / 11, 400.0), (1 / 11, -400.0), (0.75, 190.8485), (0.64, 99.9510)],
)
def test_elo_follows_the_logistic_curve(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=1e-3)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_no_elo_for_a_clean_sweep(score: float) -> None:
    assert elo(score) is None


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "los"),
    # Phi((W - L) / sqrt(W + L)); the draws do not matter.
    [(10, 0, 5, 0.90165), (10, 85, 5, 0.90165), (60, 0, 40, 0.97725), (5, 3, 5, 0.5)],
)
def test_likelihood_of_superiority(wins: int, draws: int, losses: int, los: float) -> None:
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    assert estimate(scores).los == pytest.approx(los, abs=1e-5)


def test_binomial_interval_is_agresti_and_coulls() -> None:
    # n~ = 100 + z^2, p~ = (60 + z^2 / 2) / n~, p~ +- z sqrt(p~ (1 - p~) / n~) with z = 1.959964.
    found = estimate([1.0] * 60 + [0.0] * 40)
    assert found.score == 0.6
    assert (found.low, found.high) == pytest.approx((0.501933, 0.690669), abs=1e-6)


def test_draws_narrow_the_interval() -> None:
    decisive = estimate([1.0] * 50 + [0.0] * 50)
    drawn = estimate([1.0] * 10 + [0.5] * 80 + [0.0] * 10)
    assert drawn.high - drawn.low < (decisive.high - decisive.low) / 2


def test_all_wins_give_a_bound() -> None:
    found = estimate([1.0] * 100)
    assert found.elo is None
    assert found.elo_high is None
    assert str(found) == f"> {elo(found.low):+.1f}"
    # The rule of three puts the loss rate below 3 %; this interval is a little more careful.
    assert 0.95 < found.low < 0.97


def test_all_losses_give_a_bound() -> None:
    found = estimate([0.0] * 100)
    assert str(found).startswith("< -")


def test_all_draws_are_even_with_an_error() -> None:
    found = estimate([0.5] * 100)
    assert found.elo == 0
    assert found.elo_low is not None
    assert found.elo_high is not None
    assert -30 < found.elo_low < 0 < found.elo_high < 30


def test_no_games() -> None:
    assert str(MatchTally().estimate()) == "unknown (too few games)"


def test_pairs_are_less_noisy_than_games() -> None:
    # White wins every game: single games look like coin tosses, pairs are all level.
    paired = tally_of([1.0, 0.0] * 50)
    assert paired.paired
    assert paired.pentanomial == (0, 0, 50, 0, 0)
    by_game = estimate([1.0, 0.0] * 50)
    by_pair = paired.estimate()
    assert by_pair.high - by_pair.low < (by_game.high - by_game.low) / 2


def test_pentanomial_counts() -> None:
    tally = tally_of([1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0])
    assert tally.pentanomial == (1, 1, 2, 1, 1)
    assert (tally.wins, tally.draws, tally.losses) == (4, 4, 4)


def test_games_are_the_units_while_a_twin_is_missing() -> None:
    scores = [1.0, 0.0, 1.0]
    assert not tally_of(scores).paired
    assert tally_of(scores).estimate() == estimate(scores)


@pytest.mark.parametrize(
    "shares", [(0.5, 0.0, 0.5), (0.3, 0.5, 0.2), (0.9, 0.05, 0.05), (0.05, 0.9, 0.05)]
)
def test_the_interval_covers_the_truth(shares: tuple[float, float, float]) -> None:
    source = random.Random(2026)
    truth = shares[0] + shares[1] / 2
    covered = 0
    for _ in range(1000):
        found = estimate(source.choices((1.0, 0.5, 0.0), shares, k=60))
        covered += found.low <= truth <= found.high
    assert covered >= 930


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=200))
def test_never_nan_nor_infinite(scores: list[float]) -> None:
    found = tally_of(scores).estimate()
    assert 0 <= found.low <= found.score <= found.high <= 1
    assert 0 <= found.los <= 1
    for value in (found.elo, found.elo_low, found.elo_high):
        assert value is None or math.isfinite(value)
    assert "nan" not in str(found)
    assert "inf" not in str(found)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=100))
def test_swapping_the_players_mirrors_everything(scores: list[float]) -> None:
    here, there = estimate(scores), estimate([1 - score for score in scores])
    assert here.score == pytest.approx(1 - there.score)
    assert here.low == pytest.approx(1 - there.high)
    assert here.los == pytest.approx(1 - there.los)


@given(
    st.dictionaries(st.floats(0, 1), st.integers(0, 10**12), max_size=9),
)
def test_any_counts_of_any_scores_give_an_estimate(counts: dict[float, int]) -> None:
    found = estimate(counts)
    assert 0 <= found.low <= found.high <= 1
    assert 0 <= found.los <= 1
    assert "nan" not in str(found)
    assert "inf" not in str(found)
