"""The moves that recently ended a node: the history heuristic (J. Schaeffer, 1983).

Each player, stage of the game and square has a moving average. It rises when a stone on the square
ends a node, and falls when the stone was searched in vain. Moves that ended other nodes also often
lead to positions in the table.
"""

import numpy as np

from plywire.engine.compiled.constants import WORD
from plywire.engine.compiled.intrinsics import load64, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Flag, Ply, Score, Word

# An average is a fixed-point number from -_MOST to _MOST, with _POINT_BITS bits after the point.
# These constants were measured with openings.
_MOST = np.int64(6)
_POINT_BITS = np.int64(10)
#: Each result moves the average towards itself by the distance divided by 2**_RATE_BITS.
_RATE_BITS = np.int64(3)
#: A stage has 2**_STAGE_BITS plies.
_STAGE_BITS = np.int64(3)
_SQUARES = 64

#: The size of the history in words: an average for each player, stage and square. A game has at
#: most 63 plies.
HISTORY_WORDS = 2 * _SQUARES * (64 >> int(_STAGE_BITS))


@kernel
def averages_of(history: Address, ply: Ply) -> Address:
    """Return the address of the averages of the player to move after `ply` stones."""
    table = (ply >> _STAGE_BITS) * np.int64(2) + (ply & np.int64(1))
    return history + np.uint64(table * np.int64(_SQUARES)) * WORD


@kernel
def recalled(averages: Address, square: Word) -> Score:
    """Return the ordering value (int64) of a stone on a square."""
    return np.int64(load64(averages + square * WORD)) >> _POINT_BITS


@kernel
def remember(averages: Address, square: Word, was_enough: Flag) -> None:
    """Note whether a stone on a square ended its node."""
    address = averages + square * WORD
    average = np.int64(load64(address))
    outcome = (_MOST if was_enough else -_MOST) << _POINT_BITS
    store64(address, np.uint64(average + (outcome - average >> _RATE_BITS)))
