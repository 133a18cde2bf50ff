"""Four in a row, on one board or several: `stones` and `step` are words or vectors."""

from plywire.engine.compiled.constants import THREE, TWO
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Word


@kernel
def fours_along(stones: Word, step: Word) -> Word:
    """Return the first square of every four in a row."""
    pairs = stones & stones >> step
    return pairs & pairs >> TWO * step


@kernel
def completing_along(stones: Word, step: Word) -> Word:
    """Return the squares, taken ones included, that would complete a four.

    Two stones are next to the square on one side; the third is behind them or on the other side.
    """
    below = stones << step & stones << TWO * step
    above = stones >> step & stones >> TWO * step
    return below & (stones << THREE * step | stones >> step) | above & (
        stones >> THREE * step | stones << step
    )
