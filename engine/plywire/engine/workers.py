"""Processes that work for this process."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import Any


def workers(
    count: int | None = None, begin: Callable[..., None] | None = None, *arguments: Any
) -> ProcessPoolExecutor:
    """Return a pool of processes, which end with this process, even if it is killed."""
    return ProcessPoolExecutor(
        count,
        # A forked process would inherit an event loop and threads that no longer work.
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(begin, *arguments),
    )


def _begin(begin: Callable[..., None] | None, *arguments: Any) -> None:
    threading.Thread(target=_end_with_parent, name="plywire-parent", daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
