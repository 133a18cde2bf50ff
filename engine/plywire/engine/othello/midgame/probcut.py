"""Multi-ProbCut: predicting a deep search from a shallow one (M. Buro, ICCA Journal 18(2), 1995).

The score of a shallow search predicts that of a deep search with a shift and a nearly normal error.
If the shallow score is far enough beyond a bound, the deep search is left out: this is a *cut on
suspicion*. See also Buro's "Experiments with Multi-ProbCut and a new high-quality evaluation
function for Othello", 1997.

For each number of empty squares and each depth, a row of eight signed 16-bit numbers has five
values, fitted to searches:

    shallow depth       in plies
    shift               of the deep score, in hundredths of a disc
    standard deviation  of the deep score, in hundredths of a disc
    growth              of the deviation per hundredth of the bound's size, in 1 / 2^GROWTH_BITS
    lean                of the shallow score towards 0, in 1 / 2^LEAN_BITS

Before the rows are the deviations that each level requires, in 1/256. `ALONE` has the deviations
for cuts by the estimate alone. Such cuts are made at depth 2, at levels below `CERTAIN`.
"""

import numpy as np

from plywire.engine.compiled.intrinsics import load64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Ply, Score, Word
from plywire.engine.othello.evaluation.evaluation import signed16
from plywire.engine.othello.memory import OTHELLO

from .node import MOST

#: A number above all depths, in plies.
DEPTHS = 64
#: The number of 16-bit words before the first row, and in each row.
HEAD_WORDS = 8
ROW_WORDS = 8
GROWTH_BITS = 16
LEAN_BITS = 25
#: The index of the deviations for cuts by an estimate without a search. It follows the levels.
ALONE = 4

_DEPTHS = np.uint64(DEPTHS)
_GROWTH_BITS, _LEAN_BITS = np.int64(GROWTH_BITS), np.int64(LEAN_BITS)
_HEAD = np.uint64(2 * HEAD_WORDS)
_ROW_SHIFT = np.uint64(4)
_SHIFT = np.uint64(2)
_DEVIATION = np.uint64(4)
_GROWTH = np.uint64(6)
_LEAN = np.uint64(8)


@kernel
def _row(context: Address, empty: Word, depth: Ply) -> Address:
    number = empty * _DEPTHS + np.uint64(depth)
    return load64(context + OTHELLO.probcut) + _HEAD + (number << _ROW_SHIFT)


@kernel
def probcut_depth(context: Address, empty: Word, depth: Ply) -> Ply:
    """Return the depth (int64) of the shallow search that predicts a search to `depth`."""
    return signed16(_row(context, empty, depth))


@kernel
def threshold(
    context: Address, empty: Word, depth: Ply, level: Ply, bound: Word, sign: Score
) -> Score:
    """Return the shallow score from which the deep score is trusted to be beyond a bound.

    If `sign` is 1, larger shallow scores are trusted as well; if `sign` is -1, smaller ones.
    """
    row = _row(context, empty, depth)
    deviations = signed16(load64(context + OTHELLO.probcut) + np.uint64(2) * np.uint64(level))
    deviation = signed16(row + _DEVIATION) + (signed16(row + _GROWTH) * abs(bound) >> _GROWTH_BITS)
    margin = deviation * deviations >> np.int64(8)
    expected = bound + sign * margin - signed16(row + _SHIFT)
    return expected - (expected * (MOST - abs(expected)) * signed16(row + _LEAN) >> _LEAN_BITS)
