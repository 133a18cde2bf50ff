"""The search with open windows, for the root and its principal variations.

`search_pv` returns an exact score between alpha and beta, otherwise a bound. It searches the first
move with the whole window. A null window then shows whether another move is better (principal
variation search, T. Marsland and M. Campbell, 1982).
"""

from collections.abc import Mapping

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, PASS_SQUARE
from plywire.engine.compiled.intrinsics import ctz, load64, popcount, stack_words, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Ply, Score, Word
from plywire.engine.compiled.program import INT64, UINT64, Entry
from plywire.engine.othello.child_queue import clear, number_of, put, square_of, take
from plywire.engine.othello.evaluation.evaluation import weigh
from plywire.engine.othello.evaluation.indices import advance_by_pass, gather
from plywire.engine.othello.kernels import OthelloBoard, final_score, mobility
from plywire.engine.othello.memory import OTHELLO, board_of
from plywire.engine.search.alphabeta import evaluate_root
from plywire.engine.search.context import count_nodes, is_stopped
from plywire.engine.search.table import (
    EXACT,
    LOWER,
    NO_MOVE,
    UPPER,
    bucket_of,
    entry_move,
    probe,
    store,
)
from plywire.engine.search.thread_memory import ROOT, clear_line, extend_line

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
from .leaves import INDEX_WORDS
from .node import DISC, LEAST, WORST, must_end
from .search import search

_PLY = np.int64(1)
#: Minimum depth, in plies, at which a search to half the depth first finds a move to start with.
_DEEPENED = np.int64(5)
#: Within this number of plies from the root, searches that end in estimates make no cuts on
#: suspicion. Other lines would seldom correct a wrong cut there.
_UNPRUNED = np.int64(2)


@kernel
def search_pv(
    context: Address,
    indices: Address,
    own: Word,
    other: Word,
    key: Word,
    depth: Ply,
    level: Ply,
    ply: Ply,
    alpha: Score,
    beta: Score,
) -> Score:
    """Return the score, exact between alpha and beta; put the variation into the context."""
    clear_line(context, ply)
    empty = popcount(~(own | other))
    board = board_of(context)
    moves = mobility(own, other)
    after = stack_words(INDEX_WORDS)
    if moves == NONE:
        if mobility(other, own) == NONE:
            return DISC * final_score(own, other)
        advance_by_pass(board.shares, indices, after)
        after_key = position_key(context, other, own)
        if ply == 0:
            store64(context + ROOT.move, PASS_SQUARE)
        score = -search_pv(
            context, after, other, own, after_key, depth, level, ply + 1, -beta, -alpha
        )
        if score > alpha:
            extend_line(context, ply, PASS_SQUARE)
        return score
    if depth <= np.int64(0):
        count_nodes(context, ONE)
        return weigh(board.weights, empty, indices)

    bucket = bucket_of(context, key)
    known = probe(bucket, key)
    hint = NO_MOVE
    if known != NONE:
        hint = entry_move(known)
    is_to_end = depth >= np.int64(empty)
    if ply == 0:
        moves &= ~load64(context + ROOT.excluded)
        if load64(context + ROOT.move) != NO_MOVE:
            hint = load64(context + ROOT.move)
    elif hint == NO_MOVE and depth >= _DEEPENED:
        half = depth // np.int64(2)
        search_pv(context, indices, own, other, key, half, level, ply, alpha, beta)
        known = probe(bucket, key)
        if known != NONE:
            hint = entry_move(known)
        clear_line(context, ply)

    node = stack_words(NODE_WORDS)
    clear(node, popcount(moves))
    count = make_children(context, node, own, other, indices, moves)
    for number in range(count):
        square = ctz(moves)
        moves &= moves - ONE
        value = move_score(node, np.uint64(number), is_to_end, square == hint)
        put(node, number, square, value)
    word = take(node, count)
    best_move = square_of(word)
    if ply == 0:
        store64(context + ROOT.move, best_move)
    if must_end(context):
        return alpha
    count_nodes(context, ONE)

    best = WORST
    best_square = NO_MOVE
    floor = alpha
    is_first = True
    while word != NONE:
        child = child_at(node, number_of(word))
        square = square_of(word)
        mover, waiter = own_of(child), other_of(child)
        score = np.int64(0)
        if not is_first:
            score = -search(
                context,
                indices_of(child),
                mover,
                waiter,
                replies_of(child),
                key_of(child),
                estimate_of(node, number_of(word)),
                depth - _PLY,
                level,
                -floor - LEAST,
            )
            if ply == 0 and score > floor and not is_stopped(context):
                # The move is better, even if time runs out before its exact score is known.
                store64(context + ROOT.move, square)
        if is_first or (floor < score < beta and not is_stopped(context)):
            score = -search_pv(
                context,
                indices_of(child),
                mover,
                waiter,
                key_of(child),
                depth - _PLY,
                level,
                ply + 1,
                -beta,
                -floor,
            )
        if is_stopped(context):
            return alpha
        if score > best:
            best = score
            best_square = square
            if score > floor:
                floor = score
                best_move = square
                extend_line(context, ply, square)
        if ply == 0:
            store64(context + ROOT.move, best_move)
        if best >= beta:
            break
        is_first = False
        word = take(node, count)

    if ply > 0 or load64(context + ROOT.excluded) == NONE:
        bound = EXACT
        if best >= beta:
            bound = LOWER
        elif best <= alpha:
            bound = UPPER
            best_square = hint
        store(bucket, key, load64(context + ROOT.age), depth, level, best_square, best, bound)
    return best


@kernel
def search_root(
    context: Address, own: Word, other: Word, depth: Ply, level: Ply, alpha: Score, beta: Score
) -> Score:
    """Search a position from the root; leave the best move and its line in the context."""
    pruned_below = depth
    if depth < np.int64(popcount(~(own | other))):
        pruned_below -= _UNPRUNED
    store64(context + OTHELLO.pruned_below, np.uint64(pruned_below))
    indices = stack_words(INDEX_WORDS)
    gather(board_of(context).shares, own, other, indices)
    key = position_key(context, own, other)
    return search_pv(context, indices, own, other, key, depth, level, np.int64(0), alpha, beta)


def entries() -> Mapping[str, Entry]:
    """Return the kernels of the search and of the evaluation that Python calls."""
    return {
        "search_root": Entry(search_root, *[UINT64] * 3, *[INT64] * 4),
        "evaluate_root": Entry(evaluate_root, OthelloBoard, UINT64, UINT64),
    }
