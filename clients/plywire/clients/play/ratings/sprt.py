"""A sequential probability ratio test of pairs of games: play until the question is answered.

Wald's test stops as soon as the likelihood of one hypothesis outweighs that of the other by a
factor that the wanted error rates give ("Sequential Tests of Statistical Hypotheses", Annals of
Mathematical Statistics 16, 1945). Here a hypothesis only fixes the expected score; how likely the
five results of a pair are is unknown, and each hypothesis gets the benefit of the most likely
distribution that has its expected score. This is the generalised test (GSPRT) that Stockfish's
testing framework runs on pentanomial results: M. Van den Bergh, "A practical introduction to the
GSPRT" and "The generalized SPRT for expected scores"
(http://hardy.uhasselt.be/Fishtest/GSPRT_approximation.pdf and support_MLE_multinomial.pdf).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import mul

#: The score of a game that each class of pairs gives, from two losses to two wins.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

#: Stands in for a result that has not occurred, in pairs: it may yet occur.
_UNSEEN = 1e-3

#: Of a multiplier, and how many steps may be spent on one: six are usual.
_PRECISION = 1e-12
_MOST_STEPS = 100

#: Beyond this, one game in three hundred would be an upset: too few to test anything.
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
    """Is the first player's Elo difference `elo1` (H1) or only `elo0` (H0)?

    Elo is logistic: a difference d stands for the expected score 1 / (1 + 10^(-d / 400)).
    Raises ValueError if `elo0` is not less than `elo1`, if one of them is beyond ±1000, or if an
    error rate is not between 0 and 0.5.
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
        """H0 is accepted when the log-likelihood ratio falls to this."""
        return math.log(self.beta) - math.log1p(-self.alpha)

    @property
    def upper(self) -> float:
        """H1 is accepted when the log-likelihood ratio rises to this."""
        return math.log1p(-self.beta) - math.log(self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0.

        `pairs` holds how many pairs gave the first player 0, 0.5, 1, 1.5 and 2 points, as
        `plywire.clients.play.ratings.elo.MatchTally.pentanomial` does.
        """
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
        """The verdict in words, `first` being the first player's name; None while there is none."""
        verdict = self.verdict(pairs)
        if verdict is Verdict.CONTINUE:
            return None
        # Only the hypothesis that claims a difference is put in words, and then held or denied.
        if self.elo1 > 0:
            claim, is_true = f"better by {self.elo1:g} Elo", verdict is Verdict.H1
        else:
            claim, is_true = f"worse by {-self.elo0:g} Elo", verdict is Verdict.H0
        return f"{verdict} accepted: {first} is {'' if is_true else 'not '}{claim}"


def _score(elo: float) -> float:
    """The expected score at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def _log_likelihood(counts: Sequence[float], mean: float) -> float:
    """The most that the log-likelihood can be if the expected score is `mean`.

    It is relative to that of the observed frequencies f. The most likely distribution is
    f / (1 + x (score - mean)), where the multiplier x of the constraint makes the expectation of
    score - mean vanish. On the interval on which all probabilities are positive that expectation
    falls from plus to minus infinity: Newton's method finds x, with bisection where it would leave
    the interval.
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
