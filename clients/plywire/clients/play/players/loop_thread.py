"""An event loop in its own thread, for code that may block its loop."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any


class LoopThread:
    """Runs functions and coroutines in a thread, which never keeps the program from ending."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._is_over = asyncio.Event()
        threading.Thread(target=self._run, name="plywire-player", daemon=True).start()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(_outcome(function, *arguments), self._loop)

    def end(self) -> None:
        """End the thread after its running functions; `submit` must not be called again."""
        self._loop.call_soon_threadsafe(self._is_over.set)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._is_over.wait())


async def _outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    found = function(*arguments)
    return await found if inspect.isawaitable(found) else found
