"""The search for any game, compiled anew for each game's board type.

The contract of `search`: the score returned, `s`, is for the side to move and stands to the true
value `v` of a search to that depth thus (fail-soft alpha-beta):

    alpha < s < beta    v == s
    s <= alpha          v <= s
    s >= beta           v >= s

A win is WIN less the plies from the root to it, so nearer wins are better; a loss is the negative.
The true value rests on estimates only where the depth ran out, therefore

* a win or a loss is proven whenever it is returned, and
* any score is proven if the depth was no less than the plies the game can still last. Nothing is
  pruned or reduced on suspicion; passes cost no depth.

Once the search is stopped, the score means nothing: the caller has to ask `is_stopped`.
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
#: Two moves a ply that refuted their sibling positions.
_KILLERS = np.uint64(OWN_BYTES)
#: For each side and square, how well moves there did.
_HISTORY = _KILLERS + np.uint64(MAX_PLY) * TWO * WORD
#: For each ply, the moves still to try.
_MOVES = _HISTORY + TWO * _SQUARES * WORD
#: Bytes of these arrays.
OWN_ARRAYS = int(_MOVES - _KILLERS) + MAX_PLY * 64 * 8
#: Nothing is pruned on suspicion here.
_NO_LEVEL = np.int64(0)

# A move to try is one word: its score in the order of moves, above the number of its square.
_MOVE_SCORE = np.uint64(8)
_SQUARE_MASK = np.uint64(0xFF)
_FIRST = np.uint64(1 << 40)
#: History is kept below this, by aging: a cutoff moves it part of the way there.
_HISTORY_LIMIT = np.uint64(1 << 14)
#: The game's own order weighs most: two steps of it as much as the best history, one as a killer.
_ORDER_WEIGHT = np.uint64(1 << 13)
_KILLER = _ORDER_WEIGHT


@kernel
def list_moves(
    board: Board, memory: Address, own: Word, other: Word, moves: Word, first: Word, ply: Ply
) -> Word:
    """Write the moves of a set to the ply's list with their scores; returns how many there are.

    `first` is the number of the square to try first, or NO_MOVE.
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
    """Swap the move of the best score left to that index of the list; returns its square."""
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
    """Remember a move that caused a cutoff as a killer of its ply and in the history."""
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
    """Count the plies of a win or loss from this position instead of from the root."""
    if score > MAX_ESTIMATE:
        return score + ply
    if score < -MAX_ESTIMATE:
        return score - ply
    return score


@kernel
def from_table(score: Score, ply: Ply) -> Score:
    """Count the plies of a win or loss from the root instead of from this position."""
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
    """Principal variation search; see the head of the module.

    `key` is the position's and counts for nothing if the depth is 0; `ply` is the distance to the
    root, at which excluded moves are left out. A window wider than null makes a PV node: it is
    never cut off by the table, so that its principal variation is whole.
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
    if WIN - ply - 1 <= alpha:  # even a win with the next move would be too late
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
                # Better than the best, also if time runs out before it is known by how much.
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
            best_square = first  # that all moves failed low says little about the best
        score = to_table(best, ply)
        store(bucket, key, load64(memory + ROOT.age), depth, _NO_LEVEL, best_square, score, bound)
    return best


@kernel
def search_root(
    board: Board, memory: Address, own: Word, other: Word, depth: Ply, alpha: Score, beta: Score
) -> Score:
    """Search a position from the root; `memory` is a `ThreadMemory`'s address.

    Leaves the best move and the principal variation in the memory.
    """
    key = position_key(load64(memory + ROOT.salt), own, other)
    return search(board, memory, key, own, other, depth, np.int64(0), alpha, beta)


@kernel
def evaluate_root(board: Board, own: Word, other: Word) -> Score:
    """The static evaluation of a position, or the final score if it is over."""
    result = outcome(board, own, other)
    if result != ONGOING:
        return result
    return evaluate(board, own, other)


def entries(board: type[tuple[Any, ...]]) -> Mapping[str, Entry]:
    """What Python calls of this search, for a class of boards."""
    return {
        "search_root": Entry(search_root, board, *[UINT64] * 3, *[INT64] * 3),
        "evaluate_root": Entry(evaluate_root, board, UINT64, UINT64),
    }
