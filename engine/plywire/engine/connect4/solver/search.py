"""The solver's search: fail-soft alpha-beta over quiet positions.

A score is k if the player to move wins with their k-th last stone, -k if the opponent does, and 0
for a draw.

A position is *quiet* if the player to move has no winning move, and at least two moves that do not
lose at once. Forced moves are played without nodes, so all nodes are quiet.

`search` returns an exact score between alpha and beta, an upper bound at or below alpha, and a
lower bound at or above beta. After a stop, or on the way back to a settled node, the result has no
meaning and is not stored.

A node tries all moves at once, one in each lane of a vector:

1. If the opponent must answer two threats, or a threat below a threat, the move wins.
2. If a move leaves one reply, the forced moves that follow are played.
3. The table entries of the children are prefetched.
4. Follow-up play and the table give bounds. A child ends the node, is dropped or is queued.
5. Queued children are searched, the best move score first. A thread defers children that another
   thread is searching (T. Kerrigan's "simplified ABDADA"). It goes back to a node that another
   thread has settled.
"""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import (
    atomic_load64,
    atomic_store64,
    ctz,
    load64,
    or_reduce,
    prefetch,
    store64,
    store_vector,
    u64x8,
)
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Flag, Ply, Score, Word
from plywire.engine.search.context import (
    CONTEXT,
    busy_slot,
    count_nodes,
    is_stopped,
    must_end,
)

from .children import (
    LANES,
    WORST,
    careful_scores,
    enqueue,
    lanes_of,
    move_scores,
    move_to,
    one_a_lane,
    play_chains,
    replies_to,
)
from .forced import score_of_win
from .geometry import Geometry, cells, full, is_shared, leader_rows, stride, width
from .history import averages_of, recalled, remember
from .keys import key_of
from .lines import above, completing, landings
from .memory import CHILD, FRAME, NODE, SOLVER
from .proofs import follow_up
from .table import (
    NEAR_BUCKETS,
    SHARED_NEAR_BUCKETS,
    bucket,
    folded_bucket,
    lower_bound,
    probe,
    store,
    upper_bound,
)

#: Positions with at most this number of empty squares use the near table.
_NEAR_CELLS = np.int64(20)
#: Minimum number of empty squares for which careful move ordering pays.
_EARLY_CELLS = np.int64(21)
#: Minimum number of empty squares of a position on which threads share the work.
_SHARED_CELLS = np.int64(24)


@kernel
def _is_near(geometry: Geometry, ply: Ply) -> Flag:
    return cells(geometry) - ply <= _NEAR_CELLS


@kernel
def entry_of(geometry: Geometry, context: Address, key: Word, ply: Ply) -> Address:
    """Return the address of the bucket of a position with `ply` stones."""
    if _is_near(geometry, ply):
        near_buckets = SHARED_NEAR_BUCKETS if is_shared(geometry) else NEAR_BUCKETS
        return bucket(load64(context + SOLVER.near), np.uint64(near_buckets - 1), key)
    buckets, mask = load64(context + CONTEXT.buckets), load64(context + SOLVER.mask)
    return folded_bucket(load64(context + CONTEXT.table), buckets, mask, key)


@kernel
def _known_bounds(geometry: Geometry, context: Address, child: Address) -> tuple[Score, Score]:
    """Return the bounds of a child, for its player to move, that are known without a search."""
    ply = np.int64(load64(child + CHILD.ply))
    low = -score_of_win(geometry, ply + np.int64(3))
    high = score_of_win(geometry, ply + np.int64(2))
    proof = np.int64(load64(child + CHILD.proof))
    if proof != np.int64(0):
        high = min(high, np.int64(1) - proof)
    key = load64(child + CHILD.key)
    known = probe(entry_of(geometry, context, key, ply), key)
    if known != NONE:
        low = max(low, lower_bound(known))
        high = min(high, upper_bound(known))
    return low, high


@kernel
def _is_roots_side(context: Address, ply: Ply) -> Flag:
    return (load64(load64(context + SOLVER.frames) + CHILD.ply) ^ np.uint64(ply)) & ONE == NONE


@kernel
def _settled(context: Address, frame: Address) -> Address:
    """Return the frame of the highest node below the root that others have settled, 0 if none.

    A node is settled if the table has a bound outside its window. The frame holds the window.
    """
    found = NONE
    root = load64(context + SOLVER.frames)
    buckets, mask = load64(context + CONTEXT.buckets), load64(context + SOLVER.mask)
    while frame != root:
        key = load64(frame + NODE.key)
        known = probe(folded_bucket(load64(context + CONTEXT.table), buckets, mask, key), key)
        if known != NONE:
            lower, upper = lower_bound(known), upper_bound(known)
            if lower >= np.int64(load64(frame + NODE.beta)):
                found = frame
                store64(frame + NODE.answer, np.uint64(lower))
            elif upper <= np.int64(load64(frame + NODE.alpha)):
                found = frame
                store64(frame + NODE.answer, np.uint64(upper))
        frame -= FRAME
    return found


@kernel
def search(
    geometry: Geometry, context: Address, node: Address, frame: Address, alpha: Score, beta: Score
) -> Score:
    """Search a node, the child in the frame before `frame`; return its score or a bound."""
    if is_stopped(context):
        return alpha
    nodes = count_nodes(context, ONE)
    must_end(context, nodes)

    mover = load64(node + CHILD.mover)
    other = load64(node + CHILD.other)
    ply = np.int64(load64(node + CHILD.ply))
    moves = load64(node + CHILD.moves)
    key = load64(node + CHILD.key)
    low = np.int64(load64(node + CHILD.low))
    high = np.int64(load64(node + CHILD.high))
    entry = entry_of(geometry, context, key, ply)
    is_near = _is_near(geometry, ply)
    taken = mover | other
    empty_is_odd = np.uint64(cells(geometry) - ply) & ONE
    rows = full(geometry) & ~leader_rows(geometry) if empty_is_odd else leader_rows(geometry)
    out_of_reach = above(geometry, load64(node + CHILD.threats))
    is_early = cells(geometry) - ply >= _EARLY_CELLS

    best = WORST
    dropped = WORST  # the highest bound of all dropped children
    queued = NONE
    batch = frame  # eight columns' children; wide boards need two batches
    column = NONE
    while True:
        move = one_a_lane(geometry, moves, column)
        is_move = move != NONE
        children = u64x8(other)
        parents = move | mover
        filled = move | taken
        landing = landings(geometry, filled)
        completes = completing(geometry, parents) & full(geometry) & ~filled
        replies = replies_to(completes, landing)
        if or_reduce((replies == NONE) & (landing != NONE) & is_move) != NONE:
            best = score_of_win(geometry, ply + np.int64(2))
            store(entry, key, best, best, ONE, is_near)
            return best

        chains = ((replies & (replies - ONE)) == NONE) & is_move
        usable = completes & ~out_of_reach
        scores = move_scores(geometry, usable, landing, column, rows, chains)
        if is_early:
            killer = load64(frame + NODE.killer)
            scores += careful_scores(geometry, mover, other, move, rows, killer)
        store_vector(batch + CHILD.order, scores)
        children, parents, replies, completes, plies, value, decided = play_chains(
            geometry, children, parents, replies, completes, chains, ply + np.int64(1)
        )
        best = max(best, value)
        if best >= beta:
            store(entry, key, max(low, best), high, ONE, is_near)
            return best
        store_vector(batch + CHILD.ply, plies)
        store_vector(batch + CHILD.moves, replies)
        store_vector(batch + CHILD.mover, children)
        store_vector(batch + CHILD.other, parents)
        store_vector(batch + CHILD.threats, completes)
        live = lanes_of(is_move & ~decided)

        if live != NONE:
            empty = cells(geometry) - ply - np.int64(1)
            store_vector(batch + CHILD.key, key_of(geometry, children, parents, empty))
            fetched = live
            while fetched != NONE:
                child = batch + ctz(fetched) * WORD
                fetched &= fetched - ONE
                child_ply = np.int64(load64(child + CHILD.ply))
                prefetch(entry_of(geometry, context, load64(child + CHILD.key), child_ply))

            # Follow-up play proves only small scores. With a larger beta, it could not end the
            # node, so it is left out.
            proof = u64x8(NONE)
            if beta <= np.int64(stride(geometry)) // np.int64(2):
                odd = u64x8(NONE) - ((u64x8(np.uint64(cells(geometry))) - plies) & ONE)
                proof = follow_up(geometry, children, parents, completes, odd, beta > np.int64(0))
            store_vector(batch + CHILD.proof, proof)

        while live != NONE:
            child = batch + ctz(live) * WORD
            live &= live - ONE
            child_low, child_high = _known_bounds(geometry, context, child)
            is_same_side = (np.int64(load64(child + CHILD.ply)) - ply) & np.int64(1) == np.int64(0)
            best = max(best, child_low if is_same_side else -child_high)
            if best >= beta:
                store(entry, key, max(low, best), high, ONE, is_near)
                return best
            at_most = child_high if is_same_side else -child_low
            if at_most <= max(alpha, best):
                dropped = max(dropped, at_most)
                continue
            store64(child + CHILD.low, np.uint64(child_low))
            store64(child + CHILD.high, np.uint64(child_high))
            if is_early:
                value = np.int64(load64(child + CHILD.order))
                square = ctz(move_to(geometry, child - frame, taken))
                value += recalled(averages_of(load64(context + SOLVER.history), ply), square)
                store64(child + CHILD.order, np.uint64(value))
            queued = enqueue(frame, queued, child)
        batch += LANES * WORD
        column += LANES
        if column >= width(geometry):
            break

    best = max(best, dropped)
    alpha = max(alpha, best)
    shares = is_shared(geometry) and cells(geometry) - ply >= _SHARED_CELLS
    if shares:
        store64(frame + NODE.key, key)
        store64(frame + NODE.alpha, np.uint64(alpha))
        store64(frame + NODE.beta, np.uint64(beta))
    slots = (ONE << queued) - ONE
    deferred = NONE
    is_first_pass = True
    while slots | deferred != NONE:
        if slots == NONE:
            slots, deferred, is_first_pass = deferred, NONE, False
        slot = ctz(slots)
        slots &= slots - ONE
        child = load64(frame + CHILD.queue + slot * WORD)
        is_same_side = (np.int64(load64(child + CHILD.ply)) - ply) & np.int64(1) == np.int64(0)
        busy = NONE
        if shares:
            settled = _settled(context, frame)
            if settled == frame:
                return np.int64(load64(frame + NODE.answer))
            if settled != NONE:
                store64(context + SOLVER.back_to, settled)
                return alpha
            busy = busy_slot(context, load64(child + CHILD.key))
            # After a move of the root, usually the first reply is enough to refute it. So all
            # threads search this reply together, and none defers it.
            may_defer = is_first_pass and (slot != NONE or _is_roots_side(context, ply))
            if may_defer and atomic_load64(busy) == load64(child + CHILD.key):
                deferred |= ONE << slot
                continue
            child_low, child_high = _known_bounds(geometry, context, child)
            best = max(best, child_low if is_same_side else -child_high)
            at_most = child_high if is_same_side else -child_low
            if best >= beta:
                break
            if at_most <= max(alpha, best):
                best = max(best, at_most)
                continue
            store64(child + CHILD.low, np.uint64(child_low))
            store64(child + CHILD.high, np.uint64(child_high))
            atomic_store64(busy, load64(child + CHILD.key))
        if is_same_side:
            value = search(geometry, context, child, frame + FRAME, alpha, beta)
        else:
            value = -search(geometry, context, child, frame + FRAME, -beta, -alpha)
        if shares:
            atomic_store64(busy, NONE)
            back_to = load64(context + SOLVER.back_to)
            if back_to != NONE:
                if back_to != frame:
                    return alpha
                store64(context + SOLVER.back_to, NONE)
                return np.int64(load64(frame + NODE.answer))
        if is_stopped(context):
            return alpha
        best = max(best, value)
        alpha = max(alpha, best)
        if is_early:
            moved = move_to(geometry, child - frame, taken)
            remember(averages_of(load64(context + SOLVER.history), ply), ctz(moved), alpha >= beta)
            if alpha >= beta:
                store64(frame + NODE.killer, moved)
        if alpha >= beta:
            break
    work = load64(context + CONTEXT.nodes) - nodes + ONE
    if best >= beta:
        store(entry, key, max(low, best), high, work, is_near)
    else:
        store(entry, key, low, min(high, best), work, is_near)
    return best
