"""The last two plies before the estimates, which take most of the time.

At depth 2, move ordering must cost less than the search of a move. It counts replies, rates the
square, and counts the flipped discs next to empty squares. Pattern indices are computed only for
searched children. If the estimate is far beyond the window, no move is searched.

At depth 1, a child's score is its estimate. The last two moves that refuted a position come first
("killer moves", S. Akl and M. Newborn, 1977).
"""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import ctz, load64, popcount, stack_words, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Ply, Score, Word
from plywire.engine.othello.child_queue import (
    QUEUE_WORDS,
    clear,
    number_of,
    put,
    remove,
    square_of,
    take,
)
from plywire.engine.othello.endgame.ordering import neighbours
from plywire.engine.othello.evaluation.evaluation import weigh
from plywire.engine.othello.evaluation.indices import (
    INDEX_BYTES,
    advance,
    advance_by_pass,
    exchange,
)
from plywire.engine.othello.kernels import (
    C_SQUARES,
    CORNERS,
    X_SQUARES,
    final_score,
    flips,
    mobility,
)
from plywire.engine.othello.memory import OTHELLO, board_of
from plywire.engine.search.context import count_nodes
from plywire.engine.search.table import NO_MOVE, bucket_of, entry_move, entry_score, probe

from .children import position_key
from .node import CERTAIN, DISC, LEAST, MOST, WORST, answers, must_end, store_result
from .probcut import ALONE, threshold

INDEX_WORDS = INDEX_BYTES // 8

_TWO_PLIES = np.int64(2)
_ALONE = np.int64(ALONE)
_ABOVE, _BELOW = np.int64(1), np.int64(-1)
# A node at depth 2 has three columns: its queue, the flips of each move, and the replies to each
# move.
_NODE_WORDS = 3 * QUEUE_WORDS
_FLIPPED = np.uint64(QUEUE_WORDS * 8)
_REPLIES = np.uint64(2 * QUEUE_WORDS * 8)
# The terms of move scores. Corners are good. Replies are bad, and replies in corners count twice.
# Squares next to corners are bad, and so are flipped discs next to empty squares.
_BIAS = np.int64(1_000)
_FIRST = np.int64(2_000)
_REPLY, _CORNER, _X_SQUARE, _C_SQUARE, _BORDER = (np.int64(value) for value in (2, 9, 6, 3, 4))


@kernel
def last_ply(
    context: Address, indices: Address, own: Word, other: Word, moves: Word, alpha: Score
) -> Score:
    """Search like `search` at depth 1, with at least two empty squares."""
    board = board_of(context)
    after = stack_words(INDEX_WORDS)
    if moves == NONE:
        replies = mobility(other, own)
        if replies == NONE:
            return DISC * final_score(own, other)
        advance_by_pass(board.shares, indices, after)
        return -last_ply(context, after, other, own, replies, -alpha - LEAST)
    exchanged = exchange(board.shares, indices)
    left = popcount(~(own | other)) - ONE
    killer = load64(context + OTHELLO.killer_1)
    killers = killer | load64(context + OTHELLO.killer_2)
    best = WORST
    visited = NONE
    while moves != NONE:
        # Killers come first, then corners; squares next to corners come last.
        first = moves & killers
        if first == NONE:
            first = moves & CORNERS
        if first == NONE:
            first = moves & ~(X_SQUARES | C_SQUARES)
        if first == NONE:
            first = moves
        square = ctz(first)
        moves ^= ONE << square
        flipped = flips(board, own, other, square)
        visited += ONE
        if flipped == other:
            best = MOST
            break
        advance(board.shares, exchanged, square, flipped, after)
        best = max(best, -weigh(board.weights, left, after))
        if best > alpha:
            if killer != ONE << square:
                store64(context + OTHELLO.killer_2, killer)
                store64(context + OTHELLO.killer_1, ONE << square)
            break
    count_nodes(context, visited)
    return best


@kernel
def two_plies(
    context: Address,
    indices: Address,
    own: Word,
    other: Word,
    moves: Word,
    key: Word,
    estimate: Score,
    level: Ply,
    alpha: Score,
) -> Score:
    """Search like `search` at depth 2, with at least three empty squares."""
    count_nodes(context, ONE)
    board = board_of(context)
    after = stack_words(INDEX_WORDS)
    below = -alpha - LEAST
    if moves == NONE:
        replies = mobility(other, own)
        if replies == NONE:
            return DISC * final_score(own, other)
        advance_by_pass(board.shares, indices, after)
        passed = position_key(context, other, own)
        reversed_ = weigh(board.weights, popcount(~(own | other)), after)
        return -two_plies(context, after, other, own, replies, passed, reversed_, level, below)

    bucket = bucket_of(context, key)
    hint = NO_MOVE
    known = probe(bucket, key)
    if known != NONE:
        hint = entry_move(known)
        if answers(known, _TWO_PLIES, level, alpha):
            return entry_score(known)

    if level < CERTAIN:
        empty = popcount(~(own | other))
        if estimate >= threshold(context, empty, _TWO_PLIES, _ALONE, alpha + LEAST, _ABOVE):
            return alpha + LEAST
        if estimate <= threshold(context, empty, _TWO_PLIES, _ALONE, alpha, _BELOW):
            return alpha

    node = stack_words(_NODE_WORDS)
    clear(node, popcount(moves))
    count = NONE
    word = NONE
    border = neighbours(~(own | other))
    while moves != NONE:
        square = ctz(moves)
        moves &= moves - ONE
        flipped = flips(board, own, other, square)
        if flipped == other:
            return MOST
        replies = mobility(other ^ flipped, own | flipped | ONE << square)
        score = _move_score(square, replies, flipped & border, hint)
        word = max(word, put(node, count, square, score))
        child = node + count * WORD
        store64(child + _FLIPPED, flipped)
        store64(child + _REPLIES, replies)
        count += ONE

    exchanged = exchange(board.shares, indices)
    best = WORST
    best_square = NO_MOVE
    remove(node, number_of(word))
    while word != NONE:
        if must_end(context):
            return alpha
        child = node + number_of(word) * WORD
        square = square_of(word)
        flipped = load64(child + _FLIPPED)
        advance(board.shares, exchanged, square, flipped, after)
        mover, waiter = other ^ flipped, own | flipped | ONE << square
        score = -last_ply(context, after, mover, waiter, load64(child + _REPLIES), below)
        if score > best:
            best, best_square = score, square
            if best > alpha:
                break
        word = take(node, count)
    store_result(context, bucket, key, _TWO_PLIES, level, alpha, best, best_square, hint)
    return best


@kernel
def _move_score(square: Word, replies: Word, bordering: Word, hint: Word) -> Word:
    if square == hint:
        return np.uint64(_FIRST)
    move = ONE << square
    value = _BIAS - _REPLY * np.int64(popcount(replies) + popcount(replies & CORNERS))
    value += _CORNER * np.int64(popcount(move & CORNERS))
    value -= _X_SQUARE * np.int64(popcount(move & X_SQUARES))
    value -= _C_SQUARE * np.int64(popcount(move & C_SQUARES))
    value -= _BORDER * np.int64(popcount(bordering))
    return np.uint64(value)
