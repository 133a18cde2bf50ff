"""Kernels of Connect Four's solver that are made for one board size."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import load64, or_reduce, store64, u64x8
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.program import INT64, UINT64, Entry
from plywire.engine.connect4.solver import forced, keys, lines, proofs
from plywire.engine.connect4.solver.geometry import (
    Geometry,
    full,
)
from plywire.engine.connect4.solver.memory import CHILD
from plywire.engine.connect4.solver.search import entry_of
from plywire.engine.connect4.solver.table import store
from plywire.engine.search.context import CONTEXT


@kernel
def follow_up(geometry: Any, leader: Any, follower: Any, odd: Any, deep: Any) -> Any:
    threats = lines.completing(geometry, follower) & full(geometry) & ~(leader | follower)
    found = proofs.follow_up(
        geometry, u64x8(leader), u64x8(follower), u64x8(threats), u64x8(odd), deep != NONE
    )
    return or_reduce(found)


@kernel
def play_forced(geometry: Any, mover: Any, other: Any, ply: Any, target: Any) -> Any:
    mover, other, ply, moves, score = forced.play_forced(geometry, mover, other, ply)
    for word in (mover, other, np.uint64(ply), moves, np.uint64(score)):
        store64(target, word)
        target += WORD


@kernel
def settle_root(geometry: Any, context: Any, frames: Any, lower: Any, upper: Any) -> Any:
    key = load64(frames + CHILD.key)
    entry = entry_of(geometry, context, key, np.int64(0))
    store(entry, key, lower, upper, load64(context + CONTEXT.nodes) + ONE, False)


def entries() -> Mapping[str, Entry]:
    squares = Geometry, UINT64
    return {
        "completing": Entry(lines.completing, *squares),
        "fours": Entry(lines.fours, *squares),
        "lined_up": Entry(lines.lined_up, *squares),
        "landings": Entry(lines.landings, *squares),
        "columns_of": Entry(lines.columns_of, *squares),
        "above": Entry(lines.above, *squares),
        "mirrored": Entry(lines.mirrored, *squares),
        "key_of": Entry(keys.key_of, Geometry, UINT64, UINT64, INT64),
        "follow_up": Entry(follow_up, Geometry, *[UINT64] * 4),
        "play_forced": Entry(play_forced, Geometry, UINT64, UINT64, INT64, UINT64),
        "settle_root": Entry(settle_root, Geometry, UINT64, UINT64, INT64, INT64),
    }
