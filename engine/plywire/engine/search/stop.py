"""How a search is told to end."""

from __future__ import annotations

import ctypes
import threading


class Stop:
    """Ends the search it was given to: safe to set from any thread, before or during the search.

    A token serves one search: the search itself sets it when its time is up.

    Whether it is set stands in one word, which kernels and Python read alike. The event only wakes
    those who wait: it is set a moment later, and were it asked, a search that the word has ended
    could be taken for one that came to its end.
    """

    def __init__(self) -> None:
        """A token that is not set."""
        self._word = ctypes.c_uint64(0)
        self._event = threading.Event()
        self._is_claimed = False

    @property
    def address(self) -> int:
        """Where the running kernels look: a 64-bit word that is not 0 once the token is set."""
        return ctypes.addressof(self._word)

    @property
    def is_set(self) -> bool:
        """Whether the search has been told to end."""
        return self._word.value != 0

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
        self._word.value = 1
        self._event.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Block until the token is set, or that many seconds; returns whether it is set."""
        return self._event.wait(timeout)
