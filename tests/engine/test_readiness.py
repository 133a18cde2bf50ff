"""How games are prepared in the background, and what is said of it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from plywire.engine import readiness, registry
from plywire.engine.game import Game
from plywire.engine.readiness import PreparationError, Preparations, Progress

GAME = registry.load("connect4")

Listener = Callable[[Progress], None]


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "plywire.engine.readiness")


def test_readiness_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def prepare(game: Game, on_progress: Listener) -> None:
        for left in (0.9, 0.5, 0.1):
            on_progress(Progress("machine code", left))

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
            on_progress(Progress("building", left))

    monkeypatch.setattr(readiness, "prepare", prepare)
    Preparations().request(GAME).result()
    assert caplog.messages == [
        "preparing game=connect4 size=7x6 step='building'",
        "ready game=connect4 size=7x6 seconds=0.0",
    ]


def test_the_latest_progress_is_known_while_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    is_told, may_end = threading.Event(), threading.Event()

    def prepare(game: Game, on_progress: Listener) -> None:
        on_progress(Progress("first"))
        on_progress(Progress("second", 0.5))
        is_told.set()
        may_end.wait()

    monkeypatch.setattr(readiness, "prepare", prepare)
    preparations = Preparations()
    request = preparations.request(GAME)
    is_told.wait()
    assert preparations.progress(GAME) == Progress("second", 0.5)
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
