"""The selective search: fail-soft alpha-beta with null windows and multi-ProbCut.

`search` returns a lower bound of the score if this is above `alpha`, otherwise an upper bound.
Scores are hundredths of a disc for the player to move. After a stop, the result has no meaning and
is not stored.

The `depth` is the number of plies to the estimates; passes do not count. If it reaches the end of
the game, scores are final. Levels below `CERTAIN` cut on suspicion (`probcut.py`). At `CERTAIN`, a
search to the end is exact.

A node takes these steps:

1. Stable discs and the table give bounds.
2. Except near the root, a shallower search asks if the score is above or below the window, as the
   table or the estimate expects. If the answer is sure enough, the node ends.
3. All children are made, and their table entries are prefetched.
4. The bound of a child ends the node or excludes the child ("enhanced transposition cutoff", J.
   Schaeffer and A. Plaat).
5. The other children are searched, the best move score first. A thread defers children that another
   thread is searching (T. Kerrigan's "simplified ABDADA").
"""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE
from plywire.engine.compiled.intrinsics import (
    atomic_load64,
    atomic_store64,
    ctz,
    load64,
    popcount,
    stack_words,
)
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Ply, Score, Word
from plywire.engine.othello.child_queue import (
    clear,
    defer,
    is_deferred,
    number_of,
    put,
    remove,
    square_of,
    take,
)
from plywire.engine.othello.endgame.search import solve
from plywire.engine.othello.endgame.stability import stability_bound
from plywire.engine.othello.evaluation.evaluation import weigh
from plywire.engine.othello.evaluation.indices import advance_by_pass
from plywire.engine.othello.kernels import final_score, mobility
from plywire.engine.othello.memory import OTHELLO, board_of
from plywire.engine.search.context import busy_slot, count_nodes, is_stopped
from plywire.engine.search.table import NO_MOVE, bucket_of, entry_move, entry_score, probe

from .children import (
    NODE_WORDS,
    child_at,
    estimate_of,
    indices_of,
    key_of,
    make_children,
    move_score,
    other_of,
    own_of,
    position_key,
    replies_of,
)
from .leaves import INDEX_WORDS, last_ply, two_plies
from .node import (
    CERTAIN,
    DISC,
    LEAST,
    MOST,
    WORST,
    answers,
    expected,
    must_end,
    store_result,
)
from .probcut import probcut_depth, threshold

_PLY = np.int64(1)
_TWO_PLIES = np.int64(2)
#: With at most this number of empty squares, `endgame/search.py` searches to the end.
_LAST_EMPTY = np.uint64(13)
#: Minimum depths, in plies: for looking up children in the table, and for sharing them between
#: threads.
_ETC_DEPTH = np.int64(4)
_BUSY_DEPTH = np.int64(8)
#: Searches to the end count stable discs if alpha is at least this, in hundredths of a disc.
_STABLE_ALPHA = np.int64(800)


@kernel
def _to_the_end(context: Address, own: Word, other: Word, moves: Word, alpha: Score) -> Score:
    floor = alpha // DISC
    if floor >= np.int64(64):
        return MOST
    if floor < np.int64(-64):
        return -MOST
    return DISC * solve(context, own, other, moves, floor)


@kernel
def search(
    context: Address,
    indices: Address,
    own: Word,
    other: Word,
    moves: Word,
    key: Word,
    estimate: Score,
    depth: Ply,
    level: Ply,
    alpha: Score,
) -> Score:
    """Search a position against alpha; below depth 2, the key has no meaning."""
    empty = popcount(~(own | other))
    board = board_of(context)
    is_to_end = depth >= np.int64(empty)
    if is_to_end:
        if empty <= _LAST_EMPTY:
            return _to_the_end(context, own, other, moves, alpha)
    elif depth == _PLY:
        return last_ply(context, indices, own, other, moves, alpha)
    elif depth == _TWO_PLIES:
        return two_plies(context, indices, own, other, moves, key, estimate, level, alpha)
    elif depth <= np.int64(0):
        count_nodes(context, ONE)
        return estimate if own != NONE else -MOST
    if must_end(context):
        return alpha
    count_nodes(context, ONE)

    if is_to_end and alpha >= _STABLE_ALPHA:
        floor = alpha // DISC
        bound = stability_bound(context, own, other, floor)
        if bound <= floor:
            return DISC * bound

    below = -alpha - LEAST
    if moves == NONE:
        replies = mobility(other, own)
        if replies == NONE:
            return DISC * final_score(own, other)
        after = stack_words(INDEX_WORDS)
        advance_by_pass(board.shares, indices, after)
        passed = position_key(context, other, own)
        reversed_ = weigh(board.weights, empty, after)
        return -search(context, after, other, own, replies, passed, reversed_, depth, level, below)

    bucket = bucket_of(context, key)
    hint = NO_MOVE
    guess = estimate
    known = probe(bucket, key)
    if known != NONE:
        hint = entry_move(known)
        if answers(known, depth, level, alpha):
            return entry_score(known)
        guess = expected(known, estimate)

    if level < CERTAIN and depth < np.int64(load64(context + OTHELLO.pruned_below)):
        shallow = probcut_depth(context, empty, depth)
        if guess > alpha:
            bound = threshold(context, empty, depth, level, alpha + LEAST, _PLY)
            if bound <= MOST:
                score = search(
                    context,
                    indices,
                    own,
                    other,
                    moves,
                    key,
                    estimate,
                    shallow,
                    level,
                    bound - LEAST,
                )
                if score >= bound:
                    return alpha + LEAST
        else:
            bound = threshold(context, empty, depth, level, alpha, -_PLY)
            if bound >= -MOST:
                score = search(
                    context, indices, own, other, moves, key, estimate, shallow, level, bound
                )
                if score <= bound:
                    return alpha
        if is_stopped(context):
            return alpha

    node = stack_words(NODE_WORDS)
    clear(node, popcount(moves))
    count = make_children(context, node, own, other, indices, moves)
    best = WORST
    best_square = NO_MOVE
    rest = moves
    for number in range(count):
        square = ctz(rest)
        rest &= rest - ONE
        child = child_at(node, number)
        if own_of(child) == NONE:
            return MOST
        if depth >= _ETC_DEPTH:
            child_key = key_of(child)
            known = probe(bucket_of(context, child_key), child_key)
            if known != NONE and answers(known, depth - _PLY, level, below):
                score = -entry_score(known)
                if score > alpha:
                    return score
                if score > best:
                    best, best_square = score, square
                remove(node, number)
                continue
        value = move_score(node, np.uint64(number), is_to_end, square == hint)
        put(node, number, square, value)

    is_shared = depth >= _BUSY_DEPTH
    is_first = True
    word = take(node, count)
    while word != NONE:
        child = child_at(node, number_of(word))
        child_key = key_of(child)
        if is_shared:
            busy = busy_slot(context, child_key)
            if not (is_first or is_deferred(word)) and atomic_load64(busy) == child_key:
                defer(node, word)
                word = take(node, count)
                continue
            atomic_store64(busy, child_key)
        score = -search(
            context,
            indices_of(child),
            own_of(child),
            other_of(child),
            replies_of(child),
            child_key,
            estimate_of(node, number_of(word)),
            depth - _PLY,
            level,
            below,
        )
        if is_shared:
            atomic_store64(busy, NONE)
        if is_stopped(context):
            return alpha
        is_first = False
        if score > best:
            best, best_square = score, square_of(word)
            if best > alpha:
                break
        word = take(node, count)
    store_result(context, bucket, key, depth, level, alpha, best, best_square, hint)
    return best
