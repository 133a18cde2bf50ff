"""What a thread makes of results that others put into the table while it searches."""

import ctypes
import threading

import pytest

from plywire.engine.compiled.native import load
from plywire.engine.connect4.rules import Connect4
from plywire.engine.connect4.solver.memory import CHILD, FRAME, NODE, SolverTable, Workspace
from plywire.engine.connect4.solver.solver import GREATEST_SCORE, Solver, solver_wanted
from plywire.engine.connect4.solver.threads import UNLIMITED
from plywire.engine.search.hash_table import BUSY_SLOTS
from plywire.engine.search.stop import Stop
from tests.kernels import CONNECT4
from tests.support.connect4 import played
from tests.support.kernels import Kernels, solver_kernels
from tests.support.until import until

KERNELS = solver_kernels(7, 6, is_shared=True)
#: The empty board takes some seven times as many.
FEW_NODES = 4_000_000
#: So few that a search is at the first move, and at the first reply to it, when they are used up.
BRIEF_NODES = 1000


def _settle(workspace: Workspace, lower: int, upper: int) -> None:
    """Put the bounds of an empty board that is being searched into the table."""
    KERNELS.settle_root(workspace.address, workspace.frames, lower, upper)


def _word(address: int) -> ctypes.c_uint64:
    return ctypes.c_uint64.from_address(address)


def _begun(busy: int = 0, *, is_shared: bool = True) -> Workspace:
    """What a search of an empty board comes to while another thread searches a position."""
    table, stop = SolverTable(4), Stop()
    _word(table.busy + 8 * (busy % BUSY_SLOTS)).value = busy
    workspace = Workspace(table, is_shared=is_shared)
    workspace.prepare(stop.address, BRIEF_NODES)
    assert not _solve(workspace, 0, 0, floor=0, ceiling=1, is_shared=is_shared)
    return workspace


def _children(workspace: Workspace, depth: int) -> list[int]:
    """The keys of the two best children of the node that a search is at, so deep in the tree."""
    queue = workspace.frames + (depth + 1) * int(FRAME) + int(CHILD.queue)
    return [_word(_word(queue + 8 * place).value + int(CHILD.key)).value for place in range(2)]


def _at(workspace: Workspace, depth: int) -> int:
    """The key of the node that a search is at, so deep in the tree."""
    return _word(workspace.frames + (depth + 1) * int(FRAME) + int(NODE.key)).value


def _solve(
    workspace: Workspace,
    own: int,
    other: int,
    *,
    floor: int = -GREATEST_SCORE,
    ceiling: int = GREATEST_SCORE,
    is_shared: bool = True,
) -> bool:
    stones = (own | other).bit_count()
    words = (own, other, stones, floor, ceiling)
    wanted = solver_wanted(7, 6, is_shared=is_shared)
    solve = load(wanted.program, wanted.constants).solve
    return bool(solve(workspace.address, *words))


@pytest.mark.parametrize("score", [1, -2])
async def test_a_thread_turns_back_once_a_node_above_is_settled(score: int) -> None:
    table, stop = SolverTable(4), Stop()
    workspace = Workspace(table, is_shared=True)
    workspace.prepare(stop.address, FEW_NODES)
    done: list[bool] = []
    thread = threading.Thread(target=lambda: done.append(_solve(workspace, 0, 0)))
    _settle(workspace, -18, 18)  # tells nothing, but is loaded before the thread searches
    thread.start()
    await until(lambda: workspace.nodes >= BRIEF_NODES)
    _settle(workspace, score, score)
    thread.join()
    # It takes what stands there for proven, true or not.
    assert done == [True]
    assert workspace.bounds == (score, score)


def test_a_thread_that_was_halted_on_its_way_back_begins_the_next_search_afresh() -> None:
    table, stop = SolverTable(4), Stop()
    workspace = Workspace(table, is_shared=True)
    solver = Solver(table_mb=4)
    position = played(solver.game, "1234567712")
    Kernels(CONNECT4).turn_back(workspace.address, workspace.frames + 60 * int(FRAME))
    workspace.prepare(stop.address, UNLIMITED)
    assert _solve(workspace, position.own, position.other)
    score = solver.score(position)
    assert workspace.bounds == (score, score)


@pytest.mark.parametrize(("depth", "is_left"), [(0, True), (1, False)])
def test_a_first_child_that_another_thread_searches_is_left_where_the_roots_side_moves(
    depth: int, is_left: bool
) -> None:
    first, second = _children(_begun(), depth)
    beside = _begun(busy=first)
    assert _children(beside, depth) == [first, second]
    assert _at(beside, depth + 1) == (second if is_left else first)


def test_one_thread_alone_notes_nothing_for_others() -> None:
    assert _at(_begun(), 1) != 0
    assert _at(_begun(is_shared=False), 1) == 0


def test_each_of_several_threads_keeps_more_of_what_it_finds_out_near_the_end() -> None:
    position = played(Connect4(7, 6), "44561362221")
    nodes = []
    for is_shared in (False, True):
        table, stop = SolverTable(4), Stop()
        workspace = Workspace(table, is_shared=is_shared)
        workspace.prepare(stop.address, UNLIMITED)
        assert _solve(workspace, position.own, position.other, is_shared=is_shared)
        nodes.append(workspace.nodes)
    few, fewer = nodes
    assert fewer < 0.95 * few
