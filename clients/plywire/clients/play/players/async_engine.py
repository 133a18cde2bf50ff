"""The engine in this process, outside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plywire.engine import readiness
from plywire.engine.engine import DEFAULT_HASH_MB, LocalEngine
from plywire.engine.game import Game, Position
from plywire.engine.search.stop import Stop

if TYPE_CHECKING:
    from plywire.engine.analysis import Analysis, AnalysisLine
    from plywire.engine.limits import SearchLimits


class AsyncEngine:
    """An engine that searches in a thread while the event loop runs; one search at a time."""

    def __init__(
        self,
        *,
        hash_mb: int = DEFAULT_HASH_MB,
        threads: int = 1,
        book: bool | Path = True,
        seed: int | None = None,
    ) -> None:
        """`book` is a file, or whether to use our books; `seed` chooses among best moves."""
        self._hash_mb = hash_mb
        self._threads = threads
        self._book = book
        self._seed = seed
        self._engine: LocalEngine | None = None

    async def start(self, game: Game) -> None:
        """Forget earlier games, and prepare this one; raises PreparationError."""
        await asyncio.to_thread(self.prepare, game)

    async def analyse(
        self, position: Position, limits: SearchLimits, *, multipv: int = 1
    ) -> Analysis:
        """Search a position after `start`; cancelling ends the search at once."""
        stop = Stop()
        search = asyncio.ensure_future(
            asyncio.to_thread(self.search, position, limits, stop, multipv=multipv)
        )
        try:
            return await asyncio.shield(search)
        except asyncio.CancelledError:
            stop.set()
            await search
            raise

    def search(
        self,
        position: Position,
        limits: SearchLimits,
        stop: Stop,
        on_info: Callable[[AnalysisLine], None] | None = None,
        *,
        multipv: int = 1,
    ) -> Analysis:
        """Work like `analyse`, but in the calling thread, which also calls `on_info`."""
        if self._engine is None:
            raise RuntimeError("the engine was not started")
        return self._engine.analyse(position, limits, on_info, multipv=multipv, stop=stop)

    def close(self) -> None:
        self._engine = None

    def prepare(self, game: Game) -> None:
        """Work like `start`, but in the calling thread."""
        readiness.prepare(game)
        if self._engine is None:
            self._engine = LocalEngine(
                hash_mb=self._hash_mb, threads=self._threads, book=self._book, seed=self._seed
            )
        self._engine.clear()
