"""The memory of the solver's kernels: a *context* per thread, a *frame* per node."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.layout import Address, Ply, Score, Word, layout
from plywire.engine.compiled.memory import zeroed
from plywire.engine.search.context import CONTEXT, CONTEXT_BYTES, SearchContext
from plywire.engine.search.hash_table import HashTable

from .history import HISTORY_WORDS
from .table import BUCKET_BYTES, NEAR_BUCKETS, SHARED_NEAR_BUCKETS


class _Solver(NamedTuple):
    mask: Word
    """One less than the smallest power of two that is not below the number of buckets."""
    near: Address
    """The thread's near table; see `table.py`."""
    history: Address
    """The thread's averages; see `history.py`."""
    frames: Address
    """The frames; the first is the root's."""
    back_to: Address
    """The frame of a node that another thread has settled, 0 if there is none."""
    lower: Score
    """The bounds proven for the root so far."""
    upper: Score


#: The offsets of the solver's words, which follow the words that every search has.
SOLVER = layout(_Solver, CONTEXT_BYTES)

# A frame stores each field of its children as a column of 16 words, one for each child. The address
# of a child is the address of its word in the first column.
_COLUMN_BYTES = 16 * 8


class _Child(NamedTuple):
    mover: Word
    """The stones of the player to move in the child."""
    other: Word
    ply: Ply
    """The number of stones."""
    moves: Word
    """The moves that do not lose at once."""
    threats: Word
    """The squares that would complete a four of `other`."""
    key: Word
    low: Score
    high: Score
    order: Score
    proof: Word
    """The result of `follow_up` in `proofs.py`."""
    queue: Address
    """The children that are left to search, best first."""


CHILD = layout(_Child, step=_COLUMN_BYTES)


class _Node(NamedTuple):
    killer: Word
    """The move that ended the last node at this depth with many empty squares."""
    key: Word
    """The key and the window of the node, stored only if several threads search."""
    alpha: Score
    beta: Score
    answer: Score
    """The bound that settled the node."""


#: The offsets of a node's own words, which are in the last column of its frame.
NODE = layout(_Node, len(CHILD) * _COLUMN_BYTES)
FRAME = np.uint64((len(CHILD) + 1) * _COLUMN_BYTES)

#: The number of frames: one for the root, and one for each level below it. A board has at most 63
#: squares.
FRAMES = 65
_LEAST_MB = 0.5
_SAMPLE = 2000


class SolverTable(HashTable):
    """The transposition table of all threads."""

    def __init__(self, megabytes: float) -> None:
        """Raises ValueError if the table is smaller than half a MB or there is no memory for it."""
        if megabytes < _LEAST_MB:
            raise ValueError(f"a table takes at least {_LEAST_MB} MB, not {megabytes}")
        super().__init__(megabytes, BUCKET_BYTES)

    def hashfull(self) -> int:
        """Return how full the table is, in thousandths, from a sample."""
        return int(np.count_nonzero(self._words[:_SAMPLE])) * 1000 // _SAMPLE


class Workspace(SearchContext):
    """The memory of one thread: a context, frames, a near table and the history."""

    def __init__(self, table: SolverTable, *, is_shared: bool) -> None:
        super().__init__(CONTEXT_BYTES + 8 * len(SOLVER))
        near_buckets = SHARED_NEAR_BUCKETS if is_shared else NEAR_BUCKETS
        self._near = zeroed(near_buckets * BUCKET_BYTES)
        self._history: NDArray[np.int64] = np.zeros(HISTORY_WORDS, np.int64)
        self._frames = np.zeros(FRAMES * int(FRAME) // 8, np.uint64)
        self.frames: int = self._frames.ctypes.data
        self.put(CONTEXT.table, table.address)
        self.put(CONTEXT.buckets, table.buckets)
        self.put(CONTEXT.busy, table.busy)
        self.put(SOLVER.mask, (1 << (table.buckets - 1).bit_length()) - 1)
        self.put(SOLVER.near, self._near.ctypes.data)
        self.put(SOLVER.frames, self.frames)
        self.put(SOLVER.history, self._history.ctypes.data)

    def prepare(self, stop: int, nodes: int) -> None:
        super().prepare(stop, nodes)
        self.put(SOLVER.back_to, 0)  # a halted search may leave it set

    def halt(self) -> None:
        """End the search, from any thread."""
        self.put(CONTEXT.halt, 1)

    @property
    def bounds(self) -> tuple[int, int]:
        """The proven bounds of the root's score, lower and upper."""
        lower, upper = self.get(SOLVER.lower), self.get(SOLVER.upper)
        return lower - (lower >> 63 << 64), upper - (upper >> 63 << 64)

    def clear(self) -> None:
        self._near.fill(0)
        self._frames.fill(0)  # frames hold killer moves
        self._history.fill(0)
