"""The memory of a hash table for several threads."""

import numpy as np

from plywire.engine.compiled.clearing import clear
from plywire.engine.compiled.memory import zeroed

_BYTES_PER_MB = 1 << 20
#: The number of words that mark positions as being searched.
BUSY_SLOTS = 1 << 12


class HashTable:
    """Buckets of equal size, and marks of the positions that a thread is searching."""

    def __init__(self, megabytes: float, bucket_bytes: int) -> None:
        """Raises ValueError if there is too little memory."""
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

    def forget_busy(self) -> None:
        """Remove all marks, because stopped threads leave theirs."""
        self._busy.fill(0)

    def clear(self) -> None:
        clear(self.address, self._bytes)
