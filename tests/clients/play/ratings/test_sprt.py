import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.clients.play.ratings.sprt import PAIR_SCORES, Sprt, Verdict

#: How often each result of a pair occurs between equals, roughly as engine matches have it.
EQUALS = (0.1, 0.2, 0.4, 0.2, 0.1)


def expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def shares(mean: float) -> list[float]:
    """Result frequencies like those of EQUALS, tilted to an expected score."""
    low, high = -20.0, 20.0
    for _ in range(60):
        tilt = (low + high) / 2
        weights = [
            share * math.exp(tilt * score) for share, score in zip(EQUALS, PAIR_SCORES, strict=True)
        ]
        score = sum(map(float.__mul__, weights, PAIR_SCORES)) / sum(weights)
        low, high = (tilt, high) if score < mean else (low, tilt)
    return weights


def play(test: Sprt, weights: list[float], source: random.Random) -> tuple[Verdict, int]:
    """The decision of a simulated match, and after how many pairs it fell."""
    pairs = [0, 0, 0, 0, 0]
    while (verdict := test.verdict(pairs)) is Verdict.CONTINUE:
        pairs[source.choices(range(5), weights)[0]] += 1
    return verdict, sum(pairs)


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "llr"),
    # What tests.stockfishchess.org published of tests 5fe50b9d3932f79192d3973c (short time
    # control) and 5fe552e43932f79192d39744 (long), December 2020, when its Elo was logistic.
    [
        ((292, 5905, 28939, 6129, 299), -0.25, 1.25, 2.95),
        ((5, 418, 6043, 506, 12), 0.25, 1.25, 2.92),
    ],
)
def test_published_log_likelihood_ratios(pairs, elo0, elo1, llr) -> None:
    assert Sprt(elo0, elo1).llr(pairs) == pytest.approx(llr, abs=0.005)


def test_bounds_are_walds() -> None:
    assert (Sprt().lower, Sprt().upper) == pytest.approx((-2.944, 2.944), abs=5e-4)
    strict = Sprt(alpha=0.01, beta=0.2)
    assert (strict.lower, strict.upper) == pytest.approx((-1.599, 4.382), abs=5e-4)


def test_a_bound_that_is_reached_decides() -> None:
    class Reaching(Sprt):
        def llr(self, pairs) -> float:
            return self.upper if pairs[-1] else self.lower

    assert Reaching().verdict((0, 0, 0, 0, 1)) is Verdict.H1
    assert Reaching().verdict((1, 0, 0, 0, 0)) is Verdict.H0


@pytest.mark.parametrize(("truth", "right"), [(0.0, Verdict.H0), (100.0, Verdict.H1)])
def test_error_rates_hold_over_a_thousand_matches(truth: float, right: Verdict) -> None:
    test = Sprt(elo0=0, elo1=100, alpha=0.05, beta=0.05)
    source = random.Random(2026)
    weights = shares(expected(truth))
    played = [play(test, weights, source) for _ in range(1000)]
    wrong = sum(verdict is not right for verdict, _ in played)
    # 50 are allowed; 71 are three standard errors more. Far fewer would mean a test that plays on
    # for too long: a match of fixed length needs 48 pairs for these error rates.
    assert 15 <= wrong <= 71
    assert sum(pairs for _, pairs in played) / 1000 < 30


def test_far_from_the_hypotheses_there_are_no_errors() -> None:
    test = Sprt(elo0=0, elo1=100)
    source = random.Random(7)
    strong, weak = shares(expected(250)), shares(expected(-150))
    assert {play(test, strong, source)[0] for _ in range(200)} == {Verdict.H1}
    assert {play(test, weak, source)[0] for _ in range(200)} == {Verdict.H0}


def test_a_lopsided_match_stops_early() -> None:
    test = Sprt(elo0=0, elo1=50)
    wins = next(n for n in range(1000) if test.verdict((0, 0, 0, 0, n)) is Verdict.H1)
    losses = next(n for n in range(1000) if test.verdict((n, 0, 0, 0, 0)) is Verdict.H0)
    # Each pair won says log(expected(50) / expected(0)), 0.134 in all of 2.944.
    assert wins == 23
    assert losses == 20


def test_pairs_of_one_win_each_decide_faster_than_their_games_would_alone() -> None:
    """The opening decided every game: as pairs, the match is as level as can be."""
    test = Sprt(elo0=-20, elo1=20)
    assert test.llr((0, 0, 100, 0, 0)) == pytest.approx(0, abs=1e-9)
    assert test.verdict((0, 0, 100, 2, 0)) is Verdict.CONTINUE
    assert Sprt(0, 40).verdict((0, 0, 100, 0, 0)) is Verdict.H0
    assert Sprt(0, 40).verdict((50, 0, 0, 0, 50)) is Verdict.CONTINUE


def test_no_pair_no_evidence() -> None:
    assert Sprt().llr((0, 0, 0, 0, 0)) == 0
    assert Sprt().verdict((0, 0, 0, 0, 0)) is Verdict.CONTINUE


@pytest.mark.parametrize("rate", [5e-324, 1e-300, 1e-9, math.nextafter(0.5, 0)])
def test_bounds_are_finite_at_any_error_rates(rate: float) -> None:
    for alpha, beta in ((rate, rate), (rate, 0.05), (0.05, rate)):
        test = Sprt(alpha=alpha, beta=beta)
        assert -math.inf < test.lower < 0 < test.upper < math.inf


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": 5, "elo1": 5},
        {"elo0": 5, "elo1": 0},
        {"elo1": math.inf},
        {"elo0": math.nan},
        {"elo1": 1001},
        {"alpha": 0},
        {"alpha": 0.5},
        {"beta": math.nan},
        {"beta": 1},
    ],
)
def test_a_test_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Sprt(**wrong)


counts = st.tuples(*[st.one_of(st.integers(0, 10**9), st.integers(0, 10**18))] * 5)


@given(counts, st.floats(-1000, 999), st.floats(1e-3, 1))
def test_never_nan_nor_infinite(pairs, elo0, share) -> None:
    test = Sprt(elo0, min(elo0 + share * (1000 - elo0), 1000))
    assert math.isfinite(test.llr(pairs))


@given(counts, st.floats(-500, 499), st.floats(1, 500))
def test_swapping_the_players_swaps_the_hypotheses(pairs, elo0, gap) -> None:
    here = Sprt(elo0, elo0 + gap).llr(pairs)
    there = Sprt(-elo0 - gap, -elo0).llr(pairs[::-1])
    assert here == pytest.approx(-there, rel=1e-6, abs=1e-6 * (1 + sum(pairs)))


@pytest.mark.parametrize(
    ("elo0", "elo1", "wins", "words"),
    [
        (0, 200, 50, "H1 accepted: A is better by 200 Elo"),
        (0, 200, 0, "H0 accepted: A is not better by 200 Elo"),
        (-200, 0, 50, "H1 accepted: A is not worse by 200 Elo"),
        (-200, 0, 0, "H0 accepted: A is worse by 200 Elo"),
        (-100, 100, 0, "H0 accepted: A is not better by 100 Elo"),
        (-200, -100, 50, "H1 accepted: A is not worse by 200 Elo"),
    ],
)
def test_a_conclusion_says_what_was_found(elo0, elo1, wins: int, words: str) -> None:
    pairs = (50 - wins, 0, 0, 0, wins)
    assert Sprt(elo0, elo1).conclusion(pairs, "A") == words
