"""Ratings of all players of an event at once, by maximum likelihood.

The model is that of Bradley and Terry with Davidson's draws ("On Extending the Bradley-Terry Model
to Accommodate Ties in Paired Comparison Experiments", Journal of the American Statistical
Association 65, 1970) and an advantage of the first move. Let u be the first player's strength minus
the second player's, plus that advantage:

    win : draw : loss  =  exp(u / 2) : nu : exp(-u / 2)

Strengths, advantage and nu are fitted together. The likelihood has one maximum, because it is that
of an exponential family. Newton's method finds the maximum; the error bars come from the curvature
there, the observed information.

A weak prior keeps all values finite, for players who won every game and for groups that never met.
Each player gets one game against an imaginary player of average strength. A quarter of that game is
won, half drawn, a quarter lost, and each colour has half of the game.

For the Elo scale, strengths are multiplied by 400 / ln 10 and by the share of decisive games
between equals, as in BayesElo (https://www.remi-coulom.fr/Bayesian-Elo/). Small differences then
mean the same expected score as on the logistic curve, at any rate of draws.
"""

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from .elo import Z95

_Array = NDArray[np.float64]
_Places = NDArray[np.intp]

#: The prior counts as games of each player. These are the shares of wins, draws and losses in them.
_PRIOR_SHARES = (0.25, 0.5, 0.25)

_NORMAL = NormalDist()

#: Precision of a strength. It is far smaller than any error bar.
_PRECISION = 1e-9
#: Maximum number of steps of the fit. It usually takes ten.
_MOST_STEPS = 200

_MOST_HALVINGS = 60

#: Minimum and maximum weight of the prior, in games. With a smaller one, rounding loses the prior;
#: with a greater one, rounding loses the games.
_LEAST_PRIOR, _MOST_PRIOR = 1e-7, 1e7


@dataclass(frozen=True, slots=True)
class Outcome:
    """Players and score of a game."""

    first: str
    """Player who moved first."""
    second: str
    """Player who moved second."""
    score: float
    """Score of `first`: 1, 0.5 or 0."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Strength of a player."""

    player: str
    elo: float
    """Rating relative to the mean of all players."""
    error: float
    """Half the width of the 95 % interval."""
    games: int
    """Number of games of the player."""
    points: float
    """Wins plus half of the draws."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Difference in strength of two players."""

    elo: float
    """Difference of the two ratings."""
    error: float
    """Half the width of its 95 % interval; smaller than the errors of both ratings suggest."""
    los: float
    """Likelihood of superiority: probability that the difference is above zero."""


class Ratings:
    """Ratings of all players of an event."""

    def __init__(
        self, table: Sequence[Rating], covariance: _Array, advantage: float, draw_rate: float
    ) -> None:
        self._place = {rating.player: place for place, rating in enumerate(table)}
        self._ratings = tuple(table)
        variance = np.diagonal(covariance)
        # Rounding may make the variance between two equal players negative.
        self._deviations = np.sqrt(np.maximum(np.add.outer(variance, variance) - 2 * covariance, 0))
        self.advantage = advantage
        """Advantage of the first move, in Elo."""
        self.draw_rate = draw_rate
        """Share of draws between equals without first-move advantage, 0 to 1."""

    @property
    def table(self) -> tuple[Rating, ...]:
        """The ratings, best first."""
        return tuple(sorted(self._ratings, key=lambda rating: -rating.elo))

    def __getitem__(self, player: str) -> Rating:
        return self._ratings[self._place[player]]

    def compare(self, player: str, other: str) -> Comparison:
        """Return the difference in strength of two players; raises KeyError for unknown ones."""
        one, two = self._place[player], self._place[other]
        if one == two:
            return Comparison(0.0, 0.0, 0.5)
        elo = self._ratings[one].elo - self._ratings[two].elo
        deviation = self._deviations.item(one, two)
        if not deviation:  # rounding can make the deviation zero
            return Comparison(elo, 0.0, 0.5 + math.copysign(0.5, elo) if elo else 0.5)
        return Comparison(elo, Z95 * deviation, _NORMAL.cdf(elo / deviation))


def rate(played: Iterable[Outcome], players: Sequence[str] = (), *, prior: float = 1.0) -> Ratings:
    """Rate all who played, and also `players` who did not.

    `prior` is the number of prior games of each player, from 1e-7 to 1e7. Raises ValueError for
    another prior, or for a score other than 1, 0.5 and 0.
    """
    if not _LEAST_PRIOR <= prior <= _MOST_PRIOR:
        raise ValueError(
            f"the prior must be a number of games from {_LEAST_PRIOR:g} to {_MOST_PRIOR:g}:"
            f" {prior} given"
        )
    games = _Games(players, prior)
    for outcome in played:
        games.add(outcome)
    return games.ratings()


class _Games:
    def __init__(self, players: Sequence[str], prior: float) -> None:
        self._index = {player: place for place, player in enumerate(dict.fromkeys(players))}
        self._prior = prior
        # Three numbers for each game: the first player, the second player, and the first player's
        # result. A win is 0, a draw 1, and a loss 2.
        self._played = array("l")

    def add(self, outcome: Outcome) -> None:
        """Count a game; raises ValueError for an impossible score."""
        if outcome.score not in (0.0, 0.5, 1.0):
            raise ValueError(f"a game gives 0, 0.5 or 1 points: {outcome.score} given")
        place = self._index
        first = place.setdefault(outcome.first, len(place))
        second = place.setdefault(outcome.second, len(place))
        self._played.extend((first, second, round(2 - 2 * outcome.score)))

    def ratings(self) -> Ratings:
        count = len(self._index)
        if not count:
            return Ratings((), np.empty((0, 0)), 0.0, 0.0)
        first, second, end = np.array(self._played, np.intp).reshape(-1, 3).T
        played = np.bincount(first, minlength=count) + np.bincount(second, minlength=count)
        points = np.bincount(first, 1 - end / 2, count) + np.bincount(second, end / 2, count)
        pairs, pair = np.unique(first * count + second, return_inverse=True)
        ends = np.bincount(3 * pair + end, minlength=3 * len(pairs)).reshape(-1, 3)
        # The prior is games of each player, with both colours, against an imaginary player. The
        # imaginary player has the index `count`, after all others.
        everybody, imaginary = np.arange(count), np.full(count, count)
        share = np.tile(np.array(_PRIOR_SHARES) * self._prior / 2, (2 * count, 1))
        strengths, advantage, log_draw, covariance = _Likelihood(
            np.concatenate([pairs // count, everybody, imaginary]),
            np.concatenate([pairs % count, imaginary, everybody]),
            np.concatenate([ends, share]),
        ).fit(count)
        draw = math.exp(log_draw)
        scale = 400 / math.log(10) * 2 / (2 + draw)
        # Games show only differences of strength, so the mean strength is set to zero.
        centre = np.eye(count) - 1 / count
        elos = scale * (centre @ strengths)
        covariance = scale**2 * (centre @ covariance @ centre)
        table = [
            Rating(
                player,
                float(elos[place]),
                Z95 * math.sqrt(max(covariance[place, place], 0.0)),
                int(played[place]),
                float(points[place]),
            )
            for player, place in self._index.items()
        ]
        return Ratings(table, covariance, scale * advantage, draw / (2 + draw))


def _solved(information: _Array, gradient: _Array) -> _Array:
    """Return the step to the maximum; if rounding makes the matrix singular, the shortest step."""
    try:
        return np.asarray(np.linalg.solve(information, gradient))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(information, gradient, rcond=None)[0])


def _inverse(information: _Array) -> _Array:
    """Return the covariance; the pseudo-inverse if rounding makes the matrix singular."""
    try:
        return np.asarray(np.linalg.inv(information))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(information))


class _Likelihood:
    """Log-likelihood of all strengths (the last one fixed at zero), the advantage and log nu."""

    def __init__(self, first: _Places, second: _Places, counts: _Array) -> None:
        # A game's difference of strength is a sum of three parameters. Each part holds a
        # parameter's index for each game, and its sign.
        advantage = np.full_like(first, max(first.max(), second.max()) + 1)
        self._parts = ((first, 1.0), (second, -1.0), (advantage, 1.0))
        self._lead = (counts[:, 0] - counts[:, 2]) / 2
        self._draws = counts[:, 1]
        self._total = counts.sum(axis=1)

    def fit(self, players: int) -> tuple[_Array, float, float, _Array]:
        """Return strengths, advantage and log nu at the maximum, and the strengths' covariance."""
        free = np.ix_([*range(players), players + 1, players + 2])[0]
        square = np.ix_(free, free)
        point = np.zeros(players + 3)
        value = self._value(point)
        for _ in range(_MOST_STEPS):
            gradient, information = self._derivatives(point)
            step = np.zeros_like(point)
            step[free] = _solved(information[square], gradient[free])
            # Far from the maximum, a full step may go too far. Then halve it.
            for _ in range(_MOST_HALVINGS):
                reached = self._value(point + step)
                if reached >= value - _PRECISION * abs(value):
                    break
                step /= 2
            else:
                break
            point, value = point + step, reached
            if np.abs(step).max() < _PRECISION:
                break
        information = self._derivatives(point)[1]
        covariance = _inverse(information[square])[:players, :players]
        return point[:players], float(point[-2]), float(point[-1]), covariance

    def _logits(self, point: _Array) -> tuple[_Array, _Array]:
        """Return half of each pair's difference, and the logarithm of the sum of the three odds."""
        half = sum((sign * point[places] for places, sign in self._parts), np.zeros(1)) / 2
        return half, np.logaddexp(np.logaddexp(half, -half), point[-1])

    def _value(self, point: _Array) -> float:
        half, norm = self._logits(point)
        return float((2 * self._lead * half + self._draws * point[-1] - self._total * norm).sum())

    def _derivatives(self, point: _Array) -> tuple[_Array, _Array]:
        half, norm = self._logits(point)
        win, draw, loss = np.exp(half - norm), np.exp(point[-1] - norm), np.exp(-half - norm)
        by_difference = self._lead - self._total * (win - loss) / 2
        by_both = -self._total * (win - loss) * draw / 2
        twice_by_difference = self._total * (win + loss - (win - loss) ** 2) / 4
        size = len(point)
        gradient = np.zeros(size)
        information = np.zeros((size, size))
        for places, sign in self._parts:
            gradient += sign * np.bincount(places, by_difference, minlength=size)
            information[-1] += sign * np.bincount(places, by_both, minlength=size)
            for others, other in self._parts:
                square = np.bincount(
                    places * size + others, twice_by_difference, minlength=size * size
                )
                information += sign * other * square.reshape(size, size)
        gradient[-1] = (self._draws - self._total * draw).sum()
        information[:, -1] = information[-1]
        information[-1, -1] = (self._total * draw * (1 - draw)).sum()
        return gradient, information
