"""Who gets a thread, and when everybody is answered."""

import asyncio
import operator
import threading
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Self

import pytest

from plywire.engine import registry
from plywire.engine.analysis import AnalysisLine
from plywire.engine.engine import LocalEngine, Stop
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.readiness import PreparationError
from plywire.engine.registry import backend_of
from plywire.engine.search.time_management import time_budget
from plywire.server.errors import SearchFailedError
from plywire.server.searching.scheduled_search import Phase, ScheduledSearch
from plywire.server.searching.search_pool import SearchPool
from tests.support.fake_engine import FakeEngine, FakeWarmer
from tests.support.until import until

START = registry.load("connect4").start()


class Fixture:
    """A pool, and searches by fake engines, all of which end with the block."""

    def __init__(self, threads: int, *, longest: float = 60, is_warm: bool = True) -> None:
        self.warmer = FakeWarmer(is_warm=is_warm)
        self.pool = SearchPool(threads, longest=longest, warmer=self.warmer)  # type: ignore[arg-type]
        self.infos: list[AnalysisLine] = []
        self._engines: list[FakeEngine] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        for engine in self._engines:
            engine.released.set()
        await self.pool.close()

    def submit(self, engine: FakeEngine, position: Any = START, **limits: Any) -> ScheduledSearch:
        self._engines.append(engine)
        return self.pool.submit(engine, position, SearchLimits(**limits), self.infos.append)


@pytest.fixture
async def one() -> AsyncIterator[Fixture]:
    async with Fixture(1) as fixture:
        yield fixture


async def test_a_lone_search_is_not_disturbed(one: Fixture) -> None:
    engine = FakeEngine()
    answer = await one.submit(engine, movetime=80).answer
    assert answer.best == START.moves()[-1]
    (budget,) = engine.budgets
    assert budget is not None
    assert 0 < budget.hard <= 80


async def test_stop_answers_a_running_search(one: Fixture) -> None:
    search = one.submit(FakeEngine(), infinite=True)
    one.pool.stop(search)
    assert (await search.answer).best == START.moves()[-1]
    assert one.pool.searches == 0


async def test_stop_answers_a_waiting_search(one: Fixture) -> None:
    deaf = FakeEngine(is_deaf=True)
    one.submit(deaf, infinite=True)
    waiting = one.submit(FakeEngine(), infinite=True)
    one.pool.stop(waiting)
    assert (await waiting.answer).best == START.moves()[-1]


async def test_an_engine_that_does_not_come_back_is_answered_for(one: Fixture) -> None:
    deaf = FakeEngine(is_deaf=True)
    search = one.submit(deaf, movetime=20)
    answer = await search.answer
    assert answer.best == START.moves()[-1]  # of the line that it reported
    assert search.has_thread


async def test_a_failing_test_leaves_no_thread_waiting() -> None:
    before = set(threading.enumerate())  # such as those of a server that other tests share

    async def fail() -> None:
        async with Fixture(1) as fixture:
            deaf = FakeEngine(is_deaf=True)
            fixture.submit(deaf, infinite=True)
            await until(lambda: deaf.slices)
            raise AssertionError

    with pytest.raises(AssertionError):
        await fail()
    left = set(threading.enumerate()) - before
    assert not [thread for thread in left if thread.name.startswith("search")]


async def test_time_spent_waiting_counts(one: Fixture) -> None:
    deaf = FakeEngine(is_deaf=True)
    one.submit(deaf, infinite=True)
    never_ran = FakeEngine()
    answer = await one.submit(never_ran, movetime=20).answer
    assert answer.best == START.moves()[-1]
    assert len(never_ran.slices) == 1
    assert never_ran.threads_used == {"search-first_0"}


async def test_a_search_that_never_got_a_thread_is_answered_in_time_by_an_engine_that_hangs(
    one: Fixture,
) -> None:
    """The only thread is taken, and that for first iterations does not come back either."""
    one.submit(FakeEngine(is_deaf=True), infinite=True)
    deaf = FakeEngine(is_deaf=True)
    search = one.submit(deaf, movetime=20)
    assert (await search.answer).best == START.moves()[-1]
    assert deaf.threads_used == {"search-first_0"}
    assert one.pool.searches == 1


async def test_no_search_runs_on_the_event_loop(one: Fixture) -> None:
    engines = [FakeEngine() for _ in range(20)]
    await asyncio.gather(*(one.submit(engine, movetime=5).answer for engine in engines))
    names = set().union(*(engine.threads_used for engine in engines))
    assert names <= {"search_0", "search-first_0"}


async def test_all_get_a_thread_before_their_time_is_up(one: Fixture) -> None:
    engines = [FakeEngine() for _ in range(20)]
    searches = [one.submit(engine, movetime=400) for engine in engines]
    answers = await asyncio.gather(*(search.answer for search in searches))
    assert all(answer.lines for answer in answers)
    assert all(engine.slices for engine in engines)


async def test_an_endless_search_gives_way_and_goes_on(one: Fixture) -> None:
    endless, quick = FakeEngine(), FakeEngine()
    search = one.submit(endless, infinite=True)
    await one.submit(quick, movetime=100).answer
    assert quick.slices
    assert not search.answer.done()
    await until(lambda: len(endless.slices) >= 2)
    one.pool.stop(search)
    assert (await search.answer).nodes == 100 * len(endless.slices)


async def test_lines_are_reported_once_though_slices_repeat_them(one: Fixture) -> None:
    search = one.submit(FakeEngine(depth=5), infinite=True)
    await one.submit(FakeEngine(depth=9), movetime=100).answer
    one.pool.stop(search)
    await search.answer
    assert sorted(info.depth for info in one.infos) == [5, 9]


async def test_the_longest_think_time_ends_every_search() -> None:
    async with Fixture(1, longest=0.05) as fixture:
        for limits in ({"infinite": True}, {"depth": 99}, {"movetime": 60_000}):
            assert (await fixture.submit(FakeEngine(), **limits).answer).best is not None


async def test_the_engine_gets_the_time_that_was_computed(one: Fixture) -> None:
    clock = ClockTimes(60_000, 50_000)
    plies_without_thinking = backend_of(START.game).plies_without_thinking
    whole = time_budget(SearchLimits(clock=clock), START, plies_without_thinking)
    engine = FakeEngine()
    search = one.submit(engine, clock=clock)
    await until(lambda: engine.budgets)
    one.pool.stop(search)
    await search.answer
    (budget,) = engine.budgets
    assert budget is not None
    assert budget.soft == whole.soft
    assert whole.hard - 1000 < budget.hard <= whole.hard


async def test_waiting_is_taken_off_the_time(one: Fixture) -> None:
    deaf = FakeEngine(is_deaf=True)
    blocking = one.submit(deaf, movetime=30)
    engine = FakeEngine()
    search = one.submit(engine, clock=ClockTimes(60_000, 50_000))
    await blocking.answer
    deaf.released.set()
    await until(lambda: engine.slices)
    waited = 30 - 3  # of which the pool keeps a part for the way of the answer
    assert engine.budgets[0] is not None
    assert engine.budgets[0].hard <= search._budget.hard - waited
    one.pool.stop(search)
    await search.answer


async def test_a_search_is_plain_while_its_game_is_not_ready() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        engine = FakeEngine()
        answer = await fixture.submit(engine, movetime=50).answer
        assert answer.by == "plain"
        assert answer.best in START.moves()
        assert answer.depth == max(info.depth for info in fixture.infos) >= 1
        assert not engine.slices


async def test_it_goes_on_with_the_engine_as_soon_as_that_is_ready() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        engine = FakeEngine(depth=2)
        search = fixture.submit(engine, movetime=60_000)
        await until(lambda: fixture.infos and fixture.infos[-1].depth > 3)
        fixture.warmer.ready.set_result(None)
        await until(lambda: engine.slices)
        fixture.pool.stop(search)
        answer = await search.answer
        assert (answer.by, answer.depth, answer.best) == ("engine", 2, START.moves()[-1])
        depths = [info.depth for info in fixture.infos]
        assert depths == sorted(depths)  # the engine's line is shallower than what was told


async def test_the_engine_has_the_whole_of_its_time_to_think() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        engine = FakeEngine()
        search = fixture.submit(engine, clock=ClockTimes(60_000, 60_000))
        await until(lambda: fixture.infos)
        fixture.warmer.ready.set_result(None)
        await until(lambda: engine.budgets)
        assert engine.budgets[0] is not None
        assert engine.budgets[0].soft == search._budget.soft
        assert engine.budgets[0].hard < search._budget.hard
        fixture.pool.stop(search)
        assert (await search.answer).by == "engine"


async def test_a_search_without_a_time_waits_for_the_engine() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        engine = FakeEngine()
        search = fixture.submit(engine, depth=2)
        await until(lambda: search.phase is Phase.COLD)
        assert fixture.infos
        fixture.warmer.ready.set_result(None)
        await until(lambda: engine.slices)
        fixture.pool.stop(search)
        assert (await search.answer).by == "engine"


async def test_what_waits_for_the_engine_is_answered_in_its_time() -> None:
    async with Fixture(1, is_warm=False, longest=0.05) as fixture:
        answer = await fixture.submit(FakeEngine(), depth=1).answer
        assert (answer.by, answer.depth) == ("plain", 1)


async def test_many_plain_searches_get_their_turns() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        searches = [fixture.submit(FakeEngine(), movetime=400) for _ in range(40)]
        answers = await asyncio.gather(*(search.answer for search in searches))
        assert all(answer.by == "plain" and answer.depth >= 1 for answer in answers)


async def test_a_plain_search_ends_when_it_is_told_to() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        running, waiting = (fixture.submit(FakeEngine(), infinite=True) for _ in range(2))
        for search in (waiting, running):
            fixture.pool.stop(search)
            answer = await search.answer
            assert answer.by == "plain"
            assert answer.depth >= 1


async def test_what_cannot_be_prepared_is_searched_plainly() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        waiting = fixture.submit(FakeEngine(), depth=2)
        await until(lambda: waiting.phase is Phase.COLD)
        fixture.warmer.ready.set_exception(PreparationError("no machine code may run here"))
        later = [
            fixture.submit(FakeEngine(), **limits) for limits in ({"movetime": 30}, {"depth": 3})
        ]
        for search in (waiting, *later):
            answer = await search.answer
            assert answer.by == "plain"
            assert answer.depth >= 1
        assert fixture.pool.searches == 0


async def test_plain_searches_hold_few_tables() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        for size in ("4x4", "4x5", "5x4", "5x5", "6x5", "7x5"):
            position = registry.load("connect4", size).start()
            await fixture.submit(FakeEngine(), position, movetime=5).answer
        assert len(fixture.pool._plain_tables) == 4


async def test_an_opening_book_answers_before_a_game_is_ready() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        position = registry.load("othello").start()
        limits = SearchLimits(movetime=1000)
        search = fixture.pool.submit(LocalEngine(hash_mb=1), position, limits, fixture.infos.append)
        answer = await search.answer
        assert (answer.by, answer.nodes) == ("engine", 0)
        assert fixture.infos


class Broken(FakeEngine):
    """Fails, be it that it told of a line before."""

    def __init__(self, *, is_telling: bool = False) -> None:
        super().__init__()
        self._is_telling = is_telling

    def analyse(self, *args: Any, **options: Any) -> Any:
        if self._is_telling:
            stop = Stop()
            stop.set()
            super().analyse(*args, **options | {"stop": stop})
        raise MemoryError("no table")


@pytest.mark.parametrize("is_telling", [False, True])
async def test_an_engine_that_fails_is_not_answered_for(
    one: Fixture, caplog: pytest.LogCaptureFixture, is_telling: bool
) -> None:
    with pytest.raises(SearchFailedError):
        await one.submit(Broken(is_telling=is_telling), movetime=1000).answer
    assert "no table" in caplog.text
    assert one.pool.searches == 0
    assert (await one.submit(FakeEngine(), movetime=20).answer).lines


async def test_nor_is_one_that_fails_without_a_thread(caplog: pytest.LogCaptureFixture) -> None:
    fixture = Fixture(1)
    deaf = FakeEngine(is_deaf=True)
    try:
        fixture.submit(deaf, infinite=True)
        with pytest.raises(SearchFailedError):
            await fixture.submit(Broken(), movetime=20).answer
    finally:
        deaf.released.set()
        await fixture.pool.close()
    assert "no table" in caplog.text


async def test_a_wide_search_takes_all_threads_it_may(one: Fixture) -> None:
    engine = FakeEngine(threads=8)
    answer = await one.submit(engine, movetime=100).answer
    assert answer.best is not None
    assert engine.threads_used == {"search_0"}  # not the one for whom there was none


async def test_a_wide_search_gives_all_its_threads_back() -> None:
    fixture = Fixture(2)
    await fixture.submit(FakeEngine(threads=2), movetime=20).answer
    engines = [FakeEngine(is_deaf=True) for _ in range(2)]
    try:
        for engine in engines:
            fixture.submit(engine, infinite=True)
        await until(lambda: all(engine.slices for engine in engines))
    finally:
        for engine in engines:
            engine.released.set()
    await fixture.pool.close()


async def test_a_search_gives_way_to_nobody_when_none_waits_any_more(one: Fixture) -> None:
    search = one.submit(FakeEngine(), infinite=True)
    waiting = one.submit(FakeEngine(), infinite=True)
    one.pool.stop(waiting)
    one.pool._native.preempt(search)
    assert search.slice is not None
    assert not search.slice.gives_way
    one.pool.stop(search)


async def test_a_search_that_gave_way_with_its_nodes_spent_is_over(one: Fixture) -> None:
    engine = FakeEngine()  # which counts a hundred nodes a slice
    search = one.submit(engine, nodes=100)
    await one.submit(FakeEngine(), movetime=100).answer
    assert (await search.answer).nodes == 100


async def test_the_search_that_is_due_first_begins_first(one: Fixture) -> None:
    began: list[str] = []

    class Noted(FakeEngine):
        def __init__(self, name: str) -> None:
            super().__init__()
            self._name = name

        def analyse(self, *args: Any, **options: Any) -> Any:
            began.append(self._name)
            return super().analyse(*args, **options)

    deaf = FakeEngine(is_deaf=True)
    try:
        before = one.submit(deaf, infinite=True)
        searches = {
            name: one.submit(Noted(name), movetime=movetime)
            for name, movetime in (("later", 40_000), ("first", 20_000), ("last", 60_000))
        }
        one.pool.stop(before)
    finally:
        deaf.released.set()
    for name in ("first", "later", "last"):
        await until(partial(operator.contains, began, name))
        one.pool.stop(searches[name])
    assert list(dict.fromkeys(began)) == ["first", "later", "last"]


@pytest.mark.parametrize("name", registry.names())
async def test_more_real_searches_than_threads(name: str) -> None:
    pool = SearchPool(2, longest=60)
    position = registry.load(name).start()
    await pool.warmer.request(position.game)
    infos: list[AnalysisLine] = []
    searches = [
        pool.submit(LocalEngine(hash_mb=1), position, SearchLimits(movetime=1000), infos.append)
        for _ in range(20)
    ]
    answers = await asyncio.gather(*(search.answer for search in searches))
    assert all(answer.depth >= 1 for answer in answers)
    assert all(answer.best in position.moves() for answer in answers)
    await pool.close()


async def test_answered_searches_are_not_kept_until_the_engine_comes() -> None:
    async with Fixture(1, is_warm=False) as fixture:
        for _ in range(3):
            await fixture.submit(FakeEngine(), nodes=1, movetime=20).answer
        assert fixture.pool._awaiting == {START.game: set()}
