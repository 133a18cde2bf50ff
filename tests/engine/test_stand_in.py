"""What an engine does while its game is not ready."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from plywire.engine import readiness
from plywire.engine.analysis import Analysis, AnalysisLine
from plywire.engine.engine import LocalEngine, Stop
from plywire.engine.game import Game
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.registry import load

START = load("connect4").start()
PLAYED = START.play(21).play(22)


class Preparing:
    """A preparation that ends when the test says so, well or with an error."""

    def __init__(self) -> None:
        self.calls: list[Game] = []
        self.error: Exception | None = None
        self.may_end = threading.Event()
        self._prepare = readiness.prepare

    def __call__(
        self, game: Game, on_progress: Callable[[readiness.PreparationProgress], None] | None = None
    ) -> None:
        self.calls.append(game)
        self.may_end.wait()
        if self.error is not None:
            raise self.error
        self._prepare(game)

    def fail(self, error: Exception) -> None:
        self.error = error
        self.may_end.set()


@pytest.fixture
def preparing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Preparing]:
    """No game is ready."""
    readiness.prepare(START.game)  # what takes long is done before the tests begin
    preparing = Preparing()
    monkeypatch.setattr(readiness, "is_ready", lambda game: False)
    monkeypatch.setattr(readiness, "prepare", preparing)
    monkeypatch.setattr(readiness, "preparations", readiness.Preparations())
    yield preparing
    preparing.may_end.set()


def test_a_timed_search_is_plain_while_nothing_is_ready(preparing: Preparing) -> None:
    for limits in (SearchLimits(movetime=30), SearchLimits(clock=ClockTimes(2000, 2000))):
        analysis = LocalEngine(book=False).analyse(START, limits)
        assert analysis.by == "plain"
        assert analysis.depth >= 1
    assert preparing.calls == [START.game]


def test_it_goes_on_with_the_engine_once_that_is_ready(preparing: Preparing) -> None:
    infos: list[AnalysisLine] = []

    def on_info(line: AnalysisLine) -> None:
        infos.append(line)
        preparing.may_end.set()

    limits = SearchLimits(movetime=600_000, depth=12)
    analysis = LocalEngine(book=False).analyse(PLAYED, limits, on_info)
    assert analysis.by == "engine"
    assert analysis.depth == 12
    depths = [line.depth for line in infos]
    assert depths == sorted(depths)


@pytest.mark.parametrize(
    "limits", [SearchLimits(), SearchLimits(nodes=2000), SearchLimits(depth=3)]
)
def test_other_searches_wait_for_the_engine(preparing: Preparing, limits: SearchLimits) -> None:
    position = load("connect4", "4x4").start()
    found: list[Analysis] = []
    thread = threading.Thread(
        target=lambda: found.append(LocalEngine(book=False).analyse(position, limits))
    )
    thread.start()
    try:
        thread.join(0.05)
        assert not found
    finally:
        preparing.may_end.set()
        thread.join()
    assert found[0].by == "engine"


def test_a_search_that_is_stopped_while_it_waits_has_a_move(preparing: Preparing) -> None:
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    analysis = LocalEngine(book=False).analyse(START, SearchLimits(infinite=True), stop=stop)
    assert (analysis.by, analysis.depth) == ("plain", 1)
    assert analysis.best in START.moves()


@pytest.mark.parametrize(
    "error", [readiness.PreparationError("no machine code may run here"), MemoryError("no memory")]
)
def test_what_cannot_be_prepared_is_searched_plainly(
    preparing: Preparing, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    preparing.fail(error)
    for limits in (SearchLimits(depth=4), SearchLimits(nodes=500), SearchLimits(movetime=20)):
        analysis = LocalEngine(book=False).analyse(START, limits)
        assert analysis.by == "plain"
        assert analysis.best in START.moves()
    assert caplog.text.count(str(error)) == 1
    assert "plain search only game=connect4 size=7x6" in caplog.text
    assert preparing.calls == [START.game]


def test_the_nodes_of_both_searches_count(preparing: Preparing) -> None:
    limits = SearchLimits(movetime=600_000, nodes=3000)

    def on_info(line: AnalysisLine) -> None:
        preparing.may_end.set()
        time.sleep(0.01)

    analysis = LocalEngine(book=False).analyse(START, limits, on_info)
    assert analysis.nodes <= 3000


def test_an_opening_book_answers_before_anything_is_ready(preparing: Preparing) -> None:
    for game in ("othello", "connect4"):
        analysis = LocalEngine().analyse(load(game).start(), SearchLimits(movetime=1000))
        assert (analysis.by, analysis.nodes) == ("engine", 0)
    assert not preparing.calls


def test_which_needs_no_compiler_and_no_machine_code() -> None:
    code = (
        "import sys;"
        "from plywire.engine.engine import LocalEngine;"
        "from plywire.engine.limits import SearchLimits;"
        "from plywire.engine.registry import load;"
        "found = LocalEngine().analyse(load('othello').start(), SearchLimits(movetime=1000));"
        "sys.exit(found.nodes or bool({'numba', 'llvmlite'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
