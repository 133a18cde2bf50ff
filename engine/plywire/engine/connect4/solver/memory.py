"""The memory of the solver: what its kernels find where.

A *context* is what all nodes of one thread's search share. A *frame*, of which there is one for
each ply, holds the children of one node.
"""

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
    """The least power of two that is not less than the table's buckets, less one."""
    near: Address
    """The near table, this thread's own."""
    history: Address
    """The averages of `history.py`, this thread's own."""
    frames: Address
    """The root's frame."""
    back_to: Address
    """The frame of a node that another thread settled, 0 while there is none."""
    lower: Score
    """What is proven about the root so far."""
    upper: Score


#: Words of a context behind those of every search.
SOLVER = layout(_Solver, CONTEXT_BYTES)

# A frame is made of columns of 16 words, one for each child. A child is addressed by its word in
# the first column.
_COLUMN_BYTES = 16 * 8


class _Child(NamedTuple):
    mover: Word
    """The stones of who is to move in the child."""
    other: Word
    ply: Ply
    """Stones on the board."""
    moves: Word
    """Moves that do not lose at once."""
    threats: Word
    """Squares that would complete a four of who is not to move."""
    key: Word
    low: Score
    high: Score
    order: Score
    """Ordering value."""
    proof: Word
    """What follow-up play proves."""
    queue: Address
    """The column of the children left to search, best first."""


CHILD = layout(_Child, step=_COLUMN_BYTES)


class _Node(NamedTuple):
    killer: Word
    """The move that ended the last early node of this depth."""
    key: Word
    """The node's key, and its window; noted only where several threads search."""
    alpha: Score
    beta: Score
    answer: Score
    """The bound that settled the node."""


#: The words of a frame's last column tell of the node itself.
NODE = layout(_Node, len(CHILD) * _COLUMN_BYTES)
FRAME = np.uint64((len(CHILD) + 1) * _COLUMN_BYTES)

#: The root's frame, and one for each of at most 63 stones.
_FRAMES = 65
_LEAST_MB = 0.5
_SAMPLE = 2000


class SolverTable(HashTable):
    """The transposition table that all threads share."""

    def __init__(self, megabytes: float) -> None:
        """Reserve an empty table.

        Raises ValueError if that is less than half a MB or there is no memory for it.
        """
        if megabytes < _LEAST_MB:
            raise ValueError(f"a table takes at least {_LEAST_MB} MB, not {megabytes}")
        super().__init__(megabytes, BUCKET_BYTES)

    def hashfull(self) -> int:
        """How full the table is, in thousandths, by a sample."""
        return int(np.count_nonzero(self._words[:_SAMPLE])) * 1000 // _SAMPLE


class Workspace(SearchContext):
    """What one thread searches with: a context, its frames and its near table."""

    def __init__(self, table: SolverTable, *, is_shared: bool) -> None:
        """Memory for one thread, which shares the table with others if `is_shared`."""
        super().__init__(CONTEXT_BYTES + 8 * len(SOLVER))
        near_buckets = SHARED_NEAR_BUCKETS if is_shared else NEAR_BUCKETS
        self._near = zeroed(near_buckets * BUCKET_BYTES)
        self._history: NDArray[np.int64] = np.zeros(HISTORY_WORDS, np.int64)
        self._frames = np.zeros(_FRAMES * int(FRAME) // 8, np.uint64)
        self.frames: int = self._frames.ctypes.data
        self.put(CONTEXT.table, table.address)
        self.put(CONTEXT.buckets, table.buckets)
        self.put(CONTEXT.busy, table.busy)
        self.put(SOLVER.mask, (1 << (table.buckets - 1).bit_length()) - 1)
        self.put(SOLVER.near, self._near.ctypes.data)
        self.put(SOLVER.frames, self.frames)
        self.put(SOLVER.history, self._history.ctypes.data)

    def prepare(self, stop: int, nodes: int) -> None:
        """Make ready for a search that the `Stop` at an address ends, or that many nodes."""
        super().prepare(stop, nodes)
        self.put(SOLVER.back_to, 0)  # a search that was halted on its way back left it

    def halt(self) -> None:
        """End the search; callable from any thread."""
        self.put(CONTEXT.halt, 1)

    @property
    def bounds(self) -> tuple[int, int]:
        """What is proven about the root: its score is at least the one and at most the other."""
        lower, upper = self.get(SOLVER.lower), self.get(SOLVER.upper)
        return lower - (lower >> 63 << 64), upper - (upper >> 63 << 64)

    def clear(self) -> None:
        """Forget everything."""
        self._near.fill(0)
        self._frames.fill(0)  # they remember killer moves
        self._history.fill(0)
