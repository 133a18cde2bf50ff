"""Four in a row, compiled: for one board or several, along one direction or several at once.

`stones`, and `step`, by which the bits of neighbours in a direction differ, are words or vectors.
"""

from plywire.engine.compiled.constants import THREE, TWO
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Word


@kernel
def fours_along(stones: Word, step: Word) -> Word:
    """The first square of every four in a row."""
    pairs = stones & stones >> step
    return pairs & pairs >> TWO * step


@kernel
def completing_along(stones: Word, step: Word) -> Word:
    """The squares, taken ones included, that would complete a four.

    A square completes a four if two stones follow on one side of it and a third stands beyond
    these or on its other side.
    """
    below = stones << step & stones << TWO * step
    above = stones >> step & stones >> TWO * step
    return below & (stones << THREE * step | stones >> step) | above & (
        stones >> THREE * step | stones << step
    )
