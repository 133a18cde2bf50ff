"""Line charts as SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 20, 40, 50
_COLOURS = ("#1f77b4", "#d95f02", "#1b9e77", "#7570b3")
_TICKS = 6


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart, as points in ascending order of x."""

    name: str
    points: Sequence[tuple[float, float]]


def draw(title: str, x_label: str, y_label: str, lines: Sequence[Series]) -> str:
    """Draw lines with their names, and axes that begin and end at round numbers, as SVG.

    Raises ValueError if no line has a point.
    """
    points = [point for line in lines for point in line.points]
    if not points:
        raise ValueError("a chart needs at least one point")
    x_ticks = _ticks(min(x for x, _ in points), max(x for x, _ in points))
    y_ticks = _ticks(min(y for _, y in points), max(y for _, y in points))

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])
        up = (y - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])
        return (
            _LEFT + across * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM),
        )

    parts = [_text(_WIDTH / 2, 22, title, size=16)]
    for tick in x_ticks:
        x, y = place(tick, y_ticks[0])
        parts.append(_text(x, y + 18, f"{tick:g}"))
    for tick in y_ticks:
        x, y = place(x_ticks[0], tick)
        parts.append(f'<path d="M{x:.1f} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>')
        parts.append(_text(x - 8, y + 4, f"{tick:g}", anchor="end"))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, x_label))
    parts.append(_text(_LEFT, _TOP - 6, y_label, anchor="start"))
    for number, line in enumerate(lines):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in line.points))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = _TOP + 16 + 18 * number
        parts.append(_text(_WIDTH - _RIGHT - 6, y, line.name, anchor="end", colour=colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _ticks(low: float, high: float) -> list[float]:
    """Choose evenly spaced round numbers, from at most `low` to at least `high`."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span / _TICKS))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power * _TICKS >= span)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def _text(
    x: float, y: float, text: str, *, anchor: str = "middle", size: int = 12, colour: str = "#333"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
        f'fill="{colour}">{escape(text)}</text>'
    )
