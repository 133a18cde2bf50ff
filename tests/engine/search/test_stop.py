"""A token is set for kernels and for Python at one and the same moment."""

import ctypes
import math
import time

import pytest

from plywire.engine.analysis import AnalysisLine
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import load
from plywire.engine.search.stop import Stop


def set_word(stop: Stop) -> None:
    """Do the first thing that setting a token does: from then on kernels end."""
    ctypes.c_uint64.from_address(stop.address).value = 1


def test_setting_is_seen_by_kernels_by_python_and_by_who_waits() -> None:
    stop = Stop()
    assert not stop.is_set
    assert not stop.wait(0)
    stop.set()
    assert ctypes.c_uint64.from_address(stop.address).value == 1
    assert stop.is_set
    assert stop.wait()


def test_what_kernels_see_python_sees() -> None:
    stop = Stop()
    set_word(stop)
    assert stop.is_set


@pytest.mark.parametrize(
    ("name", "threads"), [("othello", 1), ("othello", 2), ("connect4", 1), ("connect4", 2)]
)
def test_what_a_stopped_kernel_returns_is_no_result(name: str, threads: int) -> None:
    stop = Stop()
    told: list[AnalysisLine] = []

    def on_info(info: AnalysisLine) -> None:
        told.append(info)
        if info.depth >= 3:
            set_word(stop)

    engine = LocalEngine(threads=threads, book=False)
    analysis = engine.analyse(load(name).start(), SearchLimits(), on_info, stop=stop)
    assert stop.is_set
    assert analysis.lines == tuple(told[-1:])
    assert analysis.score is not None
    assert not analysis.score.proven


def test_time_ends_who_waits_and_not_before() -> None:
    stop = Stop()
    when = time.monotonic() + 0.02
    stop.set_at(when)
    assert stop.wait()
    assert time.monotonic() >= when
    assert stop.is_set


def test_the_earliest_time_counts() -> None:
    stop = Stop()
    now = time.monotonic()
    stop.set_at(now + 3600)
    assert not stop.is_set
    stop.set_at(now)
    stop.set_at(now + 3600)
    stop.set_at(math.inf)
    assert stop.is_set


def test_infinity_is_never() -> None:
    stop = Stop()
    stop.set_at(math.inf)
    assert not stop.wait(0.001)


@pytest.mark.parametrize(("name", "threads"), [("othello", 1), ("connect4", 1), ("connect4", 2)])
def test_a_search_without_limits_ends_at_its_time(name: str, threads: int) -> None:
    stop = Stop()
    stop.set_at(time.monotonic() + 0.1)
    analysis = LocalEngine(threads=threads, book=False).analyse(load(name).start(), stop=stop)
    assert analysis.best is not None
    assert stop.is_set
