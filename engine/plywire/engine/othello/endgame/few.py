"""Nodes with so few empty squares that a table costs more than it saves.

A node is handed its `moves`: whoever made it has counted them already.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.intrinsics import ctz, load64, popcount, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello.child_queue import number_of, put, square_of, take
from plywire.engine.othello.kernels import flips, mobility

from .last import WORST, final_score, last_1, last_2, last_3, last_4
from .lookups import quarter_of
from .memory import FRAME, MOVES, OTHER, OWN, QUEUE, board_of, count_node
from .ordering import promise
from .stability import stability_bound

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_WORD = np.uint64(8)
#: Stable discs are counted where alpha is at least this: below, they are seldom enough to cut off.
_STABLE_ALPHA_5 = np.int64(20)
_STABLE_ALPHA_6 = np.int64(12)


@kernel
def five(context: Any, own: Any, other: Any, moves: Any, odd: Any, alpha: Any) -> Any:
    """The score with five empty squares, those in odd quarters first; see `search.py`."""
    count_node(context)
    below = -alpha - np.int64(1)
    if moves == _NONE:
        replies = mobility(other, own)
        if replies == _NONE:
            return final_score(own, other)
        return -five(context, other, own, replies, odd, below)
    if alpha >= _STABLE_ALPHA_5:
        bound = stability_bound(context, own, other, alpha)
        if bound <= alpha:
            return bound
    board = board_of(context)
    best = WORST
    rest = moves & ~odd
    moves &= odd
    while moves | rest != _NONE:
        if moves == _NONE:
            moves, rest = rest, _NONE
        square = ctz(moves)
        moves &= moves - _ONE
        flipped = flips(board, own, other, square)
        child = own | flipped | _ONE << square
        score = -last_4(context, other ^ flipped, child, odd ^ quarter_of(context, square), below)
        best = max(best, score)
        if best > alpha:
            break
    return best


@kernel
def six(context: Any, frames: Any, own: Any, other: Any, moves: Any, odd: Any, alpha: Any) -> Any:
    """The score with six empty squares, fastest first; see `search.py`."""
    count_node(context)
    below = -alpha - np.int64(1)
    if moves == _NONE:
        replies = mobility(other, own)
        if replies == _NONE:
            return final_score(own, other)
        return -six(context, frames, other, own, replies, odd, below)
    if alpha >= _STABLE_ALPHA_6:
        bound = stability_bound(context, own, other, alpha)
        if bound <= alpha:
            return bound
    board = board_of(context)
    frame = frames + np.uint64(6) * FRAME
    queue = frame + QUEUE
    count = _NONE
    while moves != _NONE:
        square = ctz(moves)
        moves &= moves - _ONE
        flipped = flips(board, own, other, square)
        mover = other ^ flipped
        waiter = own | flipped | _ONE << square
        child = frame + count * _WORD
        store64(child + OWN, mover)
        store64(child + OTHER, waiter)
        replies = mobility(mover, waiter)
        store64(child + MOVES, replies)
        is_odd = odd >> square & _ONE != _NONE
        put(queue, count, square, promise(replies, is_odd))
        count += _ONE
    best = WORST
    word = take(queue, count)
    while word != _NONE:
        child = frame + number_of(word) * _WORD
        after = odd ^ quarter_of(context, square_of(word))
        mover, waiter = load64(child + OWN), load64(child + OTHER)
        score = -five(context, mover, waiter, load64(child + MOVES), after, below)
        best = max(best, score)
        if best > alpha:
            break
        word = take(queue, count)
    return best


@kernel
def few(context: Any, frames: Any, own: Any, other: Any, odd: Any, alpha: Any) -> Any:
    """The score with at most six empty squares; see `search.py`."""
    empty = ~(own | other)
    count = popcount(empty)
    if count == np.uint64(6):
        return six(context, frames, own, other, mobility(own, other), odd, alpha)
    if count == np.uint64(5):
        return five(context, own, other, mobility(own, other), odd, alpha)
    if count == np.uint64(4):
        return last_4(context, own, other, odd, alpha)
    first = ctz(empty)
    empty &= empty - _ONE
    second = ctz(empty)
    third = ctz(empty & (empty - _ONE))
    if count == np.uint64(3):
        return last_3(context, own, other, first, second, third, alpha)
    if count == np.uint64(2):
        return last_2(context, own, other, first, second, alpha)
    if count == np.uint64(1):
        return last_1(context, own, first)
    return final_score(own, other)
