"""Memory for kernels: zeroed, aligned, and the system's again once it is dropped."""

import mmap
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from plywire.engine.compiled.memory import zeroed

MB = 1 << 20


@pytest.mark.parametrize("size", [8, 200_008, 16 * MB])
def test_memory_is_zeroed_and_begins_on_a_page(size: int) -> None:
    words = zeroed(size)
    assert words.nbytes == size
    assert words.dtype == np.uint64
    assert words.ctypes.data % mmap.PAGESIZE == 0
    assert not words.any()
    words[-1] = 7
    assert words[-1] == 7


@pytest.mark.parametrize("size", [1 << 62, 1 << 70])
def test_there_is_not_always_memory(size: int) -> None:
    with pytest.raises(MemoryError, match=f"no memory for {size} bytes"):
        zeroed(size)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_dropped_memory_is_given_back() -> None:
    """Also where what was allocated between stays."""
    before = _resident()
    dropped, kept = [], []
    for _ in range(64):
        dropped.append(zeroed(MB))
        dropped[-1].fill(1)
        kept.append(bytearray(1000))
    assert _resident() - before > 60 * MB
    dropped.clear()
    assert _resident() - before < 4 * MB


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
