"""What the event loop sees of preparations in threads."""

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator

import pytest

from plywire.engine import readiness, registry
from plywire.engine.game import Game
from plywire.engine.readiness import Preparations
from plywire.server.searching.warmer import Warmer
from tests.support.until import until

GAME, *OTHERS = (registry.load("connect4", size) for size in ("4x4", "5x4", "6x4"))


@pytest.fixture
def end(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Has preparations of its own, and ends them."""
    may_end = threading.Event()
    monkeypatch.setattr(readiness, "preparations", Preparations())
    monkeypatch.setattr(readiness, "prepare", lambda game, on_progress: may_end.wait())
    yield may_end.set
    may_end.set()


async def test_however_often_a_game_is_asked_for_it_has_one_future(end: Callable[[], None]) -> None:
    warmer = Warmer()
    futures = {warmer.request(GAME, by) for by in ("one", "another", "one", None)}
    (future,) = futures
    assert not future.done()
    end()
    await future
    gc.collect()
    assert warmer.request(GAME) is future


async def test_what_nobody_waits_for_any_more_is_cancelled(end: Callable[[], None]) -> None:
    warmer = Warmer()
    running = [warmer.request(game, "peer") for game in OTHERS]
    await until(lambda: all(readiness.preparations.request(game).running() for game in OTHERS))
    waiting = warmer.request(GAME, "peer")
    warmer.forget("peer")
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    again = warmer.request(GAME, "peer")
    end()
    await asyncio.gather(again, *running)


async def test_what_goes_wrong_is_in_the_future(monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(game: Game, on_progress: object) -> None:
        raise MemoryError("none left")

    monkeypatch.setattr(readiness, "preparations", Preparations())
    monkeypatch.setattr(readiness, "prepare", prepare)
    with pytest.raises(MemoryError, match="none left"):
        await Warmer().request(GAME)
