"""The memory of a search: where its kernels find what, and the arrays behind it.

Kernels know memory by its address. A *context* is what all nodes of one thread's search share; a
*frame*, of which there is one for each number of empty squares, holds the children of one node.
"""

import contextlib
import mmap
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled import inlined, kernel
from plywire.engine.intrinsics import atomic_load64, load64, store64
from plywire.engine.othello.endgame.lookups import HEAD_BYTES, lookups
from plywire.engine.othello.endgame.stability import EDGES, edge_table
from plywire.engine.othello.endgame.table import BUCKET_BYTES, NEAR_BUCKETS
from plywire.engine.othello.kernels import OthelloBoard, board_for

# Words of a context, as offsets in bytes; EDGES is another.
STOP = np.uint64(8)  # address of a word that is not 0 once the search is to end
HALT = np.uint64(16)  # not 0 ends this thread's search
TABLE = np.uint64(24)  # address
MASK = np.uint64(32)  # buckets in the table, less one
NEAR = np.uint64(40)  # address of the near table, this thread's own
BUSY = np.uint64(48)  # address of the positions that threads are searching, 0 for one thread
NODES = np.uint64(56)
NODE_LIMIT = np.uint64(64)
LOWER = np.uint64(72)  # what is proven about the root so far, as int64
UPPER = np.uint64(80)
MOVE = np.uint64(88)  # a move that proves LOWER, or NO_MOVE
_BOARD = np.uint64(128)  # the words of an OthelloBoard

# A frame is made of columns of 40 words, one for each child: no position has more moves. A child
# is addressed by its word in the first column.
_COLUMN = np.uint64(40 * 8)
OWN = np.uint64(0)  # the discs of who is to move in the child
OTHER = _COLUMN
KEY = np.uint64(2) * _COLUMN
SQUARE = np.uint64(3) * _COLUMN  # where the move lands that leads to it
QUEUE = np.uint64(4) * _COLUMN  # children left to search, best first
FRAME = np.uint64(5) * _COLUMN

_FRAMES = 65
_MB = 1 << 20
BUSY_SLOTS = 1 << 12


@inlined
def board_of(context: Any) -> Any:
    """The board whose kernels a search calls."""
    words = context + _BOARD
    return OthelloBoard(load64(words), load64(words + np.uint64(8)), load64(words + np.uint64(16)))


@kernel
def is_stopped(context: Any) -> Any:
    """Whether the search is to end."""
    return atomic_load64(load64(context + STOP)) | atomic_load64(context + HALT) != np.uint64(0)


def _aligned(size: int) -> NDArray[np.uint64]:
    """Zeroed memory that begins on a page, which a vector load never straddles."""
    page = mmap.PAGESIZE
    memory = np.zeros((size + page) // 8, np.uint64)
    skipped = -memory.ctypes.data % page // 8
    return memory[skipped : skipped + size // 8]


@inlined
def count_node(context: Any) -> Any:
    """Count a node; returns how many there are by now."""
    nodes = load64(context + NODES) + np.uint64(1)
    store64(context + NODES, nodes)
    return nodes


class Table:
    """What all threads share: a transposition table, the largest power of two of bytes that fits.

    Also the list of positions that they are searching.
    """

    def __init__(self, megabytes: int) -> None:
        """Reserve the table, empty; the system provides its pages when they are first touched.

        Raises ValueError if that is less than 1 MB or there is no memory for it.
        """
        if megabytes < 1:
            raise ValueError(f"a table takes at least 1 MB, not {megabytes}")
        size = 1 << (megabytes * _MB).bit_length() - 1
        try:
            memory = mmap.mmap(-1, size)
        except (OSError, OverflowError):
            raise ValueError(f"there is no memory for a table of {megabytes} MB") from None
        if hasattr(mmap, "MADV_HUGEPAGE"):
            with contextlib.suppress(OSError):  # a system built without huge pages
                memory.madvise(mmap.MADV_HUGEPAGE)
        self._words: NDArray[np.uint64] = np.frombuffer(memory, np.uint64)
        self._busy = _aligned(BUSY_SLOTS * 8)
        self.address: int = self._words.ctypes.data
        self.busy: int = self._busy.ctypes.data
        self.buckets = size // BUCKET_BYTES

    def clear(self) -> None:
        """Forget everything."""
        self._words.fill(0)

    def forget_busy(self) -> None:
        """Forget which positions were being searched: threads that are halted leave theirs."""
        self._busy.fill(0)

    def hashfull(self) -> int:
        """How full the table is, in thousandths, by a sample."""
        return int(np.count_nonzero(self._words[1:2000:2]))


class Workspace:
    """What one thread searches with: a context, its frames and its near table."""

    def __init__(self, table: Table, *, is_shared: bool) -> None:
        """Memory for one thread; `is_shared` if others use the table at the same time."""
        self._near = _aligned(NEAR_BUCKETS * BUCKET_BYTES)
        self._frames = _aligned(_FRAMES * int(FRAME))
        tables = lookups()
        self._words = _aligned(HEAD_BYTES + tables.nbytes)
        self._words[HEAD_BYTES // 8 :] = tables
        signed: Any = self._words.view(np.int64)
        self._signed: Any = memoryview(signed)
        self._edges = edge_table()
        self.context: int = self._words.ctypes.data
        self.frames: int = self._frames.ctypes.data
        self._put(TABLE, [table.address])
        self._put(MASK, [table.buckets - 1])
        self._put(NEAR, [self._near.ctypes.data])
        self._put(BUSY, [table.busy if is_shared else 0])
        self._put(EDGES, [self._edges.ctypes.data])
        self._put(_BOARD, list(map(int, board_for(8, 8))))

    def prepare(self, stop: int, nodes: int) -> None:
        """Make ready for a search that the word at an address ends, or that many nodes."""
        self._put(STOP, [stop])
        self._put(HALT, [0])
        self._put(NODES, [0])
        self._put(NODE_LIMIT, [nodes])

    def halt(self) -> None:
        """End the search; callable from any thread."""
        self._put(HALT, [1])

    @property
    def nodes(self) -> int:
        """How many nodes the search visited."""
        return self._get(NODES)

    @property
    def bounds(self) -> tuple[int, int]:
        """What is proven about the root: its score is at least the one and at most the other."""
        return self._get(LOWER), self._get(UPPER)

    @property
    def move(self) -> int:
        """A move at the root that proves the lower bound, NO_MOVE if none is known."""
        return self._get(MOVE)

    def clear(self) -> None:
        """Forget everything."""
        self._near.fill(0)

    def _put(self, offset: Any, values: Sequence[int]) -> None:
        for index, value in enumerate(values, int(offset) >> 3):
            self._signed[index] = value

    def _get(self, offset: Any) -> int:
        word: int = self._signed[int(offset) >> 3]
        return word
