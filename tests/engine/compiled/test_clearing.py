"""Clearing memory."""

import numpy as np
import pytest

from plywire.engine.compiled.clearing import clear
from plywire.engine.compiled.memory import zeroed


@pytest.mark.parametrize("words", [0, 1, 7, 8, 9, 64, 1_003])
def test_all_that_is_asked_for_is_cleared_and_nothing_else(words: int) -> None:
    memory = zeroed(8 * (words + 16))
    memory.fill(7)
    clear(np.uint64(memory.ctypes.data), np.uint64(8 * words))
    assert not memory[:words].any()
    assert (memory[words:] == 7).all()
