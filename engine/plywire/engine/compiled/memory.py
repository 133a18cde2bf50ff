"""Memory that kernels work on: zeroed, aligned to pages and, if large, given back once dropped.

The C library keeps a large array's memory for the next array: a server would hold the tables
of peers that are long gone. Memory that is mapped for one array goes with the array. A thread's
memory for a single search is small, and the next search takes it up again. To map that memory would
delay the search, because Python lets other threads run meanwhile.
"""

import contextlib
import mmap
import sys

import numpy as np
from numpy.typing import NDArray

#: From this size on, huge pages: one of them is provided in the time that forty small ones take.
_HUGE = 2 << 20
#: Up to this size, arrays are left to the C library.
_SMALL = 256 << 10
_PAGE = mmap.PAGESIZE


def zeroed(size: int) -> NDArray[np.uint64]:
    """Words that take `size` bytes and begin with a page.

    If there are many, the system provides their pages when they are first touched. Raises
    MemoryError if the system does not have enough.
    """
    if size <= _SMALL:
        words = np.zeros((size + _PAGE) // 8, np.uint64)
        start = -words.ctypes.data % _PAGE // 8
        return words[start : start + size // 8]
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
