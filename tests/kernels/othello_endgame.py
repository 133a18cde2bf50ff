"""Kernels of Othello's endgames."""

from collections.abc import Mapping
from typing import Any

from plywire.engine.compiled.constants import NONE, ONE
from plywire.engine.compiled.intrinsics import ctz, load64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.program import INT64, UINT64, Entry
from plywire.engine.othello import near_table as table
from plywire.engine.othello.endgame import empty_5_to_6, stability
from plywire.engine.othello.endgame.children import make_batches, make_singly, rate
from plywire.engine.othello.memory import OTHELLO


@kernel
def in_batches(context: Any, frame: Any, own: Any, other: Any, moves: Any, odd: Any) -> Any:
    return make_batches(context, frame, own, other, moves, odd, True)


@kernel
def singly(context: Any, frame: Any, own: Any, other: Any, moves: Any, odd: Any) -> Any:
    if not make_singly(context, frame, own, other, moves, True):
        return NONE
    first = index = NONE
    while moves != NONE:
        first = max(first, rate(context, frame, index, ctz(moves), odd))
        moves &= moves - ONE
        index += ONE
    return first


@kernel
def solve_few(context: Any, own: Any, other: Any, odd: Any, alpha: Any) -> Any:
    return empty_5_to_6.solve_up_to_6(
        context, load64(context + OTHELLO.frames), own, other, odd, alpha
    )


def entries() -> Mapping[str, Entry]:
    return {
        "in_batches": Entry(in_batches, *[UINT64] * 6),
        "singly": Entry(singly, *[UINT64] * 6),
        "solve_few": Entry(solve_few, *[UINT64] * 4, INT64),
        "stable_discs": Entry(stability.stable_discs, *[UINT64] * 3),
        "hash_of": Entry(table.hash_of, UINT64, UINT64),
        "store": Entry(table.store, UINT64, UINT64, INT64, INT64, UINT64),
        "probe": Entry(table.probe, UINT64, UINT64),
        "lower_bound": Entry(table.lower_bound, UINT64),
        "upper_bound": Entry(table.upper_bound, UINT64),
    }
