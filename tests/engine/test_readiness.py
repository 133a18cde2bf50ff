"""How games are prepared in the background, and what is said of it."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from plywire.engine import readiness, registry
from plywire.engine.game import Game
from plywire.engine.readiness import PreparationError, PreparationProgress, Preparations

GAME = registry.load("connect4")

Listener = Callable[[PreparationProgress], None]


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "plywire.engine.readiness")


def test_readiness_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def prepare(game: Game, on_progress: Listener) -> None:
        for left in (0.9, 0.5, 0.1):
            on_progress(PreparationProgress("machine code", left))

    monkeypatch.setattr(readiness, "prepare", prepare)
    preparations = Preparations()
    for _ in range(3):
        preparations.request(GAME).result()
    assert caplog.messages == ["ready game=connect4 size=7x6 seconds=0.0"]


def test_work_that_takes_long_is_announced_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def prepare(game: Game, on_progress: Listener) -> None:
        for left in (9.0, 8.0, 7.0):
            on_progress(PreparationProgress("building", left))

    monkeypatch.setattr(readiness, "prepare", prepare)
    Preparations().request(GAME).result()
    assert caplog.messages == [
        "preparing game=connect4 size=7x6 step='building'",
        "ready game=connect4 size=7x6 seconds=0.0",
    ]


def test_the_latest_progress_is_known_while_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    is_told, may_end = threading.Event(), threading.Event()

    def prepare(game: Game, on_progress: Listener) -> None:
        on_progress(PreparationProgress("first"))
        on_progress(PreparationProgress("second", 0.5))
        is_told.set()
        may_end.wait()

    monkeypatch.setattr(readiness, "prepare", prepare)
    preparations = Preparations()
    request = preparations.request(GAME)
    is_told.wait()
    assert preparations.progress(GAME) == PreparationProgress("second", 0.5)
    may_end.set()
    request.result()
    assert preparations.progress(GAME) is None


def test_two_games_are_prepared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2)
    monkeypatch.setattr(readiness, "prepare", lambda game, on_progress: both.wait())
    preparations = Preparations()
    games = [registry.load("connect4", f"{width}x6") for width in (4, 5, 6, 7)]
    for request in list(map(preparations.request, games)):
        request.result()


@pytest.mark.parametrize("error", [PreparationError("none here"), MemoryError("none here")])
def test_what_failed_is_logged_and_tried_again_after_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    now = 0.0
    outcomes: list[Exception | None] = [error, None]

    def prepare(game: Game, on_progress: Listener) -> None:
        if (outcome := outcomes.pop(0)) is not None:
            raise outcome

    monkeypatch.setattr(readiness, "prepare", prepare)
    monkeypatch.setattr(readiness, "time", SimpleNamespace(monotonic=lambda: now))
    preparations = Preparations()
    for now in (0.0, 9.9):  # noqa: B007 (the clock says it)
        assert preparations.request(GAME).exception() is error
    (message,) = caplog.messages
    assert message.startswith("plain search only game=connect4 size=7x6")
    now = 10.0
    assert preparations.request(GAME).exception() is None
    assert outcomes == []


class Held:
    """Preparations that end when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._begun = queue.SimpleQueue[str]()
        self._ends = threading.Semaphore(0)
        monkeypatch.setattr(readiness, "prepare", self._prepare)

    def begun(self, count: int) -> list[str]:
        """The sizes of the boards whose preparation begins next."""
        return [self._begun.get() for _ in range(count)]

    def is_idle(self) -> bool:
        return self._begun.empty()

    def end(self, count: int = 1) -> None:
        """Let so many more end."""
        self._ends.release(count)

    def _prepare(self, game: Game, on_progress: Listener) -> None:
        self._begun.put(game.size)
        self._ends.acquire()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held(monkeypatch)
    yield held
    held.end(100)


def board(size: str) -> Game:
    return registry.load("connect4", size)


def test_a_peer_that_asks_for_many_boards_waits_for_them_itself(held: Held) -> None:
    preparations = Preparations()
    for size in ("4x4", "5x4", "6x4", "7x4", "8x4"):
        preparations.request(board(size), "hostile")
    assert sorted(held.begun(2)) == ["4x4", "5x4"]  # nobody else has asked yet
    preparations.request(board("5x5"), "honest")
    preparations.request(board("6x5"))
    begun = []
    for _ in range(5):
        held.end()
        begun += held.begun(1)
    assert begun == ["6x5", "6x4", "5x5", "7x4", "8x4"]


def test_what_a_peer_that_has_left_asked_for_is_not_prepared(held: Held) -> None:
    preparations = Preparations()
    sizes = ("4x4", "5x4", "6x4", "7x4", "8x4")
    requests = [preparations.request(board(size), "left") for size in sizes]
    assert sorted(held.begun(2)) == ["4x4", "5x4"]
    assert preparations.request(board("6x4"), "stays") is requests[2]
    preparations.forget("left")
    assert [request.cancelled() for request in requests] == [False] * 3 + [True] * 2
    held.end()
    assert held.begun(1) == ["6x4"]
    again = preparations.request(board("7x4"), "stays")
    held.end(3)
    for request in (*requests[:3], again):
        request.result()
    assert held.begun(1) == ["7x4"]
    assert held.is_idle()
