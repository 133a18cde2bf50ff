"""The last two plies before estimates, where most of the time goes.

Estimating a move to put it in order costs as much as searching it here. Two plies before, moves are
ordered by how few replies they leave and by the kind of their square; a child's pattern indices
are only made when it is searched. One ply before, a child is as much as its estimate.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled import kernel
from plywire.engine.game import PASS
from plywire.engine.intrinsics import ctz, load64, popcount, stack_words, store64
from plywire.engine.othello.endgame.last import final_score
from plywire.engine.othello.endgame.memory import board_of
from plywire.engine.othello.evaluation import weigh
from plywire.engine.othello.indices import INDEX_BYTES, advance
from plywire.engine.othello.kernels import C_SQUARES, CORNERS, X_SQUARES, flips, mobility
from plywire.engine.search.table import (
    NO_MOVE,
    entry_move,
    entry_score,
    probe,
)

from .children import bucket_of, position_key
from .node import DISC, LEAST, MOST, WORST, answers, count_nodes, keep, must_end

#: Words of a position's pattern indices.
INDEX_WORDS = INDEX_BYTES // 8

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_WORD = np.uint64(8)
_PASS = np.uint64(PASS)
_TWO_PLIES = np.int64(2)
#: The queue two plies before: for each move its promise above its square, and what it flips.
_QUEUE_WORDS = 2 * 40
_ENTRY = np.uint64(16)
_PROMISE_SHIFT = np.uint64(8)
_SQUARE = np.uint64(0xFF)
# A move's promise: less for each reply, and for each to a corner again; more on a corner, less
# beside one. They are not sensitive.
_BIAS = np.int64(1_000)
_FIRST = np.int64(2_000)
_REPLY, _CORNER, _X_SQUARE, _C_SQUARE = (np.int64(value) for value in (2, 9, 6, 3))


@kernel
def last_ply(context: Any, indices: Any, own: Any, other: Any, alpha: Any) -> Any:
    """The same as `search` at depth 1, more than one square being empty."""
    moves = mobility(own, other)
    board = board_of(context)
    after = stack_words(INDEX_WORDS)
    if moves == _NONE:
        if mobility(other, own) == _NONE:
            return DISC * final_score(own, other)
        advance(board.shares, indices, _PASS, _NONE, after)
        return -last_ply(context, after, other, own, -alpha - LEAST)
    left = popcount(~(own | other)) - _ONE
    best = WORST
    visited = _NONE
    while moves != _NONE:
        # Corners first, the squares beside them last.
        first = moves & CORNERS
        if first == _NONE:
            first = moves & ~(X_SQUARES | C_SQUARES)
        if first == _NONE:
            first = moves
        square = ctz(first)
        moves ^= _ONE << square
        flipped = flips(board, own, other, square)
        visited += _ONE
        if flipped == other:
            best = MOST
            break
        advance(board.shares, indices, square, flipped, after)
        best = max(best, -weigh(board.weights, left, after))
        if best > alpha:
            break
    count_nodes(context, visited)
    return best


@kernel
def two_plies(
    context: Any, indices: Any, own: Any, other: Any, key: Any, level: Any, alpha: Any
) -> Any:
    """The same as `search` at depth 2, more than two squares being empty."""
    count_nodes(context, _ONE)
    moves = mobility(own, other)
    board = board_of(context)
    after = stack_words(INDEX_WORDS)
    below = -alpha - LEAST
    if moves == _NONE:
        if mobility(other, own) == _NONE:
            return DISC * final_score(own, other)
        advance(board.shares, indices, _PASS, _NONE, after)
        passed = position_key(context, other, own)
        return -two_plies(context, after, other, own, passed, level, below)

    bucket = bucket_of(context, key)
    hint = NO_MOVE
    known = probe(bucket, key)
    if known != _NONE:
        hint = entry_move(known)
        if answers(known, _TWO_PLIES, level, alpha):
            return entry_score(known)

    queue = stack_words(_QUEUE_WORDS)
    end = queue
    while moves != _NONE:
        square = ctz(moves)
        moves &= moves - _ONE
        flipped = flips(board, own, other, square)
        if flipped == other:
            return MOST
        _enqueue(queue, end, _promise(own, other, square, flipped, hint), square, flipped)
        end += _ENTRY

    best = WORST
    best_square = NO_MOVE
    entry = queue
    while entry < end:
        if must_end(context):
            return alpha
        square = load64(entry) & _SQUARE
        flipped = load64(entry + _WORD)
        entry += _ENTRY
        advance(board.shares, indices, square, flipped, after)
        waiter = own | flipped | _ONE << square
        score = -last_ply(context, after, other ^ flipped, waiter, below)
        if score > best:
            best, best_square = score, square
            if best > alpha:
                break
    keep(context, bucket, key, _TWO_PLIES, level, alpha, best, best_square, hint)
    return best


@kernel
def _promise(own: Any, other: Any, square: Any, flipped: Any, hint: Any) -> Any:
    """How early to try a move (uint64)."""
    if square == hint:
        return np.uint64(_FIRST)
    move = _ONE << square
    replies = mobility(other ^ flipped, own | flipped | move)
    value = _BIAS - _REPLY * np.int64(popcount(replies) + popcount(replies & CORNERS))
    value += _CORNER * np.int64(popcount(move & CORNERS))
    value -= _X_SQUARE * np.int64(popcount(move & X_SQUARES))
    value -= _C_SQUARE * np.int64(popcount(move & C_SQUARES))
    return np.uint64(value)


@kernel
def _enqueue(queue: Any, end: Any, promise: Any, square: Any, flipped: Any) -> Any:
    """Insert a move behind those of higher promise."""
    word = promise << _PROMISE_SHIFT | square
    place = end
    while place > queue and load64(place - _ENTRY) < word:
        store64(place, load64(place - _ENTRY))
        store64(place + _WORD, load64(place - _WORD))
        place -= _ENTRY
    store64(place, word)
    store64(place + _WORD, flipped)
