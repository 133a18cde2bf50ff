"""Multi-ProbCut: judging a deep search by a shallow one.

The value at a depth is close to a linear function of the value at a smaller depth, with an error
that is nearly normally distributed. Where the shallow value is so far beyond a bound that the deep
one is hardly on its other side, the deep search is left out (M. Buro, "ProbCut: An effective
selective extension of the alpha-beta algorithm", ICCA Journal 18(2), 1995, and "Experiments with
Multi-ProbCut and a new high-quality evaluation function for Othello", 1997).

For each number of empty squares and each depth there are four signed 16-bit numbers, which
`plywire train othello --probcut` fits:

    the shallow depth       in plies
    the inverse slope       in 1/1024: by how much the shallow value moves when the deep one does
    the intercept           of the deep value, in hundredths of a disc
    the standard deviation  of the deep value, in hundredths of a disc

Before them stand the deviations that each level demands, in 1/256.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled import kernel
from plywire.engine.intrinsics import load64
from plywire.engine.othello.endgame.memory import PROBCUT
from plywire.engine.othello.evaluation import weight

#: Depths are below this.
DEPTHS = 64
#: Bytes before the first row, and of a row.
HEAD_BYTES = 16
ROW_BYTES = 8
_ROW = np.uint64(ROW_BYTES)
_HEAD = np.uint64(HEAD_BYTES)
_DEPTHS = np.uint64(DEPTHS)


@kernel
def _row(context: Any, empty: Any, depth: Any) -> Any:
    return load64(context + PROBCUT) + _HEAD + (empty * _DEPTHS + np.uint64(depth)) * _ROW


@kernel
def probcut_depth(context: Any, empty: Any, depth: Any) -> Any:
    """The depth that tells most about another where so many squares are empty (int64)."""
    return weight(_row(context, empty, depth))


@kernel
def threshold(context: Any, empty: Any, depth: Any, level: Any, bound: Any, sign: Any) -> Any:
    """The shallow value from which on the deep one is trusted to be beyond a bound.

    Above it if `sign` is 1, below it if that is -1.
    """
    row = _row(context, empty, depth)
    deviations = weight(load64(context + PROBCUT) + np.uint64(2) * np.uint64(level))
    margin = weight(row + np.uint64(6)) * deviations >> np.int64(8)
    aim = bound + sign * margin - weight(row + np.uint64(4))
    return aim * weight(row + np.uint64(2)) >> np.int64(10)
