"""The solver's search: fail-soft alpha-beta over quiet positions.

Scores are those of the classic suites: +k if the side to move wins with its k-th last stone, -k if it
loses so, 0 for a draw. A side that completes a four with the stone that follows `n` others gets
`score_of_win(n)`.

A position is *quiet* if the side to move has no winning move, and at least two moves that do not lose
at once. `quieten` plays forced moves until a position is quiet or decided, so the search visits quiet
positions only, and a chain of forced moves costs no node.

What `_search` returns is exact if it lies between alpha and beta, an upper bound if it is at most
alpha, and a lower bound if it is at least beta. Once the stop word is set, what it returns means
nothing, and nothing is stored.

At a node, all moves are tried at once, one in each lane of a vector:

1. the squares that would complete a four after each move. A move after which the opponent must answer
   two threats, or a threat under a threat, wins;
2. where a move leaves one answer, the chain of forced moves that follows is played out;
3. the keys of the positions reached; their table entries are fetched from memory meanwhile;
4. what follow-up play proves (`proofs.py`);
5. the bounds that the table holds. A child that suffices ends the node, one that cannot is dropped;
6. the rest, most promising first, are searched.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled import kernel
from plywire.engine.connect4.solver.geometry import (
    bottom,
    cells,
    full,
    leader_rows,
    stride,
    width,
)
from plywire.engine.connect4.solver.lines import (
    completing,
    landings,
    lined_up,
    mirrored,
)
from plywire.engine.connect4.solver.proofs import follow_up
from plywire.engine.connect4.solver.table import bucket, find, keep, lower_bound, upper_bound
from plywire.engine.intrinsics import (
    add_reduce,
    atomic_load64,
    atomic_store64,
    ctz,
    load64,
    load_u64x8,
    or_reduce,
    popcount,
    prefetch,
    store64,
    store_vector,
    u64x8,
)

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_TWO = np.uint64(2)
_LANES = np.uint64(8)
_WORD = np.uint64(8)

# ---- memory ----
# What a search shares between its nodes: words at these offsets from `context`.
STOP = np.uint64(0)  # address of the stop word: not 0 ends the search
TABLE = np.uint64(8)
MASK = np.uint64(16)  # buckets in the table, less one
NEAR_MASK = np.uint64(24)  # the same for its near part
NODES = np.uint64(32)
NODE_LIMIT = np.uint64(40)
LOWER = np.uint64(48)  # what is proven about the root so far, as int64
UPPER = np.uint64(56)
VARIANT = np.uint64(64)  # 0, or another number for a thread that is to search in another order
CONTEXT_WORDS = 16

# Each ply of the search has a frame: columns of 16 words, one for each child. A child is addressed
# by its word in the first column.
_COLUMN = np.uint64(16 * 8)
_MOVER = np.uint64(0)  # the stones of who is to move in the child
_OTHER = _COLUMN
_PLY = np.uint64(2) * _COLUMN  # stones on the board
_MOVES = np.uint64(3) * _COLUMN  # its moves that do not lose at once
_KEY = np.uint64(4) * _COLUMN
_LOW = np.uint64(5) * _COLUMN  # its bounds, as int64
_HIGH = np.uint64(6) * _COLUMN
_ORDER = np.uint64(7) * _COLUMN  # ordering value
_PROOF = np.uint64(8) * _COLUMN
_QUEUE = np.uint64(9) * _COLUMN  # children left to search, best first
_FRAME = np.uint64(10) * _COLUMN
FRAME_BYTES = int(_FRAME)

# ---- tuning, each value measured on the suites L2_R2 and L1_R2 ----
_NEAR_CELLS = np.int64(20)  # positions with so few empty squares use the near part of the table
_MIRROR_CELLS = np.int64(28)  # with more, a position and its mirror image share an entry
_THREAT_WEIGHT = np.uint64(4)
_NEXT_WEIGHT = np.uint64(4)
_ROW_WEIGHT = np.uint64(2)

_WORST = np.int64(-99)


@kernel
def score_of_win(geometry: Any, stones: Any) -> Any:
    """What a four with the next stone is worth when that many stones are on the board."""
    return (cells(geometry) + np.int64(1) - stones) // np.int64(2)


@kernel
def _safe_moves(geometry: Any, completes: Any, landing: Any) -> Any:
    """The landings that do not lose at once, given what would complete a four for the opponent.

    One square is to be occupied if the opponent threatens it; none below a threat may be. Works on
    words and, with the condition as a mask, on vectors.
    """
    return landing & ~(completes >> _ONE)


@kernel
def _mix(mover: Any, other: Any) -> Any:
    # The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), one word fed in after the other.
    key = mover * np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ key >> np.uint64(29)) + other
    key = key * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ key >> np.uint64(32)) * np.uint64(0x94D049BB133111EB)
    return key ^ key >> np.uint64(29)


@kernel
def _colourless(geometry: Any, mover: Any, other: Any) -> Any:
    """The stones that can be part of no four any more, for either side."""
    board = full(geometry)
    return mover & ~lined_up(geometry, board & ~other) | other & ~lined_up(
        geometry, board & ~mover
    )


@kernel
def quieten(geometry: Any, mover: Any, other: Any, ply: Any) -> Any:
    """Play forced moves from a position without a winning move, until it is quiet or decided.

    Returns (mover, other, ply, moves, score): if no moves are left, the position is decided with
    that score for `mover`.
    """
    while True:
        taken = mover | other
        landing = landings(geometry, taken)
        completes = completing(geometry, other) & full(geometry) & ~taken
        forced = landing & completes
        moves = landing & ~(completes >> _ONE)
        if forced != _NONE:
            moves &= forced
            if forced & (forced - _ONE) != _NONE:
                moves = _NONE
        if moves == _NONE:
            lost = -score_of_win(geometry, ply + np.int64(1))
            return mover, other, ply, moves, np.int64(0) if landing == _NONE else lost
        if moves & (moves - _ONE) != _NONE:
            return mover, other, ply, moves, np.int64(0)
        mover, other = other, mover | moves
        ply += np.int64(1)


@kernel
def key_of(geometry: Any, mover: Any, other: Any, empty: Any) -> Any:
    """The key of a position with that many empty squares: equal for positions of equal value.

    Stones that can be part of no four count for neither side (they are added to both), and while
    the board is fairly empty a position and its mirror image share a key. 64 bits of hash: two
    positions share one by accident with a probability of about 2**-58 a look-up.
    """
    colourless = _colourless(geometry, mover, other)
    mover |= colourless
    other |= colourless
    key = _mix(mover, other)
    if empty > _MIRROR_CELLS:
        image = _mix(mirrored(geometry, mover), mirrored(geometry, other))
        key = key + image
    return key


@kernel
def _bucket(geometry: Any, context: Any, key: Any, ply: Any) -> Any:
    near = cells(geometry) - ply <= _NEAR_CELLS
    mask = load64(context + NEAR_MASK) if near else load64(context + MASK)
    return bucket(load64(context + TABLE), mask, key)


@kernel
def _order(geometry: Any, completes: Any, landing: Any, moves: Any, rows: Any) -> Any:
    """Ordering values of eight moves: threats made, those to come first, and nearness to the centre.

    `completes` holds the squares that complete a four after each move, `landing` where stones can
    land then, `rows` the rows on which threats serve the player best in the end.
    """
    value = popcount(completes) * u64x8(_THREAT_WEIGHT)
    value += popcount(completes & landing << _ONE) * u64x8(_NEXT_WEIGHT)
    value += popcount(completes & rows) * u64x8(_ROW_WEIGHT)
    inner = full(geometry)
    for _ in range((width(geometry) - _ONE) >> _ONE):
        inner &= inner << stride(geometry) & inner >> stride(geometry)
        value += popcount(moves & inner)
    return value


@kernel
def _search(
    geometry: Any, context: Any, node: Any, frame: Any, alpha: Any, beta: Any
) -> Any:
    if atomic_load64(load64(context + STOP)) != _NONE:
        return alpha
    nodes = load64(context + NODES) + _ONE
    store64(context + NODES, nodes)
    if nodes >= load64(context + NODE_LIMIT):
        atomic_store64(load64(context + STOP), _ONE)

    mover = load64(node + _MOVER)
    other = load64(node + _OTHER)
    ply = np.int64(load64(node + _PLY))
    moves = load64(node + _MOVES)
    key = load64(node + _KEY)
    low = np.int64(load64(node + _LOW))
    high = np.int64(load64(node + _HIGH))
    entry = _bucket(geometry, context, key, ply)
    taken = mover | other
    empty_is_odd = np.uint64(cells(geometry) - ply) & _ONE
    rows = full(geometry) & ~leader_rows(geometry) if empty_is_odd else leader_rows(geometry)

    best = _WORST
    dropped = _WORST  # the best that a dropped child can be worth
    queued = _NONE
    first = _NONE  # children come in batches of eight: more than one only on wide boards
    while moves != _NONE:
        batch = frame + first * _WORD
        count = _NONE
        rest = moves
        while rest != _NONE and count < _LANES:
            store64(batch + _ORDER + count * _WORD, rest & (_NONE - rest))
            rest &= rest - _ONE
            count += _ONE
        filler = load64(batch + _ORDER)
        for lane_index in range(count, _LANES):
            store64(batch + _ORDER + lane_index * _WORD, filler)
        moves = rest

        move = load_u64x8(batch + _ORDER)
        stones = move | mover
        filled = move | taken
        landing = landings(geometry, filled)
        completes = completing(geometry, stones) & full(geometry) & ~filled
        forced = landing & completes
        replies = landing & ~(completes >> _ONE)
        replies &= forced | (forced == _NONE)
        double = (forced & (forced - _ONE)) != _NONE
        won = (double | (replies == _NONE)) & (landing != _NONE)
        if or_reduce(won) != _NONE:
            best = score_of_win(geometry, ply + np.int64(2))
            keep(entry, key, best, best, _ONE)
            return best

        store_vector(batch + _ORDER, _order(geometry, completes, landing, move, rows))
        children = u64x8(other)
        parents = stones
        plies = u64x8(np.uint64(ply + np.int64(1)))
        store_vector(batch + _PLY, plies)
        store_vector(batch + _MOVES, replies)
        store_vector(batch + _MOVER, children)
        store_vector(batch + _OTHER, parents)
        # Lanes, as a bit set, whose only reply starts a chain of forced moves.
        lanes = u64x8(
            np.uint64(1),
            np.uint64(2),
            np.uint64(4),
            np.uint64(8),
            np.uint64(16),
            np.uint64(32),
            np.uint64(64),
            np.uint64(128),
        )
        live = (_ONE << count) - _ONE
        single = ((replies & (replies - _ONE)) == _NONE) & lanes
        chains = add_reduce(single) & live
        if chains != _NONE:
            while chains != _NONE:
                index = ctz(chains)
                chains &= chains - _ONE
                child = batch + index * _WORD
                a, b, n, replies_left, score = quieten(
                    geometry, other, load64(child + _OTHER), ply + np.int64(1)
                )
                if replies_left == _NONE:
                    live &= ~(_ONE << index)
                    value = score if (n - ply) & np.int64(1) == np.int64(0) else -score
                    best = max(best, value)
                    if best >= beta:
                        keep(entry, key, max(low, best), high, _ONE)
                        return best
                else:
                    store64(child + _MOVER, a)
                    store64(child + _OTHER, b)
                    store64(child + _PLY, np.uint64(n))
                    store64(child + _MOVES, replies_left)
            children = load_u64x8(batch + _MOVER)
            parents = load_u64x8(batch + _OTHER)
            plies = load_u64x8(batch + _PLY)
        if live == _NONE:
            first += _LANES
            continue

        store_vector(
            batch + _KEY,
            key_of(geometry, children, parents, cells(geometry) - ply - np.int64(1)),
        )
        for index in range(count):
            child = batch + index * _WORD
            child_ply = np.int64(load64(child + _PLY))
            prefetch(_bucket(geometry, context, load64(child + _KEY), child_ply))

        odd = u64x8(_NONE) - ((u64x8(np.uint64(cells(geometry))) - plies) & _ONE)
        # Follow-up play proves small scores only: no use when more is asked.
        provable = beta <= np.int64(stride(geometry)) // np.int64(2)
        if provable:
            store_vector(
                batch + _PROOF,
                follow_up(geometry, children, parents, odd, beta > np.int64(0)),
            )
        else:
            store_vector(batch + _PROOF, u64x8(_NONE))

        while live != _NONE:
            index = ctz(live)
            live &= live - _ONE
            child = batch + index * _WORD
            child_ply = np.int64(load64(child + _PLY))
            child_low = -score_of_win(geometry, child_ply + np.int64(3))
            child_high = score_of_win(geometry, child_ply + np.int64(2))
            proof = np.int64(load64(child + _PROOF))
            if proof != np.int64(0):
                child_high = min(child_high, np.int64(1) - proof)
            child_key = load64(child + _KEY)
            known = find(_bucket(geometry, context, child_key, child_ply), child_key)
            if known != _NONE:
                child_low = max(child_low, lower_bound(known))
                child_high = min(child_high, upper_bound(known))
            same_side = (child_ply - ply) & np.int64(1) == np.int64(0)
            at_least = child_low if same_side else -child_high
            at_most = child_high if same_side else -child_low
            best = max(best, at_least)
            if best >= beta:
                keep(entry, key, max(low, best), high, _ONE)
                return best
            if at_most <= max(alpha, best):
                dropped = max(dropped, at_most)
                continue
            store64(child + _LOW, np.uint64(child_low))
            store64(child + _HIGH, np.uint64(child_high))
            value_of_order = load64(child + _ORDER)
            slot = queued
            while slot > _NONE:
                earlier = load64(frame + _QUEUE + (slot - _ONE) * _WORD)
                if load64(earlier + _ORDER) >= value_of_order:
                    break
                store64(frame + _QUEUE + slot * _WORD, earlier)
                slot -= _ONE
            store64(frame + _QUEUE + slot * _WORD, child)
            queued += _ONE
        first += _LANES

    best = max(best, dropped)
    alpha = max(alpha, best)
    for slot in range(queued):
        child = load64(frame + _QUEUE + slot * _WORD)
        same_side = (np.int64(load64(child + _PLY)) - ply) & np.int64(1) == np.int64(0)
        if same_side:
            value = _search(geometry, context, child, frame + _FRAME, alpha, beta)
        else:
            value = -_search(geometry, context, child, frame + _FRAME, -beta, -alpha)
        if atomic_load64(load64(context + STOP)) != _NONE:
            return alpha
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    work = load64(context + NODES) - nodes + _ONE
    if best >= beta:
        keep(entry, key, max(low, best), high, work)
    else:
        keep(entry, key, low, min(high, best), work)
    return best


@kernel
def _narrow(geometry: Any, context: Any, node: Any, frame: Any, alpha: Any) -> Any:
    """Decide whether the root is worth more than alpha and move its bound; False if stopped."""
    value = _search(geometry, context, node, frame, alpha, alpha + np.int64(1))
    if atomic_load64(load64(context + STOP)) != _NONE:
        return False
    if value > alpha:
        store64(node + _LOW, np.uint64(max(value, np.int64(load64(node + _LOW)))))
    else:
        store64(node + _HIGH, np.uint64(min(value, np.int64(load64(node + _HIGH)))))
    return True


@kernel
def _publish(context: Any, node: Any, same_side: Any) -> Any:
    low = np.int64(load64(node + _LOW))
    high = np.int64(load64(node + _HIGH))
    store64(context + LOWER, np.uint64(low if same_side else -high))
    store64(context + UPPER, np.uint64(high if same_side else -low))


@kernel
def solve(
    geometry: Any, context: Any, frames: Any, mover: Any, other: Any, stones: Any, weak: Any
) -> Any:
    """Solve a position in which the game goes on, `stones` on the board; `weak` asks for the sign.

    What is proven stands at LOWER and UPPER of the context, also after a stop. Returns whether the
    bounds met or, if `weak`, whether their signs did.
    """
    if completing(geometry, mover) & landings(geometry, mover | other) != _NONE:
        score = score_of_win(geometry, stones)
        store64(context + LOWER, np.uint64(score))
        store64(context + UPPER, np.uint64(score))
        return True
    a, b, ply, moves, score = quieten(geometry, mover, other, stones)
    same_side = (ply - stones) & np.int64(1) == np.int64(0)
    node = frames
    frame = frames + _FRAME
    low = high = score
    if moves != _NONE:
        low = -score_of_win(geometry, ply + np.int64(3))
        high = score_of_win(geometry, ply + np.int64(2))
        odd = u64x8(_NONE - (np.uint64(cells(geometry) - ply) & _ONE))
        proof = follow_up(geometry, u64x8(a), u64x8(b), odd, True)
        proven = np.int64(or_reduce(proof))
        if proven != np.int64(0):
            high = min(high, np.int64(1) - proven)
    store64(node + _MOVER, a)
    store64(node + _OTHER, b)
    store64(node + _PLY, np.uint64(ply))
    store64(node + _MOVES, moves)
    store64(node + _KEY, or_reduce(key_of(geometry, u64x8(a), u64x8(b), cells(geometry) - ply)))
    store64(node + _LOW, np.uint64(low))
    store64(node + _HIGH, np.uint64(high))
    _publish(context, node, same_side)

    # A quick win or loss is cheap to find or to exclude, so such windows come first; then the sign;
    # then the distance, where bounds near what is known are the cheaper ones to test.
    step = np.int64(0)
    while low < high and not (weak and (low > np.int64(0) or high < np.int64(0))):
        alpha = low + (high - low) // np.int64(4)
        if step == np.int64(0):
            alpha = high // np.int64(2)
        elif step == np.int64(1):
            alpha = -(-low // np.int64(2))
        elif low < np.int64(0) and high >= np.int64(0):
            alpha = np.int64(-1)
        elif low <= np.int64(0) and high > np.int64(0):
            alpha = np.int64(0)
        step += np.int64(1)
        if alpha < low or alpha >= high:
            continue
        if not _narrow(geometry, context, node, frame, alpha):
            return False
        low = np.int64(load64(node + _LOW))
        high = np.int64(load64(node + _HIGH))
        _publish(context, node, same_side)
    return True
