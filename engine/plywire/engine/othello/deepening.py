"""In which steps the selective search deepens, and how far it gets in a time."""

import math
from functools import cache

from plywire.engine.search.searcher import Iteration

from .confidence import CONFIDENCES

#: The confidence of searches that end in estimates, in percent. More would cost depth; less would
#: be wrong too often in deep searches, because the suspicions of all plies add up.
_MIDDLE = 80
#: With so few squares left, or fewer, it is quickest to search to the end at once.
_AT_ONCE_EMPTY = 13
#: So many depths just below the end are skipped: the end is hardly farther.
_SKIPPED = 6
#: With so many empty squares, a search to the end takes about this time in ms on an ordinary
#: machine; each more square takes as many times more.
_SOLVED_EMPTY, _SOLVED_TIME, _SOLVED_GROWTH = 20, 300, 1.75


@cache
def iterations(empty: int, deepest: int, *, may_run_out: bool) -> tuple[Iteration, ...]:
    """The steps in which a position with that many empty squares is searched, to that depth.

    Every second depth; if the deepest is the end of the game, that depth with ever more confidence.
    The side that moves last looks better than it is: so depths of one parity agree about values and
    moves, and depths of both parities would contradict each other in turn.

    The least confidence leads to a proof sooner. If the search may be cut short, this step is left
    out: its move is worse than that of a search that is a little less deep.
    """
    if deepest < empty:
        return _selective(deepest)
    if empty <= _AT_ONCE_EMPTY:
        return tuple(Iteration(depth) for depth in sorted({1, max(empty - _SKIPPED, 1), empty}))
    least, *others = (Iteration(empty, confidence) for confidence in CONFIDENCES)
    if may_run_out:
        return (*_selective(empty - 2), *others)
    return (*_selective((empty - _SKIPPED - 1) & ~1), least, *others)


def _selective(deepest: int) -> tuple[Iteration, ...]:
    """Depth 1, which a search always has the time for, then those of the parity of the deepest."""
    depths = sorted({1, *range(2 - deepest % 2, deepest + 1, 2)})
    return tuple(Iteration(depth, _MIDDLE) for depth in depths)


def solvable(time: float) -> int:
    """With how many empty squares a search to the end takes about that time, in ms."""
    more = math.log(max(time, 1) / _SOLVED_TIME) / math.log(_SOLVED_GROWTH)
    return max(_SOLVED_EMPTY + int(more), 0)
