"""A sequential probability ratio test of pairs of games.

Wald's test stops when the likelihood of one hypothesis outweighs the other by a factor that follows
from the error rates ("Sequential Tests of Statistical Hypotheses", Annals of Mathematical
Statistics 16, 1945). Here a hypothesis fixes only the expected score of a pair. Each hypothesis
therefore uses the most likely distribution of the five results with that score.

This is the generalised test (GSPRT) that Stockfish's testing framework runs on pentanomial results:
M. Van den Bergh, "A practical introduction to the GSPRT" and "The generalized SPRT for expected
scores" (http://hardy.uhasselt.be/Fishtest/GSPRT_approximation.pdf and support_MLE_multinomial.pdf).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import mul

#: Mean score of a game in each class of pairs. The classes run from two losses to two wins.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

#: A result that no pair has had may still occur. It counts as this number of pairs.
_UNSEEN = 1e-3

#: The search for the multiplier ends at this precision, or after the maximum number of steps. It
#: usually takes six.
_PRECISION = 1e-12
_MOST_STEPS = 100

#: Maximum Elo difference. Beyond it, the weaker player scores in fewer than one of 300 games, which
#: is too rare for a test.
_MOST_ELO = 1000


class Verdict(StrEnum):
    """Decision of a test."""

    CONTINUE = "continue"
    """No decision yet."""
    H0 = "H0"
    """The lower Elo difference is accepted."""
    H1 = "H1"
    """The higher Elo difference is accepted."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Test whether the first player's Elo difference is `elo1` (H1) or only `elo0` (H0).

    Elo is logistic: a difference d stands for the expected score 1 / (1 + 10^(-d / 400)). Raises
    ValueError if `elo0` is not less than `elo1`, if one of them is beyond ±1000, or if an error
    rate is not between 0 and 0.5.
    """

    elo0: float = 0.0
    """Elo difference under H0."""
    elo1: float = 5.0
    """Elo difference under H1."""
    alpha: float = 0.05
    """Probability of accepting H1 although H0 is true."""
    beta: float = 0.05
    """Probability of accepting H0 although H1 is true."""

    def __post_init__(self) -> None:
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise ValueError(
                f"elo0 must be less than elo1, both from {-_MOST_ELO} to {_MOST_ELO}: "
                f"{self.elo0} and {self.elo1} given"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must be between 0 and 0.5, both exclusive")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted."""
        return math.log(self.beta) - math.log1p(-self.alpha)

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return math.log1p(-self.beta) - math.log(self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """Return the log-likelihood ratio of H1 to H0 for pairs as in `MatchTally.pentanomial`."""
        if not any(pairs):
            return 0.0
        counts = [count or _UNSEEN for count in pairs]
        return _log_likelihood(counts, _score(self.elo1)) - _log_likelihood(
            counts, _score(self.elo0)
        )

    def verdict(self, pairs: Sequence[int]) -> Verdict:
        """Return the decision after these pairs; a test ends with the first decision."""
        llr = self.llr(pairs)
        if llr >= self.upper:
            return Verdict.H1
        return Verdict.H0 if llr <= self.lower else Verdict.CONTINUE

    def conclusion(self, pairs: Sequence[int], first: str) -> str | None:
        """Return the verdict in words, about the player `first`; None while the test goes on."""
        verdict = self.verdict(pairs)
        if verdict is Verdict.CONTINUE:
            return None
        # The text names only one hypothesis: the one that claims a difference. It says whether this
        # hypothesis is true.
        if self.elo1 > 0:
            claim, is_true = f"better by {self.elo1:g} Elo", verdict is Verdict.H1
        else:
            claim, is_true = f"worse by {-self.elo0:g} Elo", verdict is Verdict.H0
        return f"{verdict} accepted: {first} is {'' if is_true else 'not '}{claim}"


def _score(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def _log_likelihood(counts: Sequence[float], mean: float) -> float:
    """Return the largest log-likelihood with the expected score `mean`.

    The result is relative to the log-likelihood of the observed frequencies f. The most likely
    distribution is f / (1 + x (score - mean)), where the multiplier x makes the expectation of
    score - mean zero. Where all probabilities are positive, that expectation falls from plus to
    minus infinity. Newton's method finds x, with bisection where a step would leave this interval.
    """
    offsets = [score - mean for score in PAIR_SCORES]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    x = 0.0
    for _ in range(_MOST_STEPS):
        terms = [offset / (1 + x * offset) for offset in offsets]
        excess = sum(map(mul, counts, terms))
        low, high = (x, high) if excess > 0 else (low, x)
        before, x = x, x + excess / sum(map(mul, counts, map(mul, terms, terms)))
        if not low < x < high:
            x = (low + high) / 2
        if abs(x - before) <= _PRECISION * (1 + abs(x)):
            break
    logs = [math.log1p(x * offset) for offset in offsets]
    return -math.fsum(map(mul, counts, logs))
