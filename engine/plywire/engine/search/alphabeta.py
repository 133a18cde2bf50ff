"""The search for all games, compiled for each board class.

`search` is fail-soft alpha-beta. Its score `s` and the true value `v` at this depth are for the
player to move:

    alpha < s < beta    v == s
    s <= alpha          v <= s
    s >= beta           v >= s

A win is WIN minus the plies from the root to the win; a loss is the negative. Passes cost no depth,
and nothing is pruned or reduced without proof. So wins and losses are always proven, and other
scores are proven if the depth reaches the end of the game. After a stop, the score has no meaning:
callers must ask `is_stopped`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, PASS_SQUARE, TWO, WORD
from plywire.engine.compiled.contract import (
    INFINITY,
    MAX_ESTIMATE,
    ONGOING,
    WIN,
    evaluate,
    legal,
    order,
    outcome,
    play,
)
from plywire.engine.compiled.intrinsics import ctz, load64, prefetch, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Board, Ply, Score, Word
from plywire.engine.compiled.program import INT64, UINT64, Entry

from .context import CONTEXT, count_nodes, is_stopped, must_end
from .table import (
    EXACT,
    LOWER,
    NO_MOVE,
    UPPER,
    bucket_of,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    position_key,
    probe,
    store,
)
from .thread_memory import MAX_PLY, OWN_BYTES, ROOT, clear_line, extend_line

_SQUARES = np.uint64(64)
#: The offset of the killers, in bytes: for each ply, the last two moves that caused a cutoff.
_KILLERS = np.uint64(OWN_BYTES)
#: The offset of the history, in bytes: for each player and square, the success of moves there.
_HISTORY = _KILLERS + np.uint64(MAX_PLY) * TWO * WORD
#: The offset of the move lists, in bytes: for each ply, the moves that are left to try.
_MOVES = _HISTORY + TWO * _SQUARES * WORD
#: The size of these three arrays together, in bytes.
OWN_ARRAYS = int(_MOVES - _KILLERS) + MAX_PLY * 64 * 8
_NO_LEVEL = np.int64(0)

# The word of a move has the number of the square in its low 8 bits, and the ordering value above.
_MOVE_SCORE = np.uint64(8)
_SQUARE_MASK = np.uint64(0xFF)
_FIRST = np.uint64(1 << 40)
#: The limit of the values in the history. A cutoff moves a value a part of the way towards it.
_HISTORY_LIMIT = np.uint64(1 << 14)
#: The weight of one step of the order that the game gives. One step weighs as much as a killer, two
#: steps as much as the best history.
_ORDER_WEIGHT = np.uint64(1 << 13)
_KILLER = _ORDER_WEIGHT


@kernel
def list_moves(
    board: Board, memory: Address, own: Word, other: Word, moves: Word, first: Word, ply: Ply
) -> Word:
    """Write moves and ordering values to the ply's list; `first` gets the highest value.

    Returns the number of moves.
    """
    killers = memory + _KILLERS + np.uint64(ply) * np.uint64(16)
    killer_1 = load64(killers)
    killer_2 = load64(killers + WORD)
    history = memory + _HISTORY + np.uint64(ply & 1) * (_SQUARES * WORD)
    place = memory + _MOVES + np.uint64(ply) * (_SQUARES * WORD)
    count = np.int64(0)
    while moves != NONE:
        move = moves & (NONE - moves)
        moves ^= move
        square = ctz(move)
        move_score = order(board, own, other, move) * _ORDER_WEIGHT
        move_score += load64(history + square * WORD)
        if square == first:
            move_score += _FIRST
        elif move in (killer_1, killer_2):
            move_score += _KILLER
        store64(place, (move_score << _MOVE_SCORE) | square)
        place += WORD
        count += 1
    return count


@kernel
def pick_move(memory: Address, ply: Ply, index: Word, count: Word) -> Word:
    """Move the best remaining move to this index of the list; return its square."""
    moves = memory + _MOVES + np.uint64(ply) * (_SQUARES * WORD)
    place = moves + np.uint64(index) * WORD
    here = load64(place)
    best = here
    best_place = place
    for later in range(index + 1, count):
        other_place = moves + np.uint64(later) * WORD
        candidate = load64(other_place)
        if candidate > best:
            best = candidate
            best_place = other_place
    store64(best_place, here)
    store64(place, best)
    return best & _SQUARE_MASK


@kernel
def remember_cutoff(memory: Address, ply: Ply, square: Word, depth: Ply) -> None:
    """Store a move that caused a cutoff in the killers of its ply and in the history."""
    killers = memory + _KILLERS + np.uint64(ply) * np.uint64(16)
    move = ONE << square
    if load64(killers) != move:
        store64(killers + WORD, load64(killers))
        store64(killers, move)
    place = memory + _HISTORY + (np.uint64(ply & 1) * _SQUARES + square) * WORD
    past = load64(place)
    bonus = np.uint64(min(depth * depth, np.int64(1024)))
    store64(place, past + bonus - past * bonus // _HISTORY_LIMIT)


@kernel
def to_table(score: Score, ply: Ply) -> Score:
    """Make a win or loss count plies from this position instead of from the root."""
    if score > MAX_ESTIMATE:
        return score + ply
    if score < -MAX_ESTIMATE:
        return score - ply
    return score


@kernel
def from_table(score: Score, ply: Ply) -> Score:
    """Make a win or loss count plies from the root instead of from this position."""
    if score > MAX_ESTIMATE:
        return score - ply
    if score < -MAX_ESTIMATE:
        return score + ply
    return score


@kernel
def search(
    board: Board,
    memory: Address,
    key: Word,
    own: Word,
    other: Word,
    depth: Ply,
    ply: Ply,
    alpha: Score,
    beta: Score,
) -> Score:
    """Search a position (principal variation search); see the head of the module.

    `ply` is the distance from the root. At depth 0, the key has no meaning. With an open window,
    the table causes no cutoff, so that the principal variation is complete.
    """
    if is_stopped(memory) or must_end(memory, load64(memory + CONTEXT.nodes)):
        return np.int64(0)
    count_nodes(memory, ONE)
    is_pv = beta - alpha > 1
    if is_pv:
        clear_line(memory, ply)

    result = outcome(board, own, other)
    if result != ONGOING:
        if result > MAX_ESTIMATE:
            return result - ply
        if result < -MAX_ESTIMATE:
            return result + ply
        return result
    if depth <= 0 or ply >= MAX_PLY - 1:
        return evaluate(board, own, other)
    # Even a win by the next move would not exceed alpha.
    if WIN - ply - 1 <= alpha:
        return np.int64(WIN - ply - 1)

    moves = legal(board, own, other)
    if moves == NONE:
        next_own, next_other = play(board, own, other, NONE)
        next_key = position_key(load64(memory + ROOT.salt), next_own, next_other)
        score = -search(
            board, memory, next_key, next_own, next_other, depth, ply + 1, -beta, -alpha
        )
        if ply == 0:
            store64(memory + ROOT.move, PASS_SQUARE)
        if is_pv and score > alpha:
            extend_line(memory, ply, PASS_SQUARE)
        return score

    first = NO_MOVE
    bucket = bucket_of(memory, key)
    entry = probe(bucket, key)
    if entry != NONE:
        first = entry_move(entry)
        known = from_table(entry_score(entry), ply)
        if not is_pv and (entry_depth(entry) >= depth or abs(known) > MAX_ESTIMATE):
            bound = entry_bound(entry)
            if bound == EXACT:
                return known
            if bound == LOWER and known >= beta:
                return known
            if bound == UPPER and known <= alpha:
                return known
    if ply == 0:
        moves &= ~load64(memory + ROOT.excluded)
        if load64(memory + ROOT.move) != NO_MOVE:
            first = load64(memory + ROOT.move)

    count = list_moves(board, memory, own, other, moves, first, ply)
    best = np.int64(-INFINITY)
    best_square = NO_MOVE
    best_move = NO_MOVE
    floor = alpha
    for index in range(count):
        square = pick_move(memory, ply, index, count)
        if index == 0:
            best_move = square
            if ply == 0:
                store64(memory + ROOT.move, square)
        next_own, next_other = play(board, own, other, ONE << square)
        next_key = NONE
        if depth > 1:
            next_key = position_key(load64(memory + ROOT.salt), next_own, next_other)
            prefetch(bucket_of(memory, next_key))
        score = np.int64(0)
        if index > 0:
            score = -search(
                board,
                memory,
                next_key,
                next_own,
                next_other,
                depth - 1,
                ply + 1,
                -floor - 1,
                -floor,
            )
            if ply == 0 and score > floor and not is_stopped(memory):
                # The move is better, even if time runs out before its exact score is known.
                store64(memory + ROOT.move, square)
        if index == 0 or (is_pv and score > floor and not is_stopped(memory)):
            score = -search(
                board, memory, next_key, next_own, next_other, depth - 1, ply + 1, -beta, -floor
            )
        if is_stopped(memory):
            return np.int64(0)
        if score > best:
            best = score
            best_square = square
            if score > floor:
                floor = score
                best_move = square
                if is_pv:
                    extend_line(memory, ply, square)
        if ply == 0:
            store64(memory + ROOT.move, best_move)
        if best >= beta:
            remember_cutoff(memory, ply, best_square, depth)
            break

    if ply > 0 or load64(memory + ROOT.excluded) == NONE:
        bound = EXACT
        if best >= beta:
            bound = LOWER
        elif best <= alpha:
            bound = UPPER
            best_square = first  # all moves failed low, so the best is unknown
        score = to_table(best, ply)
        store(bucket, key, load64(memory + ROOT.age), depth, _NO_LEVEL, best_square, score, bound)
    return best


@kernel
def search_root(
    board: Board, memory: Address, own: Word, other: Word, depth: Ply, alpha: Score, beta: Score
) -> Score:
    """Search a position from the root; leave the best move and its line in the memory."""
    key = position_key(load64(memory + ROOT.salt), own, other)
    return search(board, memory, key, own, other, depth, np.int64(0), alpha, beta)


@kernel
def evaluate_root(board: Board, own: Word, other: Word) -> Score:
    """Return the static evaluation of a position, or the final score if the game is over."""
    result = outcome(board, own, other)
    if result != ONGOING:
        return result
    return evaluate(board, own, other)


def entries(board: type[tuple[Any, ...]]) -> Mapping[str, Entry]:
    """Return the kernels of this module that Python calls, for a board class."""
    return {
        "search_root": Entry(search_root, board, *[UINT64] * 3, *[INT64] * 3),
        "evaluate_root": Entry(evaluate_root, board, UINT64, UINT64),
    }
