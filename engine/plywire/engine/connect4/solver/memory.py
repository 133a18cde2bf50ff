"""The memory of a search: where its kernels find what, and the arrays behind it.

Kernels know memory by its address. A *context* is what all nodes of one thread's search share; a
*frame*, of which there is one for each ply, holds the children of one node.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.clearing import clear
from plywire.engine.compiled.memory import zeroed

from .history import HISTORY_WORDS
from .table import BUCKET_BYTES, NEAR_BUCKETS, SHARED_NEAR_BUCKETS

# Words of a context, as offsets in bytes.
STOP = np.uint64(0)  # address of a Stop's words
HALT = np.uint64(8)  # not 0 ends this thread's search
TABLE = np.uint64(16)  # address
MASK = np.uint64(24)  # the least power of two that is not less than its buckets, less one
NEAR = np.uint64(32)  # address of the near table, this thread's own
NODES = np.uint64(40)
NODE_LIMIT = np.uint64(48)
LOWER = np.uint64(56)  # what is proven about the root so far, as int64
UPPER = np.uint64(64)
BUSY = np.uint64(72)  # address of the keys that threads are searching
BUCKETS = np.uint64(80)  # in the table
NEXT_LOOK = np.uint64(88)  # the count of nodes at which to look at the limits again
FRAMES = np.uint64(96)  # address of the root's frame
BACK_TO = np.uint64(104)  # the frame of a node that another thread settled, 0 while there is none
HISTORY = np.uint64(112)  # address of the averages of `history.py`, this thread's own
_CONTEXT_WORDS = 16

# A frame is made of columns of 16 words, one for each child. A child is addressed by its word in
# the first column.
_COLUMN = np.uint64(16 * 8)
MOVER = np.uint64(0)  # the stones of who is to move in the child
OTHER = _COLUMN
PLY = np.uint64(2) * _COLUMN  # stones on the board
MOVES = np.uint64(3) * _COLUMN  # its moves that do not lose at once
THREATS = np.uint64(4) * _COLUMN  # squares that would complete a four of who is not to move
KEY = np.uint64(5) * _COLUMN
LOW = np.uint64(6) * _COLUMN  # its bounds, as int64
HIGH = np.uint64(7) * _COLUMN
ORDER = np.uint64(8) * _COLUMN  # ordering value
PROOF = np.uint64(9) * _COLUMN
QUEUE = np.uint64(10) * _COLUMN  # children left to search, best first
# The words of the last column tell of the node itself.
KILLER = np.uint64(11) * _COLUMN  # the move that ended the last early node of this depth
NODE_KEY = KILLER + np.uint64(8)  # its key and its window, only where several threads search
NODE_ALPHA = KILLER + np.uint64(16)
NODE_BETA = KILLER + np.uint64(24)
NODE_ANSWER = KILLER + np.uint64(32)  # the bound that settled it
FRAME = np.uint64(12) * _COLUMN

#: Positions that threads are known to be searching at one time.
BUSY_SLOTS = 1 << 12
#: The root's frame, and one for each of at most 63 stones.
_FRAMES = 65
_LEAST_MB = 0.5
_MB = 1 << 20
_SAMPLE = 2000


class SolverTable:
    """What all threads share: a transposition table, and which positions they are searching."""

    def __init__(self, megabytes: float) -> None:
        """Reserve the table, empty; the system provides its pages when they are first touched.

        Raises ValueError if that is less than half a MB or there is no memory for it.
        """
        if megabytes < _LEAST_MB:
            raise ValueError(f"a table takes at least {_LEAST_MB} MB, not {megabytes}")
        self.buckets = int(megabytes * _MB) // BUCKET_BYTES
        size = self.buckets * BUCKET_BYTES
        try:
            self._words = zeroed(size)
        except MemoryError:
            raise ValueError(f"there is no memory for a table of {megabytes} MB") from None
        self._busy: NDArray[np.uint64] = np.zeros(BUSY_SLOTS, np.uint64)
        self.address: int = self._words.ctypes.data
        self.busy: int = self._busy.ctypes.data

    def clear(self) -> None:
        """Forget everything."""
        clear(self.address, self.buckets * BUCKET_BYTES)

    def forget_busy(self) -> None:
        """Forget which positions were being searched: threads that are halted leave theirs."""
        self._busy.fill(0)

    def hashfull(self) -> int:
        """How full the table is, in thousandths, by a sample."""
        return int(np.count_nonzero(self._words[:_SAMPLE])) * 1000 // _SAMPLE


class Workspace:
    """What one thread searches with: a context, its frames and its near table."""

    def __init__(self, table: SolverTable, *, is_shared: bool) -> None:
        """Memory for one thread, which shares the table with others if `is_shared`."""
        near_buckets = SHARED_NEAR_BUCKETS if is_shared else NEAR_BUCKETS
        self._near = zeroed(near_buckets * BUCKET_BYTES)
        self._history: NDArray[np.int64] = np.zeros(HISTORY_WORDS, np.int64)
        frames = np.zeros(_FRAMES * int(FRAME) // 8, np.uint64)
        self._words: NDArray[np.uint64] = np.zeros(_CONTEXT_WORDS, np.uint64)
        signed: Any = self._words.view(np.int64)
        self._signed = memoryview(signed)  # quicker than an array to read one word of
        self._frames = frames
        self.context: int = self._words.ctypes.data
        self.frames: int = frames.ctypes.data
        self._put(TABLE, table.address)
        self._put(MASK, (1 << (table.buckets - 1).bit_length()) - 1)
        self._put(BUCKETS, table.buckets)
        self._put(NEAR, self._near.ctypes.data)
        self._put(BUSY, table.busy)
        self._put(FRAMES, self.frames)
        self._put(HISTORY, self._history.ctypes.data)

    def prepare(self, stop: int, nodes: int) -> None:
        """Make ready for a search that the `Stop` at an address ends, or that many nodes."""
        self._put(STOP, stop)
        self._put(HALT, 0)
        self._put(NODES, 0)
        self._put(NODE_LIMIT, nodes)
        self._put(NEXT_LOOK, 0)
        self._put(BACK_TO, 0)  # a search that was halted on its way back left it

    def halt(self) -> None:
        """End the search; callable from any thread."""
        self._put(HALT, 1)

    @property
    def nodes(self) -> int:
        """How many nodes the search visited."""
        return self._get(NODES)

    @property
    def bounds(self) -> tuple[int, int]:
        """What is proven about the root: its score is at least the one and at most the other."""
        return self._get(LOWER), self._get(UPPER)

    def clear(self) -> None:
        """Forget everything."""
        self._near.fill(0)
        self._frames.fill(0)  # they remember killer moves
        self._history.fill(0)

    def _put(self, offset: Any, value: int) -> None:
        self._signed[int(offset) >> 3] = value

    def _get(self, offset: Any) -> int:
        word: int = self._signed[int(offset) >> 3]
        return word
