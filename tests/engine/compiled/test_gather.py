"""Adding up bytes of a table, by both ways of processors to load them."""

import numpy as np
import pytest

from tests.kernels import GATHER
from tests.kernels.gather import AT_ONE_PLACE, OFFSETS
from tests.support.kernels import Kernels


@pytest.mark.parametrize("is_quick", [True, False])
def test_bytes_of_either_sign_are_added_up_behind_their_offsets(is_quick: bool) -> None:
    total = Kernels(GATHER, {"has_quick_gather": is_quick}).total
    chance = np.random.default_rng(1)
    size = max(OFFSETS) + (1 << 16)
    table = chance.integers(-128, 128, size + 3).astype(np.int8)
    for _ in range(50):
        words = chance.integers(0, 1 << 16, len(OFFSETS)).astype(np.uint16)
        expected = sum(
            int(table[offset + int(word)]) for offset, word in zip(OFFSETS, words, strict=True)
        )
        assert total(table.ctypes.data, words.ctypes.data) == expected


@pytest.mark.parametrize("is_quick", [True, False])
def test_the_greatest_sums_do_not_overflow(is_quick: bool) -> None:
    total = Kernels(GATHER, {"has_quick_gather": is_quick}).total_at_one_place
    words = np.zeros(AT_ONE_PLACE, np.uint16)
    for byte in (-128, 127):
        table = np.full(4, byte, np.int8)
        assert total(table.ctypes.data, words.ctypes.data) == AT_ONE_PLACE * byte
