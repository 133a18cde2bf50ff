"""The memory of one thread's search, which kernels know by its address.

A context begins with the words of `CONTEXT`. Searches add words of their own behind them.

Kernels notice by these words that they must end. Each thread counts its nodes and compares the
count with one word: how far it may go until it looks at its limits again. Looking takes a call of a
C function, a matter of nanoseconds, and is done every few hundred nodes.
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
    """A `Stop`'s words."""
    halt: Word
    """Not 0 ends the search of this thread alone."""
    nodes: Word
    """Positions visited."""
    node_limit: Word
    next_look: Word
    """The count of nodes at which to look at the limits again."""
    table: Address
    buckets: Word
    """In the table."""
    busy: Address
    """The keys of the positions that threads are searching."""


CONTEXT = layout(_Context)
CONTEXT_BYTES = 8 * len(CONTEXT)

#: Nodes from one look at the limits to the next: a few dozen microseconds.
_INTERVAL = np.uint64(256)


@kernel
def is_stopped(context: Address) -> Flag:
    """Whether the search is to end."""
    stop = atomic_load64(load64(context + CONTEXT.stop))
    return stop | atomic_load64(context + CONTEXT.halt) != NONE


@inlined
def must_end(context: Address, nodes: Word) -> Flag:
    """Whether no nodes are left after that many, or no time; then the search is told to end.

    If time is up, all threads that share the stop are told.
    """
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
        atomic_store64(stop, ONE)
    atomic_store64(context + CONTEXT.halt, ONE)
    return True


@inlined
def count_nodes(context: Address, more: Word) -> Word:
    """Count that many nodes; returns how many there are by now."""
    nodes = load64(context + CONTEXT.nodes) + more
    store64(context + CONTEXT.nodes, nodes)
    return nodes


@kernel
def busy_slot(context: Address, key: Word) -> Address:
    """The address of the word in which a thread notes that it searches a position."""
    return load64(context + CONTEXT.busy) + (key & np.uint64(BUSY_SLOTS - 1)) * WORD


class SearchContext:
    """The words of a context, for Python."""

    def __init__(self, size: int) -> None:
        """Take `size` bytes, all 0."""
        words = zeroed(size)
        self.address: int = words.ctypes.data
        self._words: memoryview[int] = memoryview(words)  # type: ignore[arg-type]
        """Python reads one word of a memoryview sooner than one of an array."""

    def prepare(self, stop: int, nodes: int) -> None:
        """Make ready for a search that the `Stop` at an address ends, or that many nodes."""
        self.put(CONTEXT.stop, stop)
        self.put(CONTEXT.halt, 0)
        self.put(CONTEXT.nodes, 0)
        self.put(CONTEXT.node_limit, nodes)
        self.put(CONTEXT.next_look, 0)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return self.get(CONTEXT.nodes)

    def get(self, offset: Word) -> int:
        """The word at an offset in bytes."""
        return self._words[int(offset) >> 3]

    def put(self, offset: Word, word: int) -> None:
        """Write a word to an offset."""
        self._words[int(offset) >> 3] = word
