"""Ratings that last from event to event: Glicko-2.

Mark E. Glickman, "Example of the Glicko-2 system" (http://www.glicko.net/glicko/glicko2.pdf), and
"Dynamic paired comparison models with stochastic variances", Journal of Applied Statistics 28
(2001). An event is a rating period: all its games are rated at once, against the ratings that the
players had before, and the order of the games does not matter.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .bradley_terry import Outcome

#: Points of the usual scale in one unit of the internal scale, as Glickman rounds it.
_UNIT = 173.7178

#: How much volatility may change, Glickman's tau; he recommends 0.3 to 1.2.
_CHANGE = 0.5

#: Of the logarithm of the squared volatility.
_PRECISION = 1e-6

#: Nobody is less known than a newcomer, however long ago the last event was.
_MOST_DEVIATION = 350.0


@dataclass(frozen=True, slots=True)
class Glicko:
    """A player's rating; a newcomer's unless said otherwise."""

    rating: float = 1500.0
    """On a scale on which 400 points stand for odds of ten to one."""
    deviation: float = _MOST_DEVIATION
    """Standard error of the rating."""
    volatility: float = 0.06
    """How much the player's strength changes from event to event."""

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end of the 95 % interval, which is two deviations here."""
        return self.rating - 2 * self.deviation, self.rating + 2 * self.deviation


def rate_event(ratings: Mapping[str, Glicko], outcomes: Iterable[Outcome]) -> dict[str, Glicko]:
    """The ratings after an event.

    Who played for the first time is added as a newcomer; who did not play becomes less certain.
    """
    games: defaultdict[str, list[tuple[Glicko, float]]] = defaultdict(list)
    newcomer = Glicko()
    for outcome in outcomes:
        first = ratings.get(outcome.first, newcomer)
        second = ratings.get(outcome.second, newcomer)
        games[outcome.first].append((second, outcome.score))
        games[outcome.second].append((first, 1 - outcome.score))
    return {
        player: update(ratings.get(player, newcomer), games[player])
        for player in dict.fromkeys([*ratings, *games])
    }


def update(player: Glicko, games: Iterable[tuple[Glicko, float]]) -> Glicko:
    """A player's rating after an event, from opponents before it and the player's scores.

    The steps are numbered as in Glickman's example.
    """
    phi = player.deviation / _UNIT  # Step 2
    information = improvement = 0.0
    for opponent, score in games:  # Steps 3 and 4
        weight = 1 / math.sqrt(1 + 3 * (opponent.deviation / _UNIT / math.pi) ** 2)
        gap = (player.rating - opponent.rating) / _UNIT
        expected = 1 / (1 + math.exp(-weight * gap))
        information += weight**2 * expected * (1 - expected)
        improvement += weight * (score - expected)
    volatility = player.volatility
    if information:
        delta = improvement / information
        volatility = _volatility(volatility, phi, 1 / information, delta)  # Step 5
    phi = math.hypot(phi, volatility)  # Step 6
    phi = 1 / math.sqrt(1 / phi**2 + information)  # Step 7
    rating = player.rating + _UNIT * phi**2 * improvement  # and back, Step 8
    return Glicko(rating, min(_UNIT * phi, _MOST_DEVIATION), volatility)


def _volatility(before: float, phi: float, variance: float, delta: float) -> float:
    """Step 5: the root of Glickman's f by the Illinois variant of regula falsi."""
    centre = math.log(before**2)
    excess = delta**2 - phi**2 - variance

    def f(x: float) -> float:
        power = math.exp(x)
        return (
            power * (excess - power) / (2 * (phi**2 + variance + power) ** 2)
            - (x - centre) / _CHANGE**2
        )

    a = centre
    if excess > 0:
        b = math.log(excess)
    else:
        b = centre - _CHANGE
        while f(b) < 0:
            b -= _CHANGE
    at_a, at_b = f(a), f(b)
    while abs(b - a) > _PRECISION:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return math.exp(a / 2)
