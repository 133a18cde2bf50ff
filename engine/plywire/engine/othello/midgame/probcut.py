"""Multi-ProbCut: judging a deep search by a shallow one.

The value at a depth is, but for a shift, close to the value at a smaller depth, with an error that
is nearly normally distributed. Where the shallow value is so far beyond a bound that the deep one
is hardly on its other side, the deep search is left out (M. Buro, "ProbCut: An effective selective
extension of the alpha-beta algorithm", ICCA Journal 18(2), 1995; "Experiments with Multi-ProbCut
and a new high-quality evaluation function for Othello", 1997).

For each number of empty squares and each depth there are five signed 16-bit numbers, in a row of
eight. They were fitted to searches:

    the shallow depth       in plies
    the shift               of the deep value, in hundredths of a disc
    the standard deviation  of the deep value around that, in hundredths of a disc
    its growth              for each hundredth by which the bound is from 0, in 1 / 2^GROWTH_BITS
    the lean                of the shallow value to 0, in 1 / 2^LEAN_BITS

Before them stand the deviations that each level demands, in 1/256, and those demanded where the
estimate alone tells, without a shallow search: two plies before the leaves, all levels but the
highest.
"""

import numpy as np

from plywire.engine.compiled.intrinsics import load64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Ply, Score, Word
from plywire.engine.othello.evaluation.evaluation import signed16
from plywire.engine.othello.memory import OTHELLO

from .node import MOST

#: Depths are below this.
DEPTHS = 64
#: 16-bit words before the first row, and of a row.
HEAD_WORDS = 8
ROW_WORDS = 8
#: The scales of growth and lean.
GROWTH_BITS = 16
LEAN_BITS = 25
#: Stands for a level: the place of the deviations that are demanded of an estimate alone.
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
    """The depth that stands for another where so many squares are empty (int64)."""
    return signed16(_row(context, empty, depth))


@kernel
def threshold(
    context: Address, empty: Word, depth: Ply, level: Ply, bound: Word, sign: Score
) -> Score:
    """The shallow value at which the deep value is trusted to be beyond a bound.

    If `sign` is 1, this holds for all larger shallow values; if it is -1, for all smaller ones.
    """
    row = _row(context, empty, depth)
    deviations = signed16(load64(context + OTHELLO.probcut) + np.uint64(2) * np.uint64(level))
    deviation = signed16(row + _DEVIATION) + (signed16(row + _GROWTH) * abs(bound) >> _GROWTH_BITS)
    margin = deviation * deviations >> np.int64(8)
    expected = bound + sign * margin - signed16(row + _SHIFT)
    return expected - (expected * (MOST - abs(expected)) * signed16(row + _LEAN) >> _LEAN_BITS)
