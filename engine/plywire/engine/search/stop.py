"""How a search is told to end."""

import ctypes
import math
import sys
import threading
import time

#: A time that never comes.
_NEVER = (1 << 64) - 1

# The system's monotonic clock, which kernels read by its address (`watch.py`): no thread of Python
# has to get its turn for a search to end in time.
if sys.platform == "win32":
    _read = ctypes.windll.kernel32.QueryPerformanceCounter
    _frequency = ctypes.c_uint64()
    ctypes.windll.kernel32.QueryPerformanceFrequency(ctypes.byref(_frequency))
    _SECOND: int = _frequency.value

    def ticks() -> int:
        """What it says."""
        return time.perf_counter_ns() * _SECOND // 1_000_000_000

else:
    _read = ctypes.CDLL(None).clock_gettime
    _SECOND = 1_000_000_000

    def ticks() -> int:
        """What it says."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


#: The address of the function that reads it.
CLOCK: int = ctypes.cast(_read, ctypes.c_void_p).value or 0

#: Held while an event to wait for is made.
_waiting = threading.Lock()


class Stop:
    """Ends the search it was given to: safe to set from any thread, before or during the search.

    A token serves one search: the search itself sets it when its time is up.

    Whether it is set stands in one word, which kernels and Python read alike. The event only wakes
    those who wait, and is made by the first of them: it is set a moment later or, where a kernel
    has seen that time is up, not at all, and were it asked, a search that the word has ended could
    be taken for one that came to its end.
    """

    def __init__(self) -> None:
        """A token that is not set."""
        self._words = (ctypes.c_uint64 * 3)(0, _NEVER, CLOCK)
        self._event: threading.Event | None = None
        self._is_claimed = False

    @property
    def address(self) -> int:
        """Where the running kernels look: three 64-bit words.

        The first is not 0 once the token is set. The others are the time at which to set it, in
        ticks of the system's monotonic clock, and the address of the function that tells that time.
        """
        return ctypes.addressof(self._words)

    @property
    def is_set(self) -> bool:
        """Whether the search has been told to end, or its time is up."""
        if self._words[0] == 0 and ticks() >= self._words[1]:
            self.set()
        return self._words[0] != 0

    def claim(self) -> None:
        """Say that a search begins that this token ends.

        Raises ValueError if another search has done so.
        """
        if self._is_claimed:
            raise ValueError("a Stop serves one search: give each its own")
        self._is_claimed = True

    def set(self) -> None:
        """End the search at once."""
        # An aligned 64-bit store is atomic on every platform that Numba supports.
        self._words[0] = 1
        if (event := self._event) is not None:
            event.set()

    def set_at(self, when: float) -> None:
        """End the search at that `time.monotonic()` (infinity: never), if not before."""
        if not math.isinf(when):
            due = ticks() + round((when - time.monotonic()) * _SECOND)
            self._words[1] = max(0, min(due, self._words[1]))

    def wait(self, timeout: float | None = None) -> bool:
        """Block until the token is set, or that many seconds; returns whether it is set."""
        with _waiting:
            event = self._event = self._event or threading.Event()
        end = math.inf if timeout is None else time.monotonic() + timeout
        while not self.is_set:
            left = end - time.monotonic()
            if self._words[1] != _NEVER:
                left = min(left, (self._words[1] - ticks()) / _SECOND)
            event.wait(None if math.isinf(left) else max(left, 0.0))
            if time.monotonic() >= end:
                break
        return self.is_set
