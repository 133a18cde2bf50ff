"""Tasks in the background."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)


def log_error(error: Exception) -> None:
    """Log an unexpected error."""
    log.error("failed", exc_info=error)


class BackgroundTasks:
    """Tasks that nobody awaits; their errors go to `on_error`."""

    def __init__(self, on_error: Callable[[Exception], None] = log_error) -> None:
        self._on_error = on_error
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    async def close(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self._on_error(error)
