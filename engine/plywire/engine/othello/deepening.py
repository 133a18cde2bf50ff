"""The iterations of the selective search, and the depth that it reaches in a given time."""

import math
from functools import cache

from plywire.engine.search.searcher import Iteration

from .confidence import CONFIDENCES

#: The confidence of searches that end in estimates, in percent. A higher confidence would cost
#: depth. With a lower one, deep searches would be wrong too often, because the errors of all plies
#: add up.
MIDDLE = 80
#: With at most this many empty squares, the quickest way is to search to the end at once.
AT_ONCE_EMPTY = 13
#: The number of depths just before the end that are skipped, because a search to the end takes
#: hardly longer.
SKIPPED = 6
#: With `_SOLVED_EMPTY` empty squares, a search to the end takes `_SOLVED_TIME` ms on an ordinary
#: machine; each further square multiplies the time by `_SOLVED_GROWTH`.
_SOLVED_EMPTY, _SOLVED_TIME, _SOLVED_GROWTH = 20, 300, 1.75


@cache
def iterations(empty: int, deepest: int, *, may_run_out: bool) -> tuple[Iteration, ...]:
    """Return the iterations for a position with `empty` empty squares, up to a depth.

    Depths have one parity: the player who moves last looks better than he is, so depths of both
    parities would contradict each other. The end of the game is searched with growing confidence.
    The iteration with the least confidence leads to a proof sooner, but its move is worse than that
    of a slightly shallower search. So it is left out if the search may be cut short.
    """
    if deepest < empty:
        return _selective(deepest)
    if empty <= AT_ONCE_EMPTY:
        return tuple(Iteration(depth) for depth in sorted({1, max(empty - SKIPPED, 1), empty}))
    least, *others = (Iteration(empty, confidence) for confidence in CONFIDENCES)
    if may_run_out:
        return (*_selective(empty - 2), *others)
    return (*_selective((empty - SKIPPED - 1) & ~1), least, *others)


def _selective(deepest: int) -> tuple[Iteration, ...]:
    """Return depth 1, which is always quick, then the depths with the parity of `deepest`."""
    depths = sorted({1, *range(2 - deepest % 2, deepest + 1, 2)})
    return tuple(Iteration(depth, MIDDLE) for depth in depths)


def solvable(time: float) -> int:
    """Return the number of empty squares that a search to the end solves in `time` ms."""
    more = math.log(max(time, 1) / _SOLVED_TIME) / math.log(_SOLVED_GROWTH)
    return max(_SOLVED_EMPTY + int(more), 0)
