"""Lines of four, on one board or on eight at once: `stones` is a word or a vector."""

from plywire.engine.compiled.constants import ONE, THREE, TWO
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Word
from plywire.engine.connect4.fours import completing_along, fours_along

from .geometry import Geometry, bottom, full, height, spare, stride, width


@kernel
def completing(geometry: Geometry, stones: Word) -> Word:
    """Return the squares, taken ones and the spare row included, that would complete a four."""
    step = stride(geometry)
    upwards = stones << ONE & stones << TWO & stones << THREE
    flat = completing_along(stones, step)
    rising = completing_along(stones, step + ONE)
    falling = completing_along(stones, step - ONE)
    return upwards | flat | rising | falling


@kernel
def fours(geometry: Geometry, stones: Word) -> Word:
    """Return the first square of every four in a row."""
    step = stride(geometry)
    sideways = fours_along(stones, step - ONE) | fours_along(stones, step + ONE)
    return fours_along(stones, ONE) | fours_along(stones, step) | sideways


@kernel
def _squares_along(first: Word, step: Word) -> Word:
    """Return all four squares of the lines that begin on the `first` squares."""
    pairs = first | first << step
    return pairs | pairs << TWO * step


@kernel
def _lined_up_along(stones: Word, step: Word) -> Word:
    return _squares_along(fours_along(stones, step), step)


@kernel
def begun_along(stones: Word, free: Word, step: Word) -> Word:
    """Return the squares of lines in one direction that lie on free squares and hold a stone."""
    pairs = stones | stones >> step
    return _squares_along(fours_along(free, step) & (pairs | pairs >> TWO * step), step)


@kernel
def paired_along(stones: Word, free: Word, step: Word) -> Word:
    """Return the squares of lines that lie on free squares and hold two or more stones."""
    next_to = stones & stones >> step
    either = stones | stones >> step
    paired = next_to | next_to >> TWO * step | either & either >> TWO * step
    return _squares_along(fours_along(free, step) & paired, step)


@kernel
def lined_up(geometry: Geometry, stones: Word) -> Word:
    """Return the stones that stand in a four."""
    step = stride(geometry)
    sideways = _lined_up_along(stones, step - ONE) | _lined_up_along(stones, step + ONE)
    return _lined_up_along(stones, ONE) | _lined_up_along(stones, step) | sideways


@kernel
def landings(geometry: Geometry, taken: Word) -> Word:
    """Return the squares on which a stone can land."""
    return taken + bottom(geometry) & full(geometry)


@kernel
def columns_of(geometry: Geometry, squares: Word) -> Word:
    """Return the whole columns, without the spare row, that contain any of the squares."""
    # If a column holds one of the squares, adding a full column to it carries into its spare bit.
    tops = squares + full(geometry) & spare(geometry)
    return tops - (tops >> height(geometry))


@kernel
def above(geometry: Geometry, squares: Word) -> Word:
    """Return all squares above the lowest given square in each column."""
    tops = squares + full(geometry) & spare(geometry)
    return (tops - squares | squares) << ONE & full(geometry)


@kernel
def mirrored(geometry: Geometry, stones: Word) -> Word:
    """Return the stones with the columns in reverse order."""
    step = stride(geometry)
    column = (ONE << step) - ONE
    result = stones & column
    rest = stones >> step
    for _ in range(width(geometry) - ONE):
        result = result << step | rest & column
        rest = rest >> step
    return result
