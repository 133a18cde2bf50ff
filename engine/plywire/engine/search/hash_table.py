"""The memory of a hash table that threads share."""

import numpy as np

from plywire.engine.compiled.clearing import clear
from plywire.engine.compiled.memory import zeroed

_BYTES_PER_MB = 1 << 20
#: How many positions can be marked as being searched, a word each.
BUSY_SLOTS = 1 << 12


class HashTable:
    """Buckets of equal size, and marks by which threads tell each other what they search."""

    def __init__(self, megabytes: float, bucket_bytes: int) -> None:
        """Reserve as many buckets as fit, all empty.

        The system provides the pages when they are first touched. Raises ValueError if there is no
        memory for the table.
        """
        self.buckets = int(megabytes * _BYTES_PER_MB) // bucket_bytes
        self._bytes = self.buckets * bucket_bytes
        try:
            self._words = zeroed(self._bytes)
        except MemoryError:
            raise ValueError(f"there is no memory for a hash table of {megabytes} MB") from None
        self._busy = np.zeros(BUSY_SLOTS, np.uint64)
        self.address: int = self._words.ctypes.data
        """The address of the first bucket, a multiple of 64."""
        self.busy: int = self._busy.ctypes.data
        """The address of the marks."""

    def forget_busy(self) -> None:
        """Remove all marks: threads that were stopped leave theirs."""
        self._busy.fill(0)

    def clear(self) -> None:
        """Forget everything."""
        clear(self.address, self._bytes)
