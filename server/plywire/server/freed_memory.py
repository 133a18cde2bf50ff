"""Giving the memory of clients that left back to the system."""

import asyncio
import ctypes
import gc
import sys
from collections.abc import Callable

#: Seconds after a client left, in which others may leave, too.
_AFTER = 3.0


class FreedMemory:
    """Frees circles of objects, and has the C library give free memory back.

    asyncio's transports are such circles. glibc by itself gives back only the end of its heap, see
    malloc_trim(3). With other C libraries, only the circles are freed.
    """

    def __init__(self) -> None:
        library = ctypes.CDLL(None) if sys.platform == "linux" else None
        self._trim: Callable[[int], int] = getattr(library, "malloc_trim", lambda _: 0)
        self._timer: asyncio.TimerHandle | None = None
        self._left = 0
        self._staying = 0

    def left(self, staying: int) -> None:
        """Note that a client left while so many stay, and give memory back soon."""
        self._left += 1
        self._staying = staying
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_AFTER, self._give_back)

    def _give_back(self) -> None:
        self._timer = None
        # The search for circles halts everybody, the longer the more clients stay. So it waits
        # until as many have left since the last time.
        if self._left >= self._staying:
            self._left = 0
            gc.collect()
        self._trim(0)  # less than a millisecond
