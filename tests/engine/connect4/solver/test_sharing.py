"""What a thread makes of results that others put into the table while it searches."""

import threading
import time
from typing import Any

import numpy as np
import pytest

from plywire.engine.compiled.constants import ONE
from plywire.engine.compiled.intrinsics import load64, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.connect4.solver.geometry import Geometry
from plywire.engine.connect4.solver.memory import (
    BACK_TO,
    FRAME,
    KEY,
    NODES,
    SolverTable,
    Workspace,
)
from plywire.engine.connect4.solver.search import entry_of
from plywire.engine.connect4.solver.solver import GREATEST_SCORE, Solver, compiled
from plywire.engine.connect4.solver.table import store
from plywire.engine.search.solver_threads import UNLIMITED
from plywire.engine.search.stop import Stop
from tests.support.connect4 import played

GEOMETRY = Geometry(7, 6, is_shared=True)
#: The empty board takes some ten times as many.
FEW_NODES = 4_000_000
#: No machine takes as long to begin a search, in seconds.
PATIENCE = 30


@kernel
def _settle_root(geometry: Any, context: Any, frames: Any, lower: Any, upper: Any) -> Any:
    key = load64(frames + KEY)
    entry = entry_of(geometry, context, key, np.int64(0))
    store(entry, key, lower, upper, load64(context + NODES) + ONE, False)


def _settle(workspace: Workspace, lower: int, upper: int) -> None:
    """Put the bounds of an empty board that is being searched into the table."""
    addresses = np.uint64(workspace.context), np.uint64(workspace.frames)
    _settle_root(GEOMETRY, *addresses, np.int64(lower), np.int64(upper))


@kernel
def _turn_back(context: Any, frame: Any) -> Any:
    store64(context + BACK_TO, frame)


def _solve(workspace: Workspace, own: int, other: int) -> bool:
    stones = (own | other).bit_count()
    words = (own, other, stones, -GREATEST_SCORE, GREATEST_SCORE)
    is_done: bool = compiled(GEOMETRY)(GEOMETRY, workspace.context, workspace.frames, *words)
    return is_done


@pytest.mark.parametrize("score", [1, -2])
def test_a_thread_turns_back_once_a_node_above_is_settled(score: int) -> None:
    table, stop = SolverTable(4), Stop()
    workspace = Workspace(table)
    workspace.prepare(stop.address, FEW_NODES)
    done: list[bool] = []
    thread = threading.Thread(target=lambda: done.append(_solve(workspace, 0, 0)))
    _settle(workspace, -18, 18)  # tells nothing, but is compiled before the thread searches
    thread.start()
    deadline = time.monotonic() + PATIENCE
    while workspace.nodes < 1000 and time.monotonic() < deadline:
        time.sleep(0.001)
    _settle(workspace, score, score)
    thread.join()
    # It takes what stands there for proven, true or not.
    assert done == [True]
    assert workspace.bounds == (score, score)


def test_a_thread_that_was_halted_on_its_way_back_begins_the_next_search_afresh() -> None:
    table, stop = SolverTable(4), Stop()
    workspace = Workspace(table)
    solver = Solver(table_mb=4)
    position = played(solver.game, "1234567712")
    _turn_back(np.uint64(workspace.context), np.uint64(workspace.frames + 60 * int(FRAME)))
    workspace.prepare(stop.address, UNLIMITED)
    assert _solve(workspace, position.own, position.other)
    score = solver.score(position)
    assert workspace.bounds == (score, score)
