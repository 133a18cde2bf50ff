"""What is said of a game's preparation, and when."""

import asyncio
import logging
import threading
from collections.abc import Callable

import pytest

from plywire.engine import readiness, registry
from plywire.engine.game import Game
from plywire.engine.readiness import PreparationError, Progress
from plywire.server.searching.warmup import Warmer
from tests.support.until import until

GAME = registry.load("connect4")

Listener = Callable[[Progress], None]


@pytest.fixture(autouse=True)
def log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "plywire.server.searching.warmup")


async def test_readiness_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def prepare(game: Game, on_progress: Listener) -> None:
        for left in (0.9, 0.5, 0.1):
            on_progress(Progress("machine code", left))

    monkeypatch.setattr(readiness, "prepare", prepare)
    warmer = Warmer()
    for _ in range(3):
        await warmer.request(GAME)
    assert caplog.messages == ["ready game=connect4 size=7x6 seconds=0.0"]


async def test_work_that_takes_long_is_announced_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def prepare(game: Game, on_progress: Listener) -> None:
        for left in (9.0, 8.0, 7.0):
            on_progress(Progress("building", left))

    monkeypatch.setattr(readiness, "prepare", prepare)
    await Warmer().request(GAME)
    assert caplog.messages == [
        "preparing game=connect4 size=7x6 step='building'",
        "ready game=connect4 size=7x6 seconds=0.0",
    ]


async def test_the_latest_progress_is_known_while_work_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_end = threading.Event()

    def prepare(game: Game, on_progress: Listener) -> None:
        on_progress(Progress("first"))
        on_progress(Progress("second", 0.5))
        may_end.wait()

    monkeypatch.setattr(readiness, "prepare", prepare)
    warmer = Warmer()
    request = warmer.request(GAME)
    try:
        await until(lambda: warmer.progress(GAME) == Progress("second", 0.5))
    finally:
        may_end.set()
    await request
    assert warmer.progress(GAME) is None


@pytest.mark.parametrize("error", [PreparationError("none here"), MemoryError("none here")])
async def test_what_goes_wrong_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def prepare(game: Game, on_progress: Listener) -> None:
        raise error

    monkeypatch.setattr(readiness, "prepare", prepare)
    monkeypatch.setattr(readiness, "is_ready", lambda game: False)
    warmer = Warmer()
    for _ in range(2):
        (done,), _ = await asyncio.wait([warmer.request(GAME)])
        assert done.exception() is error
    assert not warmer.is_ready(GAME)
    (message,) = caplog.messages
    assert message.startswith("plain search only game=connect4 size=7x6")
