"""Statistics of a match between two players.

If every game has its twin (the same opening with swapped colours), the unit of observation is a
pair of games, else a single game. Scores of units lie between 0 and 1: five classes for pairs
(pentanomial), three for games (trinomial). Pairs are less noisy, because an opening that favours
one colour favours each player once.

The interval is that of Agresti and Coull ("Approximate is better than exact", The American
Statistician 52, 1998), extended from two classes to many: add z² pseudo-units, half of them lost
and half won, then take mean ± z standard errors. The deviation is never zero, even if all games
ended alike. A bound beyond 0 or 1 has no Elo value and is reported as missing.

The likelihood of superiority is the probability that the better score is no accident. It uses the
normal approximation for equal players, for games Φ((W - L) / √(W + L))
(https://www.chessprogramming.org/Match_Statistics).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist

#: Half width of the interval that holds 95 % of a normal distribution, in standard deviations.
Z95 = NormalDist().inv_cdf(0.975)


def elo(score: float) -> float | None:
    """Return the Elo difference for an expected score between 0 and 1; None at 0 and 1."""
    if not 0 < score < 1:
        return None
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated strength from the view of the first player."""

    score: float
    """Mean score of a game, 0 to 1."""
    low: float
    """Lower end of the 95 % interval of the score, at least 0."""
    high: float
    """Upper end of the 95 % interval of the score, at most 1."""
    los: float
    """Likelihood of superiority, 0 to 1."""

    @property
    def elo(self) -> float | None:
        """Elo difference; None if one player won every game."""
        return elo(self.score)

    @property
    def elo_low(self) -> float | None:
        """Lower end of the 95 % interval in Elo; None if there is none."""
        return elo(self.low)

    @property
    def elo_high(self) -> float | None:
        """Upper end of the 95 % interval in Elo; None if there is none."""
        return elo(self.high)

    def __str__(self) -> str:
        """Write the Elo difference, such as `+35.2 (+12.1 to +58.9)` or `> +533.0`."""
        low, high = self.elo_low, self.elo_high
        if low is None and high is None:
            return "unknown (too few games)"
        if low is None:
            interval = f"< {high:+.1f}"
        elif high is None:
            interval = f"> {low:+.1f}"
        else:
            interval = f"{low:+.1f} to {high:+.1f}"
        return interval if self.elo is None else f"{self.elo:+.1f} ({interval})"


def estimate(units: Iterable[float] | Mapping[float, int]) -> Estimate:
    """Estimate from the scores of units (games or pairs), 0 to 1, or from their counts."""
    counts = Counter(units)
    n = counts.total()
    if not n:
        return Estimate(0.5, 0.0, 1.0, 0.5)
    points = sum(score * count for score, count in counts.items())
    pseudo = Z95 * Z95
    total = n + pseudo
    mean = (points + pseudo / 2) / total
    squares = sum(count * (score - mean) ** 2 for score, count in counts.items())
    squares += pseudo / 2 * (mean**2 + (1 - mean) ** 2)
    margin = Z95 * math.sqrt(squares) / total
    null_squares = sum(count * (score - 0.5) ** 2 for score, count in counts.items())
    los = NormalDist().cdf((points - n / 2) / math.sqrt(null_squares)) if null_squares else 0.5
    return Estimate(points / n, max(mean - margin, 0.0), min(mean + margin, 1.0), los)


class MatchTally:
    """Wins, draws and losses of a match's first player."""

    def __init__(self) -> None:
        self._scores: Counter[float] = Counter()
        self._pairs: Counter[float] = Counter()
        self._unpaired: dict[int, float] = {}

    def add(self, number: int, score: float) -> None:
        """Count game `number` (from 0; games 2k and 2k + 1 form a pair): 1, 0.5 or 0 points."""
        self._scores[score] += 1
        twin = self._unpaired.pop(number ^ 1, None)
        if twin is None:
            self._unpaired[number] = score
        else:
            self._pairs[(score + twin) / 2] += 1

    @property
    def games(self) -> int:
        """Number of games."""
        return self._scores.total()

    @property
    def wins(self) -> int:
        """Number of games that the first player won."""
        return self._scores[1.0]

    @property
    def draws(self) -> int:
        """Number of drawn games."""
        return self._scores[0.5]

    @property
    def losses(self) -> int:
        """Number of games that the first player lost."""
        return self._scores[0.0]

    @property
    def paired(self) -> bool:
        """Whether every game has its twin, so that pairs are the units."""
        return bool(self._pairs) and not self._unpaired

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """Numbers of pairs that gave the first player 0, 0.5, 1, 1.5 and 2 points."""
        counts = self._pairs
        return (counts[0.0], counts[0.25], counts[0.5], counts[0.75], counts[1.0])

    def estimate(self) -> Estimate:
        """Estimate the Elo difference, from pairs if all games are paired."""
        return estimate(self._pairs if self.paired else self._scores)
