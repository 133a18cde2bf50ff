"""Kernels of Connect Four, and those of its solver that are the same for all board sizes."""

from collections.abc import Mapping
from typing import Any

from plywire.engine.compiled.constants import NONE
from plywire.engine.compiled.intrinsics import store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.program import INT64, UINT64, Entry
from plywire.engine.connect4 import kernels
from plywire.engine.connect4.solver import history, lines, memory, table
from tests.kernels import agreement


@kernel
def store(address: Any, key: Any, lower: Any, upper: Any, nodes: Any, is_near: Any) -> Any:
    table.store(address, key, lower, upper, nodes, is_near != NONE)


@kernel
def remember(averages: Any, square: Any, was_enough: Any) -> Any:
    history.remember(averages, square, was_enough != NONE)


@kernel
def turn_back(context: Any, frame: Any) -> Any:
    store64(context + memory.SOLVER.back_to, frame)


def entries() -> Mapping[str, Entry]:
    return {
        **agreement.entries(kernels.Connect4Board),
        "threats": Entry(kernels.threats, kernels.Connect4Board, UINT64),
        "open_lines": Entry(kernels.open_lines, kernels.Connect4Board, UINT64),
        "begun_along": Entry(lines.begun_along, *[UINT64] * 3),
        "paired_along": Entry(lines.paired_along, *[UINT64] * 3),
        "bucket": Entry(table.bucket, *[UINT64] * 3),
        "folded_bucket": Entry(table.folded_bucket, *[UINT64] * 4),
        "probe": Entry(table.probe, UINT64, UINT64),
        "lower_bound": Entry(table.lower_bound, UINT64),
        "upper_bound": Entry(table.upper_bound, UINT64),
        "store": Entry(store, UINT64, UINT64, INT64, INT64, UINT64, UINT64),
        "averages_of": Entry(history.averages_of, UINT64, INT64),
        "recalled": Entry(history.recalled, UINT64, UINT64),
        "remember": Entry(remember, *[UINT64] * 3),
        "turn_back": Entry(turn_back, UINT64, UINT64),
    }
