"""Return memory to the system after clients have left."""

import asyncio
import ctypes
import gc
import sys
from collections.abc import Callable

#: Seconds from the moment a client leaves until memory is returned. If others leave meanwhile,
#: their memory is returned, too.
_AFTER = 3.0


class FreedMemory:
    """Frees reference cycles, and makes the C library return free memory to the system.

    asyncio's transports are such cycles. glibc itself returns only the end of its heap, see
    malloc_trim(3). Other C libraries are left alone.
    """

    def __init__(self) -> None:
        library = ctypes.CDLL(None) if sys.platform == "linux" else None
        self._trim: Callable[[int], int] = getattr(library, "malloc_trim", lambda _: 0)
        self._timer: asyncio.TimerHandle | None = None
        self._left = 0
        self._staying = 0

    def left(self, staying: int) -> None:
        """Return memory soon, because a client left; `staying` is the number of other clients."""
        self._left += 1
        self._staying = staying
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_AFTER, self._give_back)

    def _give_back(self) -> None:
        self._timer = None
        # A collection halts all clients. With more clients, it takes longer. So collect only when
        # the clients that have left since the last collection are at least as many as those that
        # stay.
        if self._left >= self._staying:
            self._left = 0
            gc.collect()
        self._trim(0)  # takes less than a millisecond
