"""How the slices of a search add up to one."""

from __future__ import annotations

from typing import Any

import pytest

from plywire.engine import registry
from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.server.searching.scheduled_search import Phase, ScheduledSearch
from plywire.server.searching.slices import Slice
from tests.support.fake_engine import FakeEngine

START = registry.load("connect4").start()
FIRST, LAST = START.moves()[0], START.moves()[-1]


def _search(infos: list[AnalysisLine], *, is_plain: bool = False, **limits: Any) -> ScheduledSearch:
    engine: Any = FakeEngine()
    return ScheduledSearch(
        *(engine, START, SearchLimits(**limits), 1, infos.append), longest=60, is_plain=is_plain
    )


def _line(depth: int, best: int, nodes: int = 100) -> AnalysisLine:
    return AnalysisLine(depth, EngineScore("cp", 7), nodes, 1, 0, 1, (best,))


def _slice(search: ScheduledSearch, depth: int = 3, best: int = FIRST, time: int = 1) -> Slice:
    """Do a slice that gives way to others."""
    part = search.begin_slice()
    search.give_way()
    search.end_slice(part, Analysis(best, (_line(depth, best),), 100, time))
    return part


async def test_later_slices_have_the_nodes_that_are_left() -> None:
    search = _search([], nodes=250)
    assert [_slice(search).limits.nodes for _ in range(3)] == [250, 150, 50]
    assert search.phase is Phase.DONE


async def test_later_slices_have_the_time_that_is_left() -> None:
    search = _search([], clock=ClockTimes(60_000, 60_000))
    soft = [_slice(search, time=200).budget.soft for _ in range(3)]
    assert [soft[0] - left for left in soft] == [0, 200, 400]


async def test_a_slice_is_as_long_as_it_is_told() -> None:
    search = _search([], movetime=1000)
    part = search.begin_slice(0.01)
    assert part.budget.hard == 10
    part.stop.set()  # as the search does at that time
    part.leave_thread()
    search.end_slice(part, Analysis(FIRST, (_line(3, FIRST),), 100, 10))
    assert search.phase is Phase.PAUSED


async def test_a_slice_that_ended_by_itself_was_the_last() -> None:
    search = _search([], movetime=1000)
    part = search.begin_slice(0.01)
    part.leave_thread()
    part.stop.set()  # as its time is up later
    search.end_slice(part, Analysis(FIRST, (_line(3, FIRST),), 100, 1))
    assert search.phase is Phase.DONE


async def test_the_last_slice_gives_way_to_nobody() -> None:
    search = _search([], movetime=20)
    part = search.begin_slice(60)
    assert part.budget.hard <= 20
    part.stop.set()
    part.leave_thread()
    search.end_slice(part, Analysis(FIRST, (_line(3, FIRST),), 100, 20))
    assert search.phase is Phase.DONE


async def test_a_slice_tells_its_lines_when_it_has_ended() -> None:
    infos: list[AnalysisLine] = []
    search = _search(infos)
    part = search.begin_slice(0.01)
    part.noted.append(_line(2, LAST))
    assert not infos
    search.end_slice(part, Analysis(FIRST, (_line(3, FIRST),), 100, 1))
    assert [info.depth for info in infos] == [3]


async def test_what_was_noted_answers_for_a_slice_that_does_not_come_back() -> None:
    search = _search([])
    search.begin_slice(0.01).noted.append(_line(2, LAST))
    search.finish()
    assert (await search.answer).best == LAST


async def test_lines_count_the_nodes_of_all_slices() -> None:
    infos: list[AnalysisLine] = []
    search = _search(infos)
    for depth in (3, 4):
        part = search.begin_slice()
        search.report(part, _line(depth, FIRST))
        search.give_way()
        search.end_slice(part, Analysis(FIRST, (_line(depth, FIRST),), 100, 1))
    assert [info.nodes for info in infos] == [100, 200]


@pytest.mark.parametrize(("depth", "best"), [(5, LAST), (2, FIRST)])
async def test_the_deepest_line_has_the_move(depth: int, best: int) -> None:
    """Also of a slice that did not come back in time."""
    search = _search([])
    _slice(search)
    search.report(search.begin_slice(), _line(depth, LAST))
    search.finish()
    assert (await search.answer).best == best


@pytest.mark.parametrize(("movetime", "seconds"), [(30, 0.027), (1000, 0.995), (1, 0.002)])
async def test_a_little_of_the_time_is_kept_for_the_way(movetime: int, seconds: float) -> None:
    search = _search([], movetime=movetime)
    assert search.deadline - search._asked == pytest.approx(seconds)


async def test_what_was_never_searched_is_answered_by_none() -> None:
    search = _search([], movetime=1)
    search.finish()
    answer = await search.answer
    assert (answer.by, answer.best, answer.lines) == ("none", 21, ())  # the middle column


async def test_a_move_without_a_search_wins_where_it_can() -> None:
    position = START.play_names(["1", "2", "1", "2", "1", "2"])[-1]
    engine: Any = FakeEngine()
    search = ScheduledSearch(engine, position, SearchLimits(), 1, lambda info: None, longest=60)
    search.finish()
    best = (await search.answer).best
    assert best is not None
    assert position.game.move_name(best) == "1"


async def test_a_plain_answer_counts_until_the_engine_has_one() -> None:
    infos: list[AnalysisLine] = []
    search = _search(infos, movetime=1000, is_plain=True)
    part = search.begin_slice()
    search.go_native()
    search.end_slice(part, Analysis(FIRST, (_line(5, FIRST),), 100, 10, by="plain"))
    assert (search.phase, search.is_plain) == (Phase.FRESH, False)
    search.end_slice(search.begin_slice(), Analysis(LAST, (), 100, 1))
    answer = await search.answer
    assert (answer.by, answer.best, answer.depth) == ("plain", FIRST, 5)


async def test_lines_of_the_engine_are_told_once_they_reach_as_far_as_plain_ones() -> None:
    infos: list[AnalysisLine] = []
    search = _search(infos, movetime=1000, is_plain=True)
    _slice(search)
    search.go_native()
    part = search.begin_slice()
    for depth in (1, 2, 3, 4):
        search.report(part, _line(depth, LAST))
    search.finish()
    assert [(info.depth, info.pv) for info in infos] == [(3, (FIRST,)), (3, (LAST,)), (4, (LAST,))]
    answer = await search.answer
    assert (answer.by, answer.best) == ("engine", LAST)
