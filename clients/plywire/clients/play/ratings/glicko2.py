"""Ratings that continue from event to event: Glicko-2.

Mark E. Glickman, "Example of the Glicko-2 system" (http://www.glicko.net/glicko/glicko2.pdf), and
"Dynamic paired comparison models with stochastic variances", Journal of Applied Statistics 28
(2001). An event is a rating period: all its games are rated at once against the ratings before it,
in any order.

The algorithm alone has no bounds: thirty upsets in one event can move a rating by 50,000 points.
Like rating servers, this module therefore bounds ratings, deviations, volatilities and the change
in one event. A value out of bounds counts as the nearest bound.

Two players with equal values who meet equal opponents keep their order. If one player scores at
least as much in each game, that player does not end below the other.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .bradley_terry import Outcome

#: Number of points of the usual scale in one unit of the internal scale, as Glickman rounds it.
_UNIT = 173.7178

#: Glickman's tau, which limits changes of volatility. He recommends 0.3 to 1.2.
_CHANGE = 0.5

#: The search for the logarithm of the squared volatility ends at this precision, or after the
#: maximum number of steps. It usually takes six.
_PRECISION = 1e-10
_MOST_STEPS = 50

#: Step of the search for an interval with the root. It is small, so that the first interval in
#: which f changes sign holds only one root.
_STEP = 0.125

#: Highest rating; the lowest is 0.
_MOST_RATING = 4000.0

#: Maximum deviation, which is also the deviation of a new player.
_MOST_DEVIATION = 350.0

#: Minimum deviation of a player. With a smaller one, ratings would hardly change. Glickman
#: recommends 30 ("The Glicko system", step 1).
_LEAST_DEVIATION = 30.0

#: Bounds of the volatility. The lower one keeps the logarithm finite; Lichess also has the upper
#: one.
_LEAST_VOLATILITY, _MOST_VOLATILITY = 0.01, 0.1

#: Maximum change of a rating in one event. Lichess allows the same change in one game.
_MOST_CHANGE = 700.0


@dataclass(frozen=True, slots=True)
class Glicko:
    """A player's rating; the defaults are a newcomer's."""

    rating: float = 1500.0
    """Rating on a scale where 400 points stand for odds of ten to one."""
    deviation: float = _MOST_DEVIATION
    """Standard error of the rating."""
    volatility: float = 0.06
    """How much the player's strength changes from event to event."""

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end of the 95 % interval, at two deviations."""
        return self.rating - 2 * self.deviation, self.rating + 2 * self.deviation

    @property
    def bounded(self) -> "Glicko":
        """The rating with each value within its bounds; a fixed rating has a deviation of 0."""
        return Glicko(
            _bounded(self.rating, 0.0, _MOST_RATING),
            _bounded(self.deviation, 0.0, _MOST_DEVIATION),
            _bounded(self.volatility, _LEAST_VOLATILITY, _MOST_VOLATILITY),
        )


def rate_event(ratings: Mapping[str, Glicko], outcomes: Iterable[Outcome]) -> dict[str, Glicko]:
    """Return the ratings after an event; players who did not play become less certain."""
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
    """Return a player's rating after an event; steps are numbered as in Glickman's example."""
    player = player.bounded
    phi = max(player.deviation, _LEAST_DEVIATION) / _UNIT  # Step 2
    information = improvement = 0.0
    for opponent, score in games:  # Steps 3 and 4
        doubt = _bounded(opponent.deviation, 0.0, _MOST_DEVIATION) / _UNIT
        weight = 1 / math.sqrt(1 + 3 * (doubt / math.pi) ** 2)
        gap = (player.rating - _bounded(opponent.rating, 0.0, _MOST_RATING)) / _UNIT
        expected = 1 / (1 + math.exp(-weight * gap))
        information += weight**2 * expected * (1 - expected)
        improvement += weight * (_bounded(score, 0.0, 1.0) - expected)
    volatility = player.volatility
    if information:
        delta = improvement / information
        volatility = _volatility(volatility, phi, 1 / information, delta)  # Step 5
    phi = math.hypot(phi, volatility)  # Step 6
    phi = 1 / math.sqrt(1 / phi**2 + information)  # Step 7
    change = _bounded(_UNIT * phi**2 * improvement, -_MOST_CHANGE, _MOST_CHANGE)
    return Glicko(  # back to the usual scale, Step 8
        _bounded(player.rating + change, 0.0, _MOST_RATING),
        _bounded(_UNIT * phi, _LEAST_DEVIATION, _MOST_DEVIATION),
        volatility,
    )


def _volatility(before: float, phi: float, variance: float, delta: float) -> float:
    """Step 5: return the root of Glickman's f that is nearest to the volatility `before`.

    If no root lies between the bounds of volatilities, return the bound in its direction.

    After great surprises f has several roots. The nearest one grows with the surprise, which keeps
    the order of players; at the farther ones ratings run away.
    """
    centre = 2 * math.log(before)
    least, most = 2 * math.log(_LEAST_VOLATILITY), 2 * math.log(_MOST_VOLATILITY)
    spread = phi**2 + variance
    excess = delta**2 - spread

    def f(x: float) -> float:
        power = math.exp(x)
        return power * (excess - power) / (2 * (spread + power) ** 2) - (x - centre) / _CHANGE**2

    # If f is positive at the centre, the root is above the centre, otherwise below it.
    a, at_a = centre, f(centre)
    bound, step = (most, _STEP) if at_a > 0 else (least, -_STEP)
    while a != bound:
        b = _bounded(a + step, least, most)
        at_b = f(b)
        if (at_b > 0) != (at_a > 0):
            break
        a, at_a = b, at_b
    else:
        b, at_b = a, at_a
    # The Illinois variant of regula falsi. The root stays between a and b.
    for _ in range(_MOST_STEPS):
        if abs(b - a) <= _PRECISION or at_b == at_a:
            break
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return _bounded(math.exp(b / 2), _LEAST_VOLATILITY, _MOST_VOLATILITY)


def _bounded(value: float, least: float, most: float) -> float:
    return min(most, max(least, value))
