"""The geometry of the report's charts, in the units of an SVG view box."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plywire.clients.play.matches.outcomes import outcomes
from plywire.clients.play.matches.records import Finished
from plywire.clients.play.ratings.bradley_terry import Rating

from .formats import signed

#: Width of each chart, in units of SVG.
WIDTH = 720.0
#: Maximum number of lines with their own colour and label.
COLOURS = 8
#: Maximum number of points of a line.
_MOST_POINTS = 240
#: The height of a bar with the space around it, in units of SVG.
_ROW = 30.0
_LEADING = 16.0


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A player's rating with its error bar: x positions, and `y`, the centre of the row."""

    rating: Rating
    y: float
    start: float
    end: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RatingChart:
    """Bars that begin at the mean rating."""

    bars: Sequence[Bar]
    ticks: Sequence[Tick]
    left: float
    right: float
    zero: float
    height: float


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A player's points above an even score, after each game."""

    player: str
    colour: int | None
    points: str
    end: tuple[float, float]
    label_y: float
    balance: float
    """Points above an even score after the last game."""


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """The lines of all players; the best player's line is last, so it is drawn on top."""

    lines: Sequence[ScoreLine]
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]
    left: float
    right: float
    top: float
    bottom: float
    zero: float
    height: float


class _Scale:
    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self._low, self._start = low, start
        self._factor = (end - start) / ((high - low) or 1.0)

    def __call__(self, value: float) -> float:
        return round(self._start + (value - self._low) * self._factor, 2)


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most `most` round values: 1, 2 or 5 times a power of ten apart."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(
        power * factor for factor in (1, 2, 5, 10, 20) if span / (power * factor) <= most - 1
    )
    return [step * place for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def rating_chart(table: Sequence[Rating]) -> RatingChart:
    """Lay out the ratings, best first."""
    left, right, top = 170.0, WIDTH - 110, 8.0
    low = min([0.0, *(rating.elo - rating.error for rating in table)])
    high = max([0.0, *(rating.elo + rating.error for rating in table)])
    scale = _Scale(low, high, left, right)
    bars = [
        Bar(
            rating,
            y=top + _ROW * (row + 0.5),
            start=min(scale(0), scale(rating.elo)),
            end=max(scale(0), scale(rating.elo)),
            low=scale(rating.elo - rating.error),
            high=scale(rating.elo + rating.error),
        )
        for row, rating in enumerate(table)
    ]
    ticks = [Tick(scale(value), signed(value)) for value in _ticks(low, high, 10)]
    return RatingChart(bars, ticks, left, right, scale(0), top + _ROW * len(table) + 28)


def score_chart(games: Iterable[Finished], players: Sequence[str]) -> ScoreChart:
    """Lay out these players' scores over the games; `players` are best first."""
    balances: Mapping[str, list[float]] = {player: [0.0] for player in players}
    for outcome in outcomes(sorted(games, key=lambda game: game.number)):
        gain = outcome.score - 0.5
        for player, change in ((outcome.first, gain), (outcome.second, -gain)):
            if player in balances:
                balances[player].append(balances[player][-1] + change)
    left, right, top, bottom = 44.0, WIDTH - 150, 12.0, 300.0
    low = min(-1.0, *map(min, balances.values()))
    high = max(1.0, *map(max, balances.values()))
    most = max(map(len, balances.values())) - 1
    x, y = _Scale(0, most, left, right), _Scale(high, low, top, bottom)
    labels = _apart([y(balances[player][-1]) for player in players[:COLOURS]], top, bottom)
    lines = []
    for place, player in enumerate(players):
        values = balances[player]
        kept = sorted(
            {round(i * (len(values) - 1) / _MOST_POINTS) for i in range(_MOST_POINTS + 1)}
        )
        coloured = place < COLOURS
        end = (x(len(values) - 1), y(values[-1]))
        lines.append(
            ScoreLine(
                player,
                colour=place + 1 if coloured else None,
                points=" ".join(f"{x(game)},{y(values[game])}" for game in kept),
                end=end,
                label_y=labels[place] if coloured else end[1],
                balance=values[-1],
            )
        )
    return ScoreChart(
        lines=lines[::-1],
        x_ticks=[Tick(x(value), f"{value:g}") for value in _ticks(0, most, 12) if value % 1 == 0],
        y_ticks=[Tick(y(value), signed(value, 1)) for value in _ticks(low, high, 9)],
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        zero=y(0),
        height=bottom + 34,
    )


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return label positions that do not overlap, as near as possible to those wanted."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    places = list(wanted)
    above = top - _LEADING
    for place in order:
        above = places[place] = max(places[place], above + _LEADING)
    below = bottom + _LEADING
    for place in reversed(order):
        below = places[place] = min(places[place], below - _LEADING)
    return places
