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
    """Set `size` bytes from `address` to 0; `size` is a multiple of 8, `address` a multiple of 64.

    The stores bypass the caches, which would otherwise lose the code and tables of the next search.
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
    """Return the kernels of this module that Python calls."""
    return {"clear_words": Entry(clear_words, UINT64, UINT64)}


def clear(address: int, size: int) -> None:
    """Call the kernel `clear_words`."""
    load(CLEARING).clear_words(address, size)
