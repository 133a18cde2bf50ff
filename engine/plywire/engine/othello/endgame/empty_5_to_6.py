"""Five and six empty squares: a table would cost more than it saves."""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import ctz, load64, popcount, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Score, Word
from plywire.engine.othello.child_queue import clear, number_of, put, remove, square_of, take
from plywire.engine.othello.kernels import final_score, flips, mobility
from plywire.engine.othello.lookups import quarter_of
from plywire.engine.othello.memory import CHILD, FRAME, board_of
from plywire.engine.search.context import count_nodes

from .empty_1_to_4 import WORST, solve_1, solve_2, solve_3, solve_4
from .ordering import quick_move_score
from .stability import stability_bound

#: Stable discs are counted only if alpha is at least this many discs. With a smaller alpha, they
#: seldom cause a cut.
_STABLE_ALPHA_5 = np.int64(20)
_STABLE_ALPHA_6 = np.int64(12)


@kernel
def solve_5(
    context: Address, own: Word, other: Word, moves: Word, odd: Word, alpha: Score
) -> Score:
    """Return the score with five empty squares, odd quarters first; see `search.py`."""
    count_nodes(context, ONE)
    below = -alpha - np.int64(1)
    if moves == NONE:
        replies = mobility(other, own)
        if replies == NONE:
            return final_score(own, other)
        return -solve_5(context, other, own, replies, odd, below)
    if alpha >= _STABLE_ALPHA_5:
        bound = stability_bound(context, own, other, alpha)
        if bound <= alpha:
            return bound
    board = board_of(context)
    best = WORST
    rest = moves & ~odd
    moves &= odd
    while moves | rest != NONE:
        if moves == NONE:
            moves, rest = rest, NONE
        square = ctz(moves)
        moves &= moves - ONE
        flipped = flips(board, own, other, square)
        child = own | flipped | ONE << square
        score = -solve_4(context, other ^ flipped, child, odd ^ quarter_of(context, square), below)
        best = max(best, score)
        if best > alpha:
            break
    return best


@kernel
def solve_6(
    context: Address, frames: Address, own: Word, other: Word, moves: Word, odd: Word, alpha: Score
) -> Score:
    """Return the score with six empty squares, fastest first; see `search.py`."""
    count_nodes(context, ONE)
    below = -alpha - np.int64(1)
    if moves == NONE:
        replies = mobility(other, own)
        if replies == NONE:
            return final_score(own, other)
        return -solve_6(context, frames, other, own, replies, odd, below)
    if alpha >= _STABLE_ALPHA_6:
        bound = stability_bound(context, own, other, alpha)
        if bound <= alpha:
            return bound
    board = board_of(context)
    frame = frames + np.uint64(6) * FRAME
    queue = frame + CHILD.queue
    clear(queue, popcount(moves))
    count = NONE
    best = WORST
    word = NONE  # the first child's word, once all are queued
    while moves != NONE:
        square = ctz(moves)
        moves &= moves - ONE
        flipped = flips(board, own, other, square)
        mover = other ^ flipped
        new = ONE << square
        waiter = own | flipped | new
        replies = mobility(mover, waiter)
        if replies & (replies - ONE) == NONE:
            # A move with at most one reply is searched at once, before all other moves.
            after = odd ^ quarter_of(context, square)
            best = max(best, -solve_5(context, mover, waiter, replies, after, below))
            if best > alpha:
                return best
            continue
        child = frame + count * WORD
        store64(child + CHILD.own, mover)
        store64(child + CHILD.other, waiter)
        store64(child + CHILD.moves, replies)
        word = max(word, put(queue, count, square, quick_move_score(new, replies, odd)))
        count += ONE
    if word != NONE:
        remove(queue, number_of(word))
    while word != NONE:
        child = frame + number_of(word) * WORD
        after = odd ^ quarter_of(context, square_of(word))
        mover, waiter = load64(child + CHILD.own), load64(child + CHILD.other)
        score = -solve_5(context, mover, waiter, load64(child + CHILD.moves), after, below)
        best = max(best, score)
        if best > alpha:
            break
        word = take(queue, count)
    return best


@kernel
def solve_up_to_6(
    context: Address, frames: Address, own: Word, other: Word, odd: Word, alpha: Score
) -> Score:
    """Return the score with at most six empty squares; see `search.py`."""
    empty = ~(own | other)
    count = popcount(empty)
    if count == np.uint64(6):
        return solve_6(context, frames, own, other, mobility(own, other), odd, alpha)
    if count == np.uint64(5):
        return solve_5(context, own, other, mobility(own, other), odd, alpha)
    if count == np.uint64(4):
        return solve_4(context, own, other, odd, alpha)
    first = ctz(empty)
    empty &= empty - ONE
    second = ctz(empty)
    third = ctz(empty & (empty - ONE))
    if count == np.uint64(3):
        return solve_3(context, own, other, first, second, third, alpha)
    if count == np.uint64(2):
        return solve_2(context, own, other, first, second, alpha)
    if count == np.uint64(1):
        return solve_1(context, own, first)
    return final_score(own, other)
