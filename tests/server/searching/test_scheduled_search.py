"""How the slices of a search add up to one."""

from __future__ import annotations

from typing import Any

import pytest

from plywire.engine import registry
from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.server.searching.scheduled_search import ScheduledSearch
from tests.support.fake_engine import FakeEngine

START = registry.load("connect4").start()
FIRST, LAST = START.moves()[0], START.moves()[-1]


def _search(infos: list[AnalysisLine], **limits: Any) -> ScheduledSearch:
    engine: Any = FakeEngine()
    return ScheduledSearch(engine, START, SearchLimits(**limits), 1, infos.append, longest=60)


def _line(depth: int, best: int, nodes: int = 100) -> AnalysisLine:
    return AnalysisLine(depth, EngineScore("cp", 7), nodes, 1, 0, 1, (best,))


async def test_later_slices_have_the_nodes_that_are_left() -> None:
    search = _search([], nodes=250)
    left = []
    for _ in range(4):
        limits, _ = search.begin_slice()
        left.append(limits.nodes)
        search.end_slice(Analysis(FIRST, (_line(3, FIRST),), 100, 1))
    assert left == [250, 150, 50, 1]


async def test_later_slices_have_the_time_that_is_left() -> None:
    search = _search([], clock=ClockTimes(60_000, 60_000))
    soft = []
    for _ in range(3):
        _, budget = search.begin_slice()
        soft.append(budget.soft)
        search.end_slice(Analysis(FIRST, (_line(3, FIRST),), 100, time=200))
    assert [soft[0] - left for left in soft] == [0, 200, 400]


async def test_lines_count_the_nodes_of_all_slices() -> None:
    infos: list[AnalysisLine] = []
    search = _search(infos)
    for depth in (3, 4):
        search.begin_slice()
        search.report(_line(depth, FIRST))
        search.end_slice(Analysis(FIRST, (_line(depth, FIRST),), 100, 1))
    assert [info.nodes for info in infos] == [100, 200]


@pytest.mark.parametrize(("depth", "best"), [(5, LAST), (2, FIRST)])
async def test_the_deepest_line_has_the_move(depth: int, best: int) -> None:
    """Also of a slice that did not come back in time."""
    search = _search([])
    search.begin_slice()
    search.report(_line(3, FIRST))
    search.end_slice(Analysis(FIRST, (_line(3, FIRST),), 100, 1))
    search.begin_slice()
    search.report(_line(depth, LAST))
    search.finish()
    assert (await search.answer).best == best


@pytest.mark.parametrize(("movetime", "seconds"), [(30, 0.027), (1000, 0.995), (1, 0.002)])
async def test_a_little_of_the_time_is_kept_for_the_way(movetime: int, seconds: float) -> None:
    search = _search([], movetime=movetime)
    assert search.deadline - search._asked == pytest.approx(seconds)
