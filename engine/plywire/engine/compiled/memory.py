"""Memory that kernels work on: zeroed, aligned to pages, and back with the system once dropped.

The C library keeps what a large array had for the next one: a server would hold the tables of peers
that are long gone. Memory that is mapped for one array goes with it.
"""

import contextlib
import mmap
import sys

import numpy as np
from numpy.typing import NDArray

#: From this size on, huge pages: one of them is provided in the time that forty small ones take.
_HUGE = 2 << 20


def zeroed(size: int) -> NDArray[np.uint64]:
    """Words that take `size` bytes, in pages of their own.

    The system provides these, full of zeros, when they are first touched. Raises MemoryError if it
    has not that many.
    """
    try:
        if sys.platform == "win32":
            memory = mmap.mmap(-1, size)
        else:  # private: shared memory, Python's default, has no huge pages
            memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError):
        raise MemoryError(f"there is no memory for {size} bytes") from None
    if size >= _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a system built without huge pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, np.uint64)
