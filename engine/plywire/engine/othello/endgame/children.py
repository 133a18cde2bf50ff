"""Making and queueing the children of an endgame node.

Processors with vectors of eight words make children in batches, because the replies to eight moves
cost as much as those to one. On other processors, most nodes have too few moves for batches. There,
children are made singly, and those that their table entries exclude are not rated.
"""

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import (
    ctz,
    load64,
    max_reduce,
    or_reduce,
    popcount,
    prefetch,
    store64,
    store_vector,
    u64x8,
)
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Flag, Word
from plywire.engine.othello.batch import BATCH, batch_mobility, place_batch
from plywire.engine.othello.child_queue import clear, put, word_of
from plywire.engine.othello.kernels import flips, mobility
from plywire.engine.othello.lookups import neighbours_of
from plywire.engine.othello.memory import CHILD, OTHELLO, board_of
from plywire.engine.othello.near_table import bucket, hash_of

from .ordering import move_score, neighbours


@kernel
def entry_of(context: Address, key: Word) -> Address:
    """Return the address of a position's bucket."""
    return bucket(load64(context + OTHELLO.near), key)


@inlined
def make_batches(
    context: Address, frame: Address, own: Word, other: Word, moves: Word, odd: Word, in_table: Flag
) -> Word:
    """Make and queue the children after all moves; return the word of the first child.

    Returns 0 if a move takes the opponent's last disc. The first child stays in the queue. If
    `in_table`, children get keys, and their buckets are prefetched.
    """
    board = board_of(context)
    empty = ~(own | other)
    numbers = u64x8(0, 1, 2, 3, 4, 5, 6, 7)
    first = NONE
    child = frame
    while moves != NONE:
        placed, moves = place_batch(board, own, other, moves)
        new = placed & empty
        mover = other & ~placed
        waiter = own | placed
        if or_reduce(mover == 0) != NONE:
            return NONE
        store_vector(child + CHILD.own, mover)
        store_vector(child + CHILD.other, waiter)
        if in_table:
            store_vector(child + CHILD.key, hash_of(mover, waiter))
            for lane in range(BATCH):
                prefetch(entry_of(context, load64(child + CHILD.key + lane * WORD)))
        replies = batch_mobility(mover, waiter)
        store_vector(child + CHILD.moves, replies)
        score = move_score(new, neighbours(new), mover, waiter, replies, odd)
        words = word_of(numbers, ctz(new), score) & (new != 0)
        store_vector(child + CHILD.queue, words)
        first = max(first, max_reduce(words))
        numbers += BATCH
        child += BATCH * WORD
    return first


@inlined
def make_singly(
    context: Address, frame: Address, own: Word, other: Word, moves: Word, in_table: Flag
) -> Flag:
    """Make the children after all moves; return whether each move leaves the opponent a disc."""
    board = board_of(context)
    clear(frame + CHILD.queue, popcount(moves))
    child = frame
    while moves != NONE:
        square = ctz(moves)
        moves &= moves - ONE
        flipped = flips(board, own, other, square)
        mover = other ^ flipped
        waiter = own | flipped | ONE << square
        if mover == NONE:
            return False
        store64(child + CHILD.own, mover)
        store64(child + CHILD.other, waiter)
        if in_table:
            key = hash_of(mover, waiter)
            store64(child + CHILD.key, key)
            prefetch(entry_of(context, key))
        child += WORD
    return True


@inlined
def rate(context: Address, frame: Address, index: Word, square: Word, odd: Word) -> Word:
    """Queue a child that `make_singly` made; return its word."""
    child = frame + index * WORD
    mover, waiter = load64(child + CHILD.own), load64(child + CHILD.other)
    replies = mobility(mover, waiter)
    store64(child + CHILD.moves, replies)
    near = neighbours_of(context, square)
    score = move_score(ONE << square, near, mover, waiter, replies, odd)
    return put(frame + CHILD.queue, index, square, score)
