"""Lines of four, on one board or on eight at once: `stones` is a word or a vector of words."""

from typing import Any

import numpy as np

from plywire.engine.compiled.kernel import kernel

from .geometry import bottom, full, height, spare, stride, width

_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)


@kernel
def _completed_along(stones: Any, step: Any) -> Any:
    # A square completes a four if two stones follow on one side of it and a third stands beyond
    # these or on its other side.
    below = stones << step & stones << _TWO * step
    above = stones >> step & stones >> _TWO * step
    return below & (stones << _THREE * step | stones >> step) | above & (
        stones >> _THREE * step | stones << step
    )


@kernel
def completing(geometry: Any, stones: Any) -> Any:
    """The squares, taken ones and the spare row included, that would complete a four of stones."""
    step = stride(geometry)
    upwards = stones << _ONE & stones << _TWO & stones << _THREE
    flat = _completed_along(stones, step)
    rising = _completed_along(stones, step + _ONE)
    falling = _completed_along(stones, step - _ONE)
    return upwards | flat | rising | falling


@kernel
def _four_along(stones: Any, step: Any) -> Any:
    pairs = stones & stones >> step
    return pairs & pairs >> _TWO * step


@kernel
def fours(geometry: Any, stones: Any) -> Any:
    """The first square of every four in a row: 0 if there is none."""
    step = stride(geometry)
    sideways = _four_along(stones, step - _ONE) | _four_along(stones, step + _ONE)
    return _four_along(stones, _ONE) | _four_along(stones, step) | sideways


@kernel
def _lined_up_along(stones: Any, step: Any) -> Any:
    first = _four_along(stones, step)
    pairs = first | first << step
    return pairs | pairs << _TWO * step


@kernel
def lined_up(geometry: Any, stones: Any) -> Any:
    """Those of the stones that stand in a four."""
    step = stride(geometry)
    sideways = _lined_up_along(stones, step - _ONE) | _lined_up_along(stones, step + _ONE)
    return _lined_up_along(stones, _ONE) | _lined_up_along(stones, step) | sideways


@kernel
def landings(geometry: Any, taken: Any) -> Any:
    """The squares on which a stone can land."""
    return taken + bottom(geometry) & full(geometry)


@kernel
def columns_of(geometry: Any, squares: Any) -> Any:
    """All squares, the spare row excepted, of the columns that hold any of the squares.

    Adding a full column to a column that is not empty carries into its spare bit.
    """
    tops = squares + full(geometry) & spare(geometry)
    return tops - (tops >> height(geometry))


@kernel
def above(geometry: Any, squares: Any) -> Any:
    """All squares above the lowest of the squares in each column."""
    tops = squares + full(geometry) & spare(geometry)
    return (tops - squares | squares) << _ONE & full(geometry)


@kernel
def mirrored(geometry: Any, stones: Any) -> Any:
    """The stones seen from behind the board: the columns in reverse order."""
    step = stride(geometry)
    column = (_ONE << step) - _ONE
    result = stones & column
    rest = stones >> step
    for _ in range(width(geometry) - _ONE):
        result = result << step | rest & column
        rest = rest >> step
    return result
