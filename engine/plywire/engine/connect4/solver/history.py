"""Which moves were enough lately: the history heuristic (J. Schaeffer, 1983).

For each side, stage of the game and square there is a moving average. It rises when a stone on the
square ends its node, and falls when the stone was searched and was not enough. Moves that were
enough elsewhere also lead to positions that the table knows already.
"""

import numpy as np

from plywire.engine.compiled.constants import WORD
from plywire.engine.compiled.intrinsics import load64, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Flag, Ply, Score, Word

# Averages lie between plus and minus the most that they count in the order of moves, with so many
# bits after the point. Values measured on suites of openings.
_MOST = np.int64(6)
_POINT_BITS = np.int64(10)
#: Each result moves the average by their difference, divided by two to this power.
_RATE_BITS = np.int64(3)
#: The plies of a stage are two to this power.
_STAGE_BITS = np.int64(3)
_SQUARES = 64

#: Averages of both sides in all stages; nobody plays more than 63 plies.
HISTORY_WORDS = 2 * _SQUARES * (64 >> int(_STAGE_BITS))


@kernel
def averages_of(history: Address, ply: Ply) -> Address:
    """The address of the averages of who moves with that many stones on the board."""
    table = (ply >> _STAGE_BITS) * np.int64(2) + (ply & np.int64(1))
    return history + np.uint64(table * np.int64(_SQUARES)) * WORD


@kernel
def recalled(averages: Address, square: Word) -> Score:
    """What a stone on a square counts in the order of moves, as int64."""
    return np.int64(load64(averages + square * WORD)) >> _POINT_BITS


@kernel
def remember(averages: Address, square: Word, was_enough: Flag) -> None:
    """Note that a stone on a square ended its node, or was searched and was not enough."""
    address = averages + square * WORD
    average = np.int64(load64(address))
    outcome = (_MOST if was_enough else -_MOST) << _POINT_BITS
    store64(address, np.uint64(average + (outcome - average >> _RATE_BITS)))
