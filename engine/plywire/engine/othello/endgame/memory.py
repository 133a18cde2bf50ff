"""The memory of a search: where its kernels find what, and the arrays behind it.

Kernels know memory by its address. A *context* is what all nodes of one thread's search share; a
*frame*, of which there is one for each number of empty squares, holds the children of one node.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.intrinsics import atomic_load64, atomic_store64, load64, store64
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.memory import zeroed
from plywire.engine.othello.child_queue import QUEUE_WORDS
from plywire.engine.othello.kernels import OthelloBoard, shipped_board
from plywire.engine.search import watch
from plywire.engine.search.table import TranspositionTable

from .lookups import HEAD_BYTES, lookups
from .stability import EDGES, edge_table
from .table import BUCKET_BYTES, NEAR_BUCKETS

# Words of a context, as offsets in bytes; EDGES is another.
STOP = np.uint64(8)  # address of a Stop's words
HALT = np.uint64(16)  # not 0 once there are no nodes left
NODES = np.uint64(24)
NODE_LIMIT = np.uint64(32)
NEAR = np.uint64(40)  # address of the table of the last squares
FRAMES = np.uint64(48)  # address of the frames
# Of the search above the last squares:
TABLE = np.uint64(56)  # address of its table
BUCKETS = np.uint64(64)  # buckets in it
AGE = np.uint64(72)  # its age
SALT = np.uint64(80)  # of the keys in it
BUSY = np.uint64(88)  # address of the positions that threads are searching
PROBCUT = np.uint64(96)  # address of what `midgame/probcut.py` looks up
NEXT_LOOK = np.uint64(104)  # the count of nodes at which to look at the limits again
KILLERS = np.uint64(112)  # two words: the squares that last refuted a position at depth 1
PRUNED_BELOW = np.uint64(128)  # at depths below this, nodes may be pruned on suspicion
_BOARD = np.uint64(136)  # the words of an OthelloBoard

# A frame is made of columns with a word for each child. A child is addressed by its word in the
# first column.
_COLUMN = np.uint64(QUEUE_WORDS * 8)
OWN = np.uint64(0)  # the discs of who is to move in the child
OTHER = _COLUMN
KEY = np.uint64(2) * _COLUMN
MOVES = np.uint64(3) * _COLUMN  # the moves in it
QUEUE = np.uint64(4) * _COLUMN  # children left to search
FRAME = np.uint64(5) * _COLUMN

_FRAMES = 14


@inlined
def board_of(context: Any) -> Any:
    """The board whose kernels a search calls."""
    words = context + _BOARD
    return OthelloBoard(
        load64(words),
        load64(words + np.uint64(8)),
        load64(words + np.uint64(16)),
        load64(words + np.uint64(24)),
    )


@kernel
def is_stopped(context: Any) -> Any:
    """Whether the search is to end."""
    return atomic_load64(load64(context + STOP)) | atomic_load64(context + HALT) != np.uint64(0)


@kernel
def must_end(context: Any, nodes: Any) -> Any:
    """Whether the search is to end with that many nodes, for want of nodes or of time."""
    next_look = context + NEXT_LOOK
    if nodes >= load64(next_look) and watch.must_end(
        nodes, load64(context + NODE_LIMIT), next_look, load64(context + STOP)
    ):
        atomic_store64(context + HALT, np.uint64(1))
        return True
    return False


@inlined
def count_node(context: Any) -> Any:
    """Count a node; returns how many there are by now."""
    nodes = load64(context + NODES) + np.uint64(1)
    store64(context + NODES, nodes)
    return nodes


class Workspace:
    """What one thread searches with: a context, its frames and its table of the last squares."""

    def __init__(self, board: OthelloBoard | None = None) -> None:
        """Memory for one thread; without a board, its evaluation is the one of the package."""
        self._near: NDArray[np.uint64] | None = None
        # Aligned to pages, which a vector load never straddles.
        self._frames = zeroed(_FRAMES * int(FRAME))
        tables = lookups()
        self._words = zeroed(HEAD_BYTES + tables.nbytes)
        self._words[HEAD_BYTES // 8 :] = tables
        signed: Any = self._words.view(np.int64)
        self._signed: Any = memoryview(signed)
        self._edges = edge_table()
        self.context: int = self._words.ctypes.data
        self._put(FRAMES, [self._frames.ctypes.data])
        self._put(EDGES, [self._edges.ctypes.data])
        self._put(_BOARD, list(map(int, board or shipped_board())))

    def join(self, table: TranspositionTable, salt: int, probcut: NDArray[np.int16]) -> None:
        """Search with a table that others may use at the same time, its keys salted."""
        self._probcut = probcut
        self._put(TABLE, [table.address, table.buckets, table.age])
        self._put(SALT, [salt - (salt >> 63 << 64), table.busy])
        self._put(PROBCUT, [probcut.ctypes.data])

    def provide_near(self) -> None:
        """Have the table of the last squares, without which no search reaches the end."""
        if self._near is None:
            self._near = zeroed(NEAR_BUCKETS * BUCKET_BYTES)
            self._put(NEAR, [self._near.ctypes.data])

    def prepare(self, stop: int, nodes: int) -> None:
        """Make ready for a search that the `Stop` at an address ends, or that many nodes."""
        self.use_stop(stop)
        self._put(HALT, [0])
        self._put(NODES, [0])
        self._put(NODE_LIMIT, [nodes])

    def use_stop(self, stop: int) -> None:
        """Let the `Stop` at an address end the search from now on."""
        self._put(STOP, [stop])
        self._put(NEXT_LOOK, [0])

    @property
    def nodes(self) -> int:
        """How many nodes the search visited."""
        return self._get(NODES)

    @property
    def is_halted(self) -> bool:
        """Whether the search ended for want of nodes."""
        return self._get(HALT) != 0

    def _put(self, offset: Any, values: Sequence[int]) -> None:
        for index, value in enumerate(values, int(offset) >> 3):
            self._signed[index] = value

    def _get(self, offset: Any) -> int:
        word: int = self._signed[int(offset) >> 3]
        return word
