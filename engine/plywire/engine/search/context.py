"""The context: the memory of one thread's search, which kernels know by its address.

A thread checks its limits only when its count of nodes reaches `next_look`, because reading the
clock takes nanoseconds.
"""

from typing import NamedTuple

import numpy as np

from plywire.engine.compiled.constants import ALL, NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import (
    atomic_load64,
    atomic_store64,
    clock_ticks,
    load64,
    store64,
)
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Flag, Word, layout
from plywire.engine.compiled.memory import zeroed

from .hash_table import BUSY_SLOTS


class _Context(NamedTuple):
    stop: Address
    """The address of a `Stop`'s words."""
    halt: Word
    """Not 0 if only this thread's search must end."""
    nodes: Word
    node_limit: Word
    next_look: Word
    """The node count at the next check of the limits."""
    table: Address
    buckets: Word
    busy: Address
    """The keys of the positions that threads are searching."""


CONTEXT = layout(_Context)
CONTEXT_BYTES = 8 * len(CONTEXT)

#: Number of nodes between two checks of the limits. They take a few dozen microseconds.
_INTERVAL = np.uint64(256)


@kernel
def is_stopped(context: Address) -> Flag:
    """Return whether the search must end."""
    stop = atomic_load64(load64(context + CONTEXT.stop))
    return stop | atomic_load64(context + CONTEXT.halt) != NONE


@inlined
def must_end(context: Address, nodes: Word) -> Flag:
    """Return whether nodes or time have run out; if so, end the search."""
    return nodes >= load64(context + CONTEXT.next_look) and _is_over(context, nodes)


@kernel
def _is_over(context: Address, nodes: Word) -> Flag:
    limit = load64(context + CONTEXT.node_limit)
    if nodes < limit:
        stop = load64(context + CONTEXT.stop)
        deadline = load64(stop + WORD)
        if deadline == ALL or clock_ticks(load64(stop + WORD + WORD)) < deadline:
            store64(context + CONTEXT.next_look, min(limit, nodes + _INTERVAL))
            return False
        atomic_store64(stop, ONE)  # ends all searches that share this `Stop`
    atomic_store64(context + CONTEXT.halt, ONE)
    return True


@inlined
def count_nodes(context: Address, more: Word) -> Word:
    """Add to the count of nodes; return the new count."""
    nodes = load64(context + CONTEXT.nodes) + more
    store64(context + CONTEXT.nodes, nodes)
    return nodes


@kernel
def busy_slot(context: Address, key: Word) -> Address:
    """Return the address of the word that marks a position as being searched."""
    return load64(context + CONTEXT.busy) + (key & np.uint64(BUSY_SLOTS - 1)) * WORD


class SearchContext:
    """The context of one thread, for Python."""

    def __init__(self, size: int) -> None:
        words = zeroed(size)
        self.address: int = words.ctypes.data
        self._words: memoryview[int] = memoryview(words)  # type: ignore[arg-type]
        """A memoryview, because Python reads a word faster from it than from an array."""

    def prepare(self, stop: int, nodes: int) -> None:
        """Prepare a search that ends by the `Stop` at an address or after some nodes."""
        self.put(CONTEXT.stop, stop)
        self.put(CONTEXT.halt, 0)
        self.put(CONTEXT.nodes, 0)
        self.put(CONTEXT.node_limit, nodes)
        self.put(CONTEXT.next_look, 0)

    @property
    def nodes(self) -> int:
        return self.get(CONTEXT.nodes)

    def get(self, offset: Word) -> int:
        """Return the word at an offset in bytes."""
        return self._words[int(offset) >> 3]

    def put(self, offset: Word, word: int) -> None:
        self._words[int(offset) >> 3] = word
