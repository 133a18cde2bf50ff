"""Work cut into batches, on several threads, with the same results whatever their number."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from plywire.engine.search.alphabeta import OWN_ARRAYS
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.thread_memory import ThreadMemory

#: Told after each finished batch: what is done and what there is, in the same unit.
Progress = Callable[[int, int], None]

#: Told what is being done; returns who is told of the steps.
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
    """What `work` makes of each batch, in their order."""
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
    """Memory for searching, with an empty table of its own."""
    return ThreadMemory(TranspositionTable(_TABLE_MB), 0, _UNLIMITED, OWN_ARRAYS)


def slices(length: int, size: int) -> list[slice]:
    """Consecutive slices of that size that cover a length; the last may be smaller."""
    return [slice(start, min(start + size, length)) for start in np.arange(0, length, size)]
