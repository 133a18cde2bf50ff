"""Adding up bytes of a table, by both ways of processors to load them."""

from typing import Any

import numpy as np
import pytest

from plywire.engine.compiled import target
from plywire.engine.compiled.gather import BytesAdder
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.target import Target

OFFSETS = [0] * 5 + [70_000] * 20 + [3] * 7


@pytest.mark.parametrize("features", ["+avx512fp16", ""])
def test_bytes_of_either_sign_are_added_up_behind_their_offsets(
    features: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, "host", lambda: Target("", "", features))
    add_up = BytesAdder(OFFSETS)

    @kernel
    def total(table: Any, words: Any) -> Any:
        return add_up(table, words)

    chance = np.random.default_rng(1)
    size = max(OFFSETS) + (1 << 16)
    table = chance.integers(-128, 128, size + 3).astype(np.int8)
    for _ in range(50):
        words = chance.integers(0, 1 << 16, len(OFFSETS)).astype(np.uint16)
        expected = sum(
            int(table[offset + int(word)]) for offset, word in zip(OFFSETS, words, strict=True)
        )
        found = total(np.uint64(table.ctypes.data), np.uint64(words.ctypes.data))
        assert found == expected


def test_the_greatest_sums_do_not_overflow() -> None:
    add_up = BytesAdder([0] * 48)

    @kernel
    def total(table: Any, words: Any) -> Any:
        return add_up(table, words)

    words = np.zeros(48, np.uint16)
    for byte in (-128, 127):
        table = np.full(4, byte, np.int8)
        assert total(np.uint64(table.ctypes.data), np.uint64(words.ctypes.data)) == 48 * byte
