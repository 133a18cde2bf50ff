"""What a kernel sees when it looks at its limits."""

import ctypes
import time

import pytest

from plywire.engine.search.context import CONTEXT, CONTEXT_BYTES, SearchContext
from plywire.engine.search.stop import Stop
from tests.kernels import SEARCH
from tests.support.kernels import Kernels


def look(nodes: int, limit: int, stop: Stop) -> tuple[bool, int]:
    """What the kernel says, and when it is to look again."""
    context = SearchContext(CONTEXT_BYTES)
    context.prepare(stop.address, limit)
    is_over = bool(Kernels(SEARCH).must_end(context.address, nodes))
    assert context.get(CONTEXT.halt) == is_over
    return is_over, context.get(CONTEXT.next_look)


@pytest.mark.parametrize("nodes", [99, 100])
def test_it_ends_at_the_limit(nodes: int) -> None:
    assert look(nodes, 100, Stop())[0] == (nodes == 100)


def test_it_looks_again_after_some_nodes_and_at_the_limit_at_last() -> None:
    stop = Stop()
    _, next_look = look(1_000, 1_000_000, stop)
    assert 1_000 < next_look < 10_000
    assert look(1_000, 1_001, stop) == (False, 1_001)


def test_time_that_is_up_sets_the_stop_for_all() -> None:
    stop = Stop()
    stop.set_at(time.monotonic())
    assert look(0, 1_000, stop)[0]
    assert ctypes.c_uint64.from_address(stop.address).value == 1


def test_time_to_come_ends_nothing() -> None:
    stop = Stop()
    stop.set_at(time.monotonic() + 3600)
    assert not look(0, 1_000, stop)[0]
    assert ctypes.c_uint64.from_address(stop.address).value == 0
