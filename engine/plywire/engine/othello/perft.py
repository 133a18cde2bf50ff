"""Counting the tree of Othello games without making the leaves.

Almost all work is in two plies: making the positions one ply above the leaves, and counting their
moves. The moves to such positions, from any parents, wait in a list until there are eight. Then
these positions are made and counted as a batch. A move in the list is called *held*.

A context is a block of memory with the counts and the held moves::

    word 0      number of held moves
    word 1      leaves
    word 2      finished games
    _OWN        the mover's discs with the new one, a word for each held move
    _OTHER      the opponent's discs before the move
    _FLIPS      the flips, a vector for each move; see `flips_by_direction`
"""

from collections.abc import Mapping

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import (
    add_reduce,
    ctz,
    load64,
    load_u64x8,
    or_reduce,
    popcount,
    stack_words,
    store64,
    store_vector,
    u64x8,
)
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Ply, Word
from plywire.engine.compiled.program import INT64, UINT64, Entry

from .batch import BATCH, VECTOR, batch_mobility, both_ways, flips_by_direction, gather_flips
from .kernels import OthelloBoard, mobility

#: Maximum number of moves in a position, rounded up to whole batches.
_MOST_MOVES = 64
#: Maximum number of held moves.
_ROOM = 4 * _MOST_MOVES
#: If more moves than this are held, the moves of another position may not fit.
_FULL = np.uint64(_ROOM - _MOST_MOVES)

# The offsets of a context's parts from its address, in bytes.
_HELD, _LEAVES, _FINISHED = np.uint64(0), np.uint64(8), np.uint64(16)
_OWN = VECTOR
_OTHER = _OWN + np.uint64(_ROOM) * WORD
_FLIPS = _OTHER + np.uint64(_ROOM) * WORD
# The size of a context in words, with room to align it to a cache line.
_WORDS = 16 + 2 * _ROOM + 8 * _ROOM

# A child has three words: own, other and moves. The second and the third are at these offsets, in
# bytes.
_CHILD_OTHER = np.uint64(_MOST_MOVES) * WORD
_CHILD_MOVES = np.uint64(2 * _MOST_MOVES) * WORD
_CHILDREN_WORDS = 3 * _MOST_MOVES


@inlined
def _add(address: Address, more: Word) -> None:
    store64(address, load64(address) + more)


@inlined
def _hold(
    context: Address, board: OthelloBoard, own: Word, other: Word, moves: Word, held: Word
) -> Word:
    """Add a position's moves to the `held` moves; return the new number of held moves."""
    own_both_ways, other_both_ways = both_ways(own, other)
    while moves != NONE:
        square = ctz(moves)
        store64(context + _OWN + held * WORD, own | moves & (NONE - moves))
        store64(context + _OTHER + held * WORD, other)
        flipped = flips_by_direction(board, own_both_ways, other_both_ways, square)
        store_vector(context + _FLIPS + held * VECTOR, flipped)
        moves &= moves - ONE
        held += ONE
    return held


@inlined
def _play_batch(context: Address, first: Word) -> tuple[Word, Word]:
    """Return the discs of the players to move and of the opponents after eight held moves."""
    flipped = gather_flips(context + _FLIPS + first * VECTOR)
    own = load_u64x8(context + _OTHER + first * WORD) ^ flipped
    other = load_u64x8(context + _OWN + first * WORD) | flipped
    return own, other


@kernel
def _count_below(context: Address, own: Word, other: Word) -> None:
    moves = mobility(own, other)
    if moves != NONE:
        _add(context + _LEAVES, popcount(moves))
    elif mobility(other, own) != NONE:
        _add(context + _LEAVES, ONE)
    else:
        _add(context + _FINISHED, ONE)


@kernel
def _count_singly(context: Address, first: Word, count: Word) -> None:
    """Count the leaves and finished games after `count` held moves, at most eight."""
    own, other = _play_batch(context, first)
    positions = stack_words(16)
    store_vector(positions, own)
    store_vector(positions + VECTOR, other)
    for _ in range(count):
        _count_below(context, load64(positions), load64(positions + VECTOR))
        positions += WORD


@kernel
def _count_batches(context: Address) -> None:
    """Count the leaves after the held moves, the latest first, in batches of eight."""
    held = load64(context + _HELD)
    leaves = u64x8(0)
    while held >= BATCH:
        held -= BATCH
        own, other = _play_batch(context, held)
        moves = batch_mobility(own, other)
        if or_reduce(moves == 0) == NONE:
            leaves += popcount(moves)
        else:
            _count_singly(context, held, BATCH)
    _add(context + _LEAVES, add_reduce(leaves))
    store64(context + _HELD, held)


@inlined
def _make_children(
    context: Address, board: OthelloBoard, own: Word, other: Word, moves: Word, children: Address
) -> Word:
    held = load64(context + _HELD)
    count = _hold(context, board, own, other, moves, held) - held
    at = children
    for number in range(NONE, count, BATCH):
        next_own, next_other = _play_batch(context, held + number)
        store_vector(at, next_own)
        store_vector(at + _CHILD_OTHER, next_other)
        store_vector(at + _CHILD_MOVES, batch_mobility(next_own, next_other))
        at += VECTOR
    return count


@inlined
def _hold_children(
    context: Address, board: OthelloBoard, own: Word, other: Word, moves: Word
) -> None:
    """Hold the moves of a position two plies above the leaves."""
    held = _hold(context, board, own, other, moves, load64(context + _HELD))
    store64(context + _HELD, held)
    if held > _FULL:
        _count_batches(context)


@kernel
def _walk(
    context: Address, board: OthelloBoard, own: Word, other: Word, moves: Word, depth: Ply
) -> None:
    """Count the tree below a position; some moves remain held, and are not counted yet."""
    if moves == NONE:
        moves = mobility(other, own)
        if moves == NONE:
            _add(context + _FINISHED, ONE)
            return
        own, other = other, own
        depth -= 1
    if depth == 0:
        _add(context + _LEAVES, ONE)
    elif depth == 1:
        _add(context + _LEAVES, popcount(moves))
    elif depth == 2:
        _hold_children(context, board, own, other, moves)
    else:
        child = stack_words(_CHILDREN_WORDS)
        for _ in range(_make_children(context, board, own, other, moves, child)):
            next_own, next_other = load64(child), load64(child + _CHILD_OTHER)
            next_moves = load64(child + _CHILD_MOVES)
            if depth == 3 and next_moves != NONE:
                # A recursive call would do the same, but take 7 % more time.
                _hold_children(context, board, next_own, next_other, next_moves)
            else:
                _walk(context, board, next_own, next_other, next_moves, depth - 1)
            child += WORD


@kernel
def count(board: OthelloBoard, own: Word, other: Word, depth: Ply) -> tuple[Word, Word]:
    """Return the leaves of the tree and the games that finished earlier."""
    if depth == 0:
        return ONE, NONE
    # The context is aligned, because vectors that are not aligned would span two cache lines.
    context = (stack_words(_WORDS) + VECTOR - ONE) & ~(VECTOR - ONE)
    store64(context + _HELD, NONE)
    store64(context + _LEAVES, NONE)
    store64(context + _FINISHED, NONE)
    _walk(context, board, own, other, mobility(own, other), depth)
    _count_batches(context)
    _count_singly(context, NONE, load64(context + _HELD))
    return load64(context + _LEAVES), load64(context + _FINISHED)


@kernel
def count_into(board: OthelloBoard, own: Word, other: Word, depth: Ply, result: Address) -> None:
    """Write both results of `count` to an address."""
    leaves, finished = count(board, own, other, depth)
    store64(result, leaves)
    store64(result + WORD, finished)


def entries() -> Mapping[str, Entry]:
    """Return the kernels of this module that Python calls."""
    return {"count_into": Entry(count_into, OthelloBoard, UINT64, UINT64, INT64, UINT64)}
