"""Clearing large tables."""

from collections.abc import Mapping

import numpy as np

from .constants import NONE, WORD
from .intrinsics import store64, store_past_caches, u64x8
from .kernel import kernel
from .layout import Address, Word
from .native import load
from .program import UINT64, Entry, Program

_VECTOR = np.uint64(64)


@kernel
def clear_words(address: Address, size: Word) -> None:
    """Set `size` bytes to 0, a multiple of 8, from an address that is a multiple of 64.

    The stores go past the caches. A table that is written through them would push everything else
    out. The next search would wait for its code and its small tables, for longer than it takes to
    solve an easy position.
    """
    end = address + size
    while address + _VECTOR <= end:
        store_past_caches(address, u64x8(NONE))
        address += _VECTOR
    while address < end:
        store64(address, NONE)
        address += WORD


CLEARING = Program("clearing", "plywire.engine", "plywire.engine.compiled.clearing:entries")


def entries() -> Mapping[str, Entry]:
    """The kernels here that Python calls."""
    return {"clear_words": Entry(clear_words, UINT64, UINT64)}


def clear(address: int, size: int) -> None:
    """Do what `clear_words` does, from Python."""
    load(CLEARING).clear_words(address, size)
