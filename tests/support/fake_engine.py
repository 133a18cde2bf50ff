"""An engine that searches as the test tells it to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Hashable

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.engine import Stop
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.readiness import PreparationProgress
from plywire.engine.search.time_management import Budget


class FakeEngine:
    """Reports one line and searches until it is stopped; a deaf one until it is released.

    Whoever starts a deaf one releases it in a `finally`: its thread waits for ever otherwise.
    """

    def __init__(self, *, threads: int = 1, depth: int = 3, is_deaf: bool = False) -> None:
        self.threads = threads
        self.slices: list[SearchLimits] = []
        self.budgets: list[Budget | None] = []
        self.threads_used: set[str] = set()
        """By name."""
        self.released = threading.Event()
        self._depth = depth
        self._is_deaf = is_deaf

    def analyse(
        self,
        position: Position,
        limits: SearchLimits,
        on_info: Callable[[AnalysisLine], None],
        *,
        multipv: int,
        stop: Stop,
        budget: Budget | None = None,
    ) -> Analysis:
        self.slices.append(limits)
        self.threads_used.add(threading.current_thread().name)
        self.budgets.append(budget)
        best = position.moves()[-1]
        info = AnalysisLine(self._depth, EngineScore("cp", 7), 100, 1, 0, 1, (best,))
        on_info(info)
        if self._is_deaf:
            self.released.wait()
        else:
            stop.wait()
        return Analysis(best, (info,), 100, 1)

    def opening_line(
        self, position: Position, limits: SearchLimits, multipv: int
    ) -> AnalysisLine | None:
        return None


class FakeWarmer:
    """Has games ready from the start, or only when the test says so."""

    def __init__(self, *, is_warm: bool = True) -> None:
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.told: PreparationProgress | None = None
        """How far the preparation has come."""
        if is_warm:
            self.ready.set_result(None)

    def is_ready(self, game: Game) -> bool:
        return self.ready.done() and self.ready.exception() is None

    def progress(self, game: Game) -> PreparationProgress | None:
        return self.told

    def request(self, game: Game, by: Hashable = None) -> asyncio.Future[None]:
        return self.ready

    def forget(self, by: Hashable) -> None:
        """Nothing waits here."""
