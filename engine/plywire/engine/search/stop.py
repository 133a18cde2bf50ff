"""Ending a search."""

import ctypes
import math
import sys
import threading
import time

#: Stands for the deadline of a search that has none.
_NEVER = (1 << 64) - 1

# Kernels know the address of the function that reads the system's monotonic clock (`context.py`).
# So a search ends in time, even if no Python thread can run.
if sys.platform == "win32":
    _read = ctypes.windll.kernel32.QueryPerformanceCounter
    _frequency = ctypes.c_uint64()
    ctypes.windll.kernel32.QueryPerformanceFrequency(ctypes.byref(_frequency))
    _SECOND: int = _frequency.value

    def ticks() -> int:
        """Return the time of the system's monotonic clock, in its ticks."""
        return time.perf_counter_ns() * _SECOND // 1_000_000_000

else:
    _read = ctypes.CDLL(None).clock_gettime
    _SECOND = 1_000_000_000

    def ticks() -> int:
        """Return the time of the system's monotonic clock, in nanoseconds."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


#: The address of the function that reads the clock.
CLOCK: int = ctypes.cast(_read, ctypes.c_void_p).value or 0

_waiting = threading.Lock()


class Stop:
    """A token that ends one search; any thread may set it, before or during the search.

    Its state is a word that kernels and Python share; the search sets it when its time is up. The
    event only wakes waiting threads: it is set later, or never if a kernel sets the word.
    """

    def __init__(self) -> None:
        self._words = (ctypes.c_uint64 * 3)(0, _NEVER, CLOCK)
        self._event: threading.Event | None = None
        self._is_claimed = False

    @property
    def address(self) -> int:
        """The address of three words: a flag, the deadline in ticks, and the clock function."""
        return ctypes.addressof(self._words)

    @property
    def is_set(self) -> bool:
        """Whether the search must end, also because its time is up."""
        if self._words[0] == 0 and ticks() >= self._words[1]:
            self.set()
        return self._words[0] != 0

    def claim(self) -> None:
        """Note that a search uses this token; raise ValueError if another search has used it."""
        if self._is_claimed:
            raise ValueError("a Stop serves one search: give each its own")
        self._is_claimed = True

    def set(self) -> None:
        # No lock is needed: aligned 64-bit stores are atomic on all platforms of Numba.
        self._words[0] = 1
        if (event := self._event) is not None:
            event.set()

    def set_at(self, when: float) -> None:
        """End the search at this `time.monotonic()` at the latest; infinity sets no deadline."""
        if not math.isinf(when):
            due = ticks() + round((when - time.monotonic()) * _SECOND)
            self._words[1] = max(0, min(due, self._words[1]))

    def wait(self, timeout: float | None = None) -> bool:
        """Block until the token is set or `timeout` seconds pass; return whether it is set."""
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
