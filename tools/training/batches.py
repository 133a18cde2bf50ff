"""Work in batches on several threads. The number of threads never changes the results."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from plywire.engine.search.alphabeta import OWN_ARRAYS
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.thread_memory import ThreadMemory

#: A function that is called after each batch, with how much is done and how much there is.
Progress = Callable[[int, int], None]

#: A function that is called with the name of each stage; it returns the stage's `Progress`.
OnStage = Callable[[str], Progress]

_Batch = TypeVar("_Batch")
_Made = TypeVar("_Made")

_TABLE_MB = 4
_UNLIMITED = (1 << 64) - 1


def run(
    work: Callable[[_Batch], _Made],
    batches: Iterable[_Batch],
    threads: int,
    on_progress: Progress | None = None,
) -> list[_Made]:
    """Call `work` with each batch; returns the results in the order of the batches."""
    waiting = list(batches)
    made: list[_Made] = []
    with ThreadPoolExecutor(threads) as pool:
        try:
            for result in pool.map(work, waiting):
                made.append(result)
                if on_progress:
                    on_progress(len(made), len(waiting))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return made


def fresh_memory() -> ThreadMemory:
    """Make the memory of a search, with an empty table."""
    return ThreadMemory(TranspositionTable(_TABLE_MB), 0, _UNLIMITED, OWN_ARRAYS)


def slices(length: int, size: int) -> list[slice]:
    """Cut a length into consecutive slices of a size; the last one may be smaller."""
    return [slice(start, min(start + size, length)) for start in np.arange(0, length, size)]
