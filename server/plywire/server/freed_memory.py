"""Giving back to the system the memory of peers that left."""

import asyncio
import ctypes
import gc
import sys
from collections.abc import Callable

#: Seconds after somebody left; who leaves meanwhile is served by the same.
_AFTER = 3.0


class FreedMemory:
    """What lives on in circles of objects, and what the C library keeps of memory that is free.

    asyncio's transports are such circles. glibc gives back by itself only what lies at the end of
    its heap, see malloc_trim(3); other libraries are left alone.
    """

    def __init__(self) -> None:
        """Nobody has left yet."""
        library = ctypes.CDLL(None) if sys.platform == "linux" else None
        self._trim: Callable[[int], int] = getattr(library, "malloc_trim", lambda _: 0)
        self._timer: asyncio.TimerHandle | None = None
        self._left = 0
        self._staying = 0

    def left(self, staying: int) -> None:
        """Somebody left, and so many stay: give back soon what is free."""
        self._left += 1
        self._staying = staying
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_AFTER, self._give_back)

    def _give_back(self) -> None:
        self._timer = None
        # To look for circles takes as long as there is much to look at, and halts everybody: so
        # only when as many have left since the last time.
        if self._left >= self._staying:
            self._left = 0
            gc.collect()
        self._trim(0)  # less than a millisecond
