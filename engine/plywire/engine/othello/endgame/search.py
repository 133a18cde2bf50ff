"""The endgame solver: fail-soft alpha-beta with null windows.

`search` returns a lower bound of the score if this is above `alpha`, otherwise an upper bound. A
score is the final disc difference for the player to move; the winner gets the empty squares. After
a stop, the result has no meaning and is not stored.

`midgame/search.py` searches positions with more empty squares. A node takes these steps:

1. Stable discs and the thread's near table give bounds.
2. All children are made, and their table entries are prefetched (`children.py`).
3. The bounds of a child end the node or exclude the child ("enhanced transposition cutoff", J.
   Schaeffer and A. Plaat).
4. The other children are searched, the best move score first.

`odd` are all squares of the quarters of the board that have an odd number of empty squares.
"""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import ctz, load64, popcount
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Score, Word
from plywire.engine.compiled.target import has_wide_vectors
from plywire.engine.othello.child_queue import number_of, remove, square_of, take
from plywire.engine.othello.kernels import final_score, mobility
from plywire.engine.othello.lookups import quarter_of
from plywire.engine.othello.memory import CHILD, FRAME, OTHELLO
from plywire.engine.othello.near_table import hash_of, lower_bound, probe, store, upper_bound
from plywire.engine.search.context import CONTEXT, count_nodes, is_stopped, must_end

from .children import entry_of, make_batches, make_singly, rate
from .empty_1_to_4 import WORST
from .empty_5_to_6 import solve_6, solve_up_to_6
from .stability import stability_bound

#: Positions with fewer empty squares than this are not stored in the table.
TABLE_EMPTY = np.uint64(7)
#: Stable discs are counted only if alpha is at least this many discs. With a smaller alpha, they
#: seldom cause a cut.
_STABLE_ALPHA = np.int64(4)
#: Maximum number of nodes below a position of the table's smallest size. There, nothing checks the
#: node limit.
_UNWATCHED_NODES = np.uint64(2_000)


@kernel
def search(
    context: Address,
    frames: Address,
    own: Word,
    other: Word,
    moves: Word,
    key: Word,
    odd: Word,
    alpha: Score,
) -> Score:
    """Search a position against alpha; see the head of the module."""
    if is_stopped(context):
        return alpha
    nodes = count_nodes(context, ONE)
    if must_end(context, nodes + _UNWATCHED_NODES):
        return alpha
    if alpha >= _STABLE_ALPHA:
        bound = stability_bound(context, own, other, alpha)
        if bound <= alpha:
            return bound

    empty = popcount(~(own | other))
    entry = entry_of(context, key)
    known = probe(entry, key)
    low, high = np.int64(-64), np.int64(64)
    if known != NONE:
        low, high = lower_bound(known), upper_bound(known)
        if low > alpha:
            return low
        if high <= alpha:
            return high

    below = -alpha - np.int64(1)
    if moves == NONE:
        replies = mobility(other, own)
        if replies == NONE:
            return final_score(own, other)
        return -search(context, frames, other, own, replies, hash_of(other, own), odd, below)

    frame = frames + empty * FRAME
    queue = frame + CHILD.queue
    left = empty - ONE
    in_table = left >= TABLE_EMPTY
    word = NONE  # the queue's word of the first child
    if has_wide_vectors():
        word = make_batches(context, frame, own, other, moves, odd, in_table)
        is_wipe_out = word == NONE
    else:
        is_wipe_out = not make_singly(context, frame, own, other, moves, in_table)
    if is_wipe_out:
        store(entry, key, np.int64(64), np.int64(64), ONE)
        return np.int64(64)

    count = popcount(moves)
    best = WORST
    is_complete = True  # no child has been dropped yet
    for index in range(count):
        square = ctz(moves)
        moves &= moves - ONE
        if in_table:
            child_key = load64(frame + index * WORD + CHILD.key)
            known = probe(entry_of(context, child_key), child_key)
            if known != NONE:
                if -upper_bound(known) > alpha:
                    best = -upper_bound(known)
                    store(entry, key, max(low, best), high, ONE)
                    return best
                if -lower_bound(known) <= alpha:
                    best = max(best, -lower_bound(known))
                    remove(queue, index)
                    is_complete = False
                    continue
        if not has_wide_vectors():
            word = max(word, rate(context, frame, index, square, odd))

    if is_complete:
        remove(queue, number_of(word))
    else:
        word = take(queue, count)
    while word != NONE:
        child = frame + number_of(word) * WORD
        square = square_of(word)
        mover, waiter, replies = (
            load64(child + CHILD.own),
            load64(child + CHILD.other),
            load64(child + CHILD.moves),
        )
        after = odd ^ quarter_of(context, square)
        if in_table:
            child_key = load64(child + CHILD.key)
            score = -search(context, frames, mover, waiter, replies, child_key, after, below)
            if is_stopped(context):
                return alpha
        else:  # six empty squares are left
            score = -solve_6(context, frames, mover, waiter, replies, after, below)
        best = max(best, score)
        if best > alpha:
            break
        word = take(queue, count)
    work = load64(context + CONTEXT.nodes) - nodes + ONE
    if best > alpha:
        store(entry, key, max(low, best), high, work)
    else:
        store(entry, key, low, min(high, best), work)
    return best


@kernel
def solve(context: Address, own: Word, other: Word, moves: Word, alpha: Score) -> Score:
    """Search any position with at most 13 empty squares."""
    empty = ~(own | other)
    odd = _odd_quarters(context, empty)
    frames = load64(context + OTHELLO.frames)
    if popcount(empty) >= TABLE_EMPTY:
        return search(context, frames, own, other, moves, hash_of(own, other), odd, alpha)
    if must_end(context, load64(context + CONTEXT.nodes) + _UNWATCHED_NODES):
        return alpha
    return solve_up_to_6(context, frames, own, other, odd, alpha)


@kernel
def _odd_quarters(context: Address, empty: Word) -> Word:
    odd = NONE
    while empty != NONE:
        odd ^= quarter_of(context, ctz(empty))
        empty &= empty - ONE
    return odd
