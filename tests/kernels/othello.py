"""Kernels of Othello but those of its endgames, and a plain search to compare with."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import ctz, load64, load_u64x8, popcount, store_vector
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.program import INT64, UINT64, Entry
from plywire.engine.othello import batch
from plywire.engine.othello import child_queue as queue
from plywire.engine.othello.evaluation import indices
from plywire.engine.othello.kernels import OthelloBoard, flips, mobility
from plywire.engine.othello.midgame.node import expected
from plywire.engine.othello.midgame.probcut import threshold
from plywire.engine.search.tree import count_into
from tests.kernels import agreement


@kernel
def gather_all(shares: Any, owns: Any, others: Any, rows: Any, row_bytes: Any, count: Any) -> Any:
    for number in range(count):
        at = np.uint64(number)
        own, other = load64(owns + at * WORD), load64(others + at * WORD)
        indices.gather(shares, own, other, rows + at * row_bytes)


@kernel
def advance(shares: Any, here: Any, square: Any, flipped: Any, there: Any) -> Any:
    indices.advance(shares, indices.exchange(shares, here), square, flipped, there)


@kernel
def write_mobility(own: Any, other: Any, target: Any) -> Any:
    store_vector(target, batch.batch_mobility(load_u64x8(own), load_u64x8(other)))


@kernel
def write_flips(board: Any, own: Any, other: Any, squares: Any, rows: Any, target: Any) -> Any:
    word, row = np.uint64(0), rows
    while word < np.uint64(64):
        owns, others = batch.both_ways(load64(own + word), load64(other + word))
        flipped = batch.flips_by_direction(board, owns, others, load64(squares + word))
        store_vector(row, flipped)
        word += np.uint64(8)
        row += batch.VECTOR
    store_vector(target, batch.gather_flips(rows))


@kernel
def write_placed(board: Any, own: Any, other: Any, moves: Any, target: Any) -> Any:
    placed, rest = batch.place_batch(board, own, other, moves)
    store_vector(target, placed)
    return rest


@kernel
def plain_score(board: Any, own: Any, other: Any, alpha: Any, beta: Any) -> Any:
    """Plain alpha-beta to the end of the game: no table, no ordering, no knowledge."""
    moves = mobility(own, other)
    if moves == NONE:
        if mobility(other, own) == NONE:
            lead = np.int64(popcount(own)) - np.int64(popcount(other))
            empty = np.int64(popcount(~(own | other)))
            return lead + empty if lead > 0 else lead - empty if lead < 0 else lead
        return -plain_score(board, other, own, -beta, -alpha)
    while moves != NONE:
        square = ctz(moves)
        moves &= moves - ONE
        flipped = flips(board, own, other, square)
        disc = ONE << square
        score = -plain_score(board, other ^ flipped, own | flipped | disc, -beta, -alpha)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return alpha


def entries() -> Mapping[str, Entry]:
    board = OthelloBoard
    return {
        **agreement.entries(board),
        "mobility": Entry(mobility, UINT64, UINT64),
        "flips": Entry(flips, board, *[UINT64] * 3),
        "count_into": Entry(count_into, board, UINT64, UINT64, INT64, UINT64),
        "plain_score": Entry(plain_score, board, UINT64, UINT64, INT64, INT64),
        "gather_all": Entry(gather_all, *[UINT64] * 5, INT64),
        "advance": Entry(advance, *[UINT64] * 5),
        "write_mobility": Entry(write_mobility, *[UINT64] * 3),
        "write_flips": Entry(write_flips, board, *[UINT64] * 5),
        "write_placed": Entry(write_placed, board, *[UINT64] * 4),
        "queue_clear": Entry(queue.clear, UINT64, UINT64),
        "queue_put": Entry(queue.put, *[UINT64] * 4),
        "queue_remove": Entry(queue.remove, UINT64, UINT64),
        "queue_defer": Entry(queue.defer, UINT64, UINT64),
        "queue_take": Entry(queue.take, UINT64, UINT64),
        "number_of": Entry(queue.number_of, UINT64),
        "square_of": Entry(queue.square_of, UINT64),
        "is_deferred": Entry(queue.is_deferred, UINT64),
        "expected": Entry(expected, UINT64, INT64),
        "threshold": Entry(threshold, UINT64, UINT64, *[INT64] * 4),
    }
