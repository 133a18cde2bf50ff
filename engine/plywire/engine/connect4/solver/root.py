"""Solving a position by null windows until its score is known.

A window asks whether the score is above a number, and moves one of the two bounds. Windows far from
the score are cheap, so their order matters.
"""

from collections.abc import Mapping

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE
from plywire.engine.compiled.intrinsics import load64, or_reduce, store64, u64x8
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Flag, Score, Word
from plywire.engine.compiled.program import INT64, UINT64, Entry
from plywire.engine.search.context import is_stopped

from .forced import play_forced, score_of_win
from .geometry import Geometry, cells, full
from .keys import key_of
from .lines import completing, landings
from .memory import CHILD, FRAME, SOLVER
from .proofs import follow_up
from .search import entry_of, search
from .table import lower_bound, probe, upper_bound


@kernel
def _publish(context: Address, low: Score, high: Score, is_same_side: Flag) -> None:
    store64(context + SOLVER.lower, np.uint64(low if is_same_side else -high))
    store64(context + SOLVER.upper, np.uint64(high if is_same_side else -low))


@kernel
def _static_bounds(geometry: Geometry, context: Address, node: Address) -> tuple[Score, Score]:
    """Return the bounds of a quiet position (see `search.py`) that need no search."""
    mover, other, key = (
        load64(node + CHILD.mover),
        load64(node + CHILD.other),
        load64(node + CHILD.key),
    )
    ply = np.int64(load64(node + CHILD.ply))
    low = -score_of_win(geometry, ply + np.int64(3))
    high = score_of_win(geometry, ply + np.int64(2))
    odd = u64x8(NONE - (np.uint64(cells(geometry) - ply) & ONE))
    threats = u64x8(load64(node + CHILD.threats))
    proof = np.int64(or_reduce(follow_up(geometry, u64x8(mover), u64x8(other), threats, odd, True)))
    if proof != np.int64(0):
        high = min(high, np.int64(1) - proof)
    known = probe(entry_of(geometry, context, key, ply), key)
    if known != NONE:
        low = max(low, lower_bound(known))
        high = min(high, upper_bound(known))
    return low, high


@kernel
def _next_window(low: Score, high: Score, step: Word) -> Score:
    """Return the number to ask about, from low to high - 1.

    Quick wins and losses come first, because they are cheap to find or to exclude, then the sign.
    After that, numbers near the lower bound are cheaper.
    """
    if step == np.int64(0) and low <= high // np.int64(2) < high:
        return high // np.int64(2)
    if step <= np.int64(1) and low <= -(-low // np.int64(2)) < high:
        return -(-low // np.int64(2))
    if low < np.int64(0) <= high:
        return np.int64(-1)
    if low <= np.int64(0) < high:
        return np.int64(0)
    return low + (high - low) // np.int64(4)


@kernel
def solve(
    geometry: Geometry,
    context: Address,
    mover: Word,
    other: Word,
    stones: Word,
    floor: Score,
    ceiling: Score,
) -> Flag:
    """Solve a position in which the game goes on; return whether the proven bounds suffice.

    The bounds are in the context, also after a stop. They suffice if they are equal, or if the
    score is at most `floor` or at least `ceiling`.
    """
    if completing(geometry, mover) & landings(geometry, mover | other) != NONE:
        score = score_of_win(geometry, stones)
        _publish(context, score, score, True)
        return True
    a, b, ply, moves, score = play_forced(geometry, mover, other, stones)
    is_same_side = (ply - stones) & np.int64(1) == np.int64(0)
    if moves == NONE:
        _publish(context, score, score, is_same_side)
        return True
    if not is_same_side:
        floor, ceiling = -ceiling, -floor

    node = load64(context + SOLVER.frames)
    store64(node + CHILD.mover, a)
    store64(node + CHILD.other, b)
    store64(node + CHILD.ply, np.uint64(ply))
    store64(node + CHILD.moves, moves)
    store64(node + CHILD.threats, completing(geometry, b) & full(geometry) & ~(a | b))
    store64(
        node + CHILD.key, or_reduce(key_of(geometry, u64x8(a), u64x8(b), cells(geometry) - ply))
    )
    low, high = _static_bounds(geometry, context, node)
    _publish(context, low, high, is_same_side)
    step = np.int64(0)
    while max(low, floor) < min(high, ceiling):
        alpha = _next_window(max(low, floor), min(high, ceiling), step)
        step += np.int64(1)
        store64(node + CHILD.low, np.uint64(low))
        store64(node + CHILD.high, np.uint64(high))
        value = search(geometry, context, node, node + FRAME, alpha, alpha + np.int64(1))
        if is_stopped(context):
            return False
        if value > alpha:
            low = max(low, value)
        else:
            high = min(high, value)
        _publish(context, low, high, is_same_side)
    return True


def entries() -> Mapping[str, Entry]:
    """Return the solver's kernels that Python calls."""
    return {"solve": Entry(solve, Geometry, *[UINT64] * 3, *[INT64] * 3)}
