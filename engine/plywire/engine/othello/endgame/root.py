"""Solving a position: null windows, one after the other, until its score is known."""

from typing import Any

import numpy as np

from plywire.engine.compiled import kernel
from plywire.engine.intrinsics import ctz, popcount, store64
from plywire.engine.othello.endgame.few import few
from plywire.engine.othello.endgame.lookups import quarter_of
from plywire.engine.othello.endgame.memory import LOWER, MOVE, UPPER, is_stopped
from plywire.engine.othello.endgame.search import TABLE_EMPTY, entry_of, search
from plywire.engine.othello.endgame.table import NO_MOVE, best_move, find, hash_of

_NONE = np.uint64(0)
_ONE = np.uint64(1)


@kernel
def _odd_quarters(context: Any, empty: Any) -> Any:
    odd = _NONE
    while empty != _NONE:
        odd ^= quarter_of(context, ctz(empty))
        empty &= empty - _ONE
    return odd


@kernel
def solve(
    context: Any, frames: Any, own: Any, other: Any, guess: Any, floor: Any, ceiling: Any
) -> Any:
    """Solve a position, asking first whether the score is more than a guess.

    What is proven stands at LOWER and UPPER of the context, also after a stop. It is enough when
    the two meet, or one of them shows that the score is at most `floor` or at least `ceiling`.
    Each window follows on the bound that the last one proved (after A. Plaat's MTD(f)).
    Returns whether that was reached.
    """
    low, high = np.int64(-64), np.int64(64)
    store64(context + LOWER, np.uint64(low))
    store64(context + UPPER, np.uint64(high))
    store64(context + MOVE, NO_MOVE)
    empty = ~(own | other)
    count = popcount(empty)
    odd = _odd_quarters(context, empty)
    key = hash_of(own, other)
    alpha = guess
    while low < high and low < ceiling and high > floor:
        # Scores are even: to be more than an even number is to be more than the next one as well.
        alpha = max(min(alpha, high - np.int64(2), ceiling - np.int64(1)), low, floor)
        if count < TABLE_EMPTY:
            value = few(context, frames, own, other, odd, alpha)
        else:
            value = search(context, frames, own, other, key, odd, alpha)
        if is_stopped(context):
            return False
        if value > alpha:
            low = alpha = value
            store64(context + LOWER, np.uint64(low))
            if count >= TABLE_EMPTY:
                known = find(entry_of(context, key, count), key)
                store64(context + MOVE, best_move(known) if known != _NONE else NO_MOVE)
        else:
            high = value
            alpha = high - np.int64(2)
            store64(context + UPPER, np.uint64(high))
    return True
