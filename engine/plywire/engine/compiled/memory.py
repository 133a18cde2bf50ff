"""Memory for kernels: zeroed, aligned to pages and, if large, returned to the system after use.

The C library would keep the memory of a large array, so large arrays are mapped. Mapping small
arrays would delay each search, because Python lets other threads run meanwhile.
"""

import contextlib
import mmap
import sys

import numpy as np
from numpy.typing import NDArray

#: Arrays of at least this many bytes use huge pages of this size. The system provides a huge page
#: in the time of 40 small pages.
_HUGE = 2 << 20
#: The C library allocates arrays of at most this many bytes. Larger arrays are mapped.
_SMALL = 256 << 10
_PAGE = mmap.PAGESIZE


def zeroed(size: int) -> NDArray[np.uint64]:
    """Return words that take `size` bytes and begin at a page; raise MemoryError if short."""
    if size <= _SMALL:
        words = np.zeros((size + _PAGE) // 8, np.uint64)
        start = -words.ctypes.data % _PAGE // 8
        return words[start : start + size // 8]
    try:
        if sys.platform == "win32":
            memory = mmap.mmap(-1, size)
        else:  # private: shared memory, the default, has no huge pages
            memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError):
        raise MemoryError(f"there is no memory for {size} bytes") from None
    if size >= _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # the system may lack huge pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, np.uint64)
