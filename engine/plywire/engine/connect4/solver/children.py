"""The children of a node: eight moves tried at once, one in each lane of a vector."""

from typing import Any

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import add_reduce, ctz, load64, popcount, store64, u64x8
from plywire.engine.compiled.kernel import kernel

from .forced import play_forced
from .geometry import columns, full, stride, width
from .memory import MOVER, MOVES, ORDER, OTHER, PLY, QUEUE

LANES = np.uint64(8)
#: Below every score.
WORST = np.int64(-99)

# Each value measured on suites of middle games and openings.
_THREAT_WEIGHT = np.uint64(4)
_NEXT_WEIGHT = np.uint64(4)
_ROW_WEIGHT = np.uint64(2)


@kernel
def one_a_lane(geometry: Any, moves: Any, column: Any) -> Any:
    """The moves in eight columns from that number on, one a lane; 0 where there is none."""
    start = column * stride(geometry)
    return (u64x8(moves >> start) & columns(geometry)) << u64x8(start)


@kernel
def replies_to(completes: Any, landing: Any) -> Any:
    """The opponent's replies that do not lose at once, after each of eight moves.

    `completes` holds the squares that would complete a four for the player, `landing` those where
    stones can land. A threat has to be answered, and below one nobody plays: no reply is left to
    two threats, nor to a threat under another.
    """
    forced = landing & completes
    is_double = (forced & (forced - ONE)) != NONE
    return landing & ~(completes >> ONE) & (forced | (forced == NONE)) & ~is_double


@kernel
def lanes_of(masks: Any) -> Any:
    """Which of eight masks, each all ones or 0, are ones, as a set of lanes."""
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
    return add_reduce(masks & lanes)


@kernel
def play_chains(geometry: Any, batch: Any, other: Any, ply: Any, chains: Any) -> Any:
    """Play the forced moves that follow on some of the moves, and store the children they lead to.

    `chains` is the set of those lanes, `other` and `ply` belong to the node. Returns the best
    score, for the node's player, of those that are decided then, and the set of these.
    """
    best = WORST
    decided = NONE
    while chains != NONE:
        index = ctz(chains)
        chains &= chains - ONE
        child = batch + index * WORD
        first, second, stones, moves, score = play_forced(
            geometry, other, load64(child + OTHER), ply + np.int64(1)
        )
        if moves == NONE:
            decided |= ONE << index
            is_same_side = (stones - ply) & np.int64(1) == np.int64(0)
            best = max(best, score if is_same_side else -score)
        else:
            store64(child + MOVER, first)
            store64(child + OTHER, second)
            store64(child + PLY, np.uint64(stones))
            store64(child + MOVES, moves)
    return best, decided


@kernel
def move_scores(geometry: Any, completes: Any, landing: Any, moves: Any, rows: Any) -> Any:
    """What orders eight moves: threats made, threats for the next turn, and the centre.

    `completes` holds the squares that complete a four after each move, `landing` where stones can
    land then, `rows` the rows on which threats serve the player best in the end.
    """
    value = popcount(completes) * u64x8(_THREAT_WEIGHT)
    value += popcount(completes & landing << ONE) * u64x8(_NEXT_WEIGHT)
    value += popcount(completes & rows) * u64x8(_ROW_WEIGHT)
    inner = full(geometry)
    for _ in range((width(geometry) - ONE) >> ONE):
        inner &= inner << stride(geometry) & inner >> stride(geometry)
        value += popcount(moves & inner)
    return value


@kernel
def enqueue(frame: Any, queued: Any, child: Any) -> Any:
    """Insert a child into the queue of a frame, behind those of equal or higher ordering value.

    Returns the new length of the queue.
    """
    value = load64(child + ORDER)
    first = frame + QUEUE
    slot = first + queued * WORD
    while slot != first:
        earlier = load64(slot - WORD)
        if load64(earlier + ORDER) >= value:
            break
        store64(slot, earlier)
        slot -= WORD
    store64(slot, child)
    return queued + ONE
