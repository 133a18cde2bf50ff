"""Multi-ProbCut: judging a deep search by a shallow one.

The value at a depth is, but for a shift, close to the value at a smaller depth, with an error that
is nearly normally distributed. Where the shallow value is so far beyond a bound that the deep one
is hardly on its other side, the deep search is left out (M. Buro, "ProbCut: An effective selective
extension of the alpha-beta algorithm", ICCA Journal 18(2), 1995; "Experiments with Multi-ProbCut
and a new high-quality evaluation function for Othello", 1997).

For each number of empty squares and each depth there are three signed 16-bit numbers, from
`regression.py`:

    the shallow depth       in plies
    the shift               of the deep value, in hundredths of a disc
    the standard deviation  of the deep value around that, in hundredths of a disc

Before them stand the deviations that each level demands, in 1/256, and those demanded where the
estimate alone tells, without a shallow search: two plies before the leaves, all levels but the
highest.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.intrinsics import load64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello.endgame.memory import PROBCUT
from plywire.engine.othello.evaluation.evaluation import signed16

#: Depths are below this.
DEPTHS = 64
#: 16-bit words before the first row.
HEAD_WORDS = 8
#: The word among them of what is demanded of an estimate alone; it stands for a level.
ALONE = 4

_DEPTHS = np.uint64(DEPTHS)
_HEAD = np.uint64(2 * HEAD_WORDS)
_ROW = np.uint64(6)
_SHIFT = np.uint64(2)
_DEVIATION = np.uint64(4)


@kernel
def _row(context: Any, empty: Any, depth: Any) -> Any:
    return load64(context + PROBCUT) + _HEAD + (empty * _DEPTHS + np.uint64(depth)) * _ROW


@kernel
def probcut_depth(context: Any, empty: Any, depth: Any) -> Any:
    """The depth that stands for another where so many squares are empty (int64)."""
    return signed16(_row(context, empty, depth))


@kernel
def threshold(context: Any, empty: Any, depth: Any, level: Any, bound: Any, sign: Any) -> Any:
    """The shallow value from which on the deep one is trusted to be beyond a bound.

    From there on upwards if `sign` is 1, downwards if it is -1.
    """
    row = _row(context, empty, depth)
    deviations = signed16(load64(context + PROBCUT) + np.uint64(2) * np.uint64(level))
    margin = signed16(row + _DEVIATION) * deviations >> np.int64(8)
    return bound + sign * margin - signed16(row + _SHIFT)
