"""Giving back to the system the memory of peers that left."""

import asyncio
import ctypes
import sys
from collections.abc import Callable

#: Seconds after somebody left; who leaves meanwhile is served by the same.
_AFTER = 3.0


class FreedMemory:
    """What the C library's allocator keeps of memory that is free, in the middle of its heap.

    glibc gives back by itself only what lies at the end, see malloc_trim(3). Other libraries are
    left alone.
    """

    def __init__(self) -> None:
        """Nothing is freed yet."""
        library = ctypes.CDLL(None) if sys.platform == "linux" else None
        self._trim: Callable[[int], int] | None = getattr(library, "malloc_trim", None)
        self._timer: asyncio.TimerHandle | None = None

    def give_back_soon(self) -> None:
        """Give back what is free a little later, in a thread: it takes some milliseconds."""
        if self._trim is not None and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_AFTER, self._give_back, self._trim)

    def _give_back(self, trim: Callable[[int], int]) -> None:
        self._timer = None
        asyncio.get_running_loop().run_in_executor(None, trim, 0)
