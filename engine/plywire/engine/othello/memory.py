"""The memory of Othello's search: what its kernels find where.

A *context* is what all nodes of one thread's search share. A *frame*, of which there is one for
each number of empty squares, holds the children of one node of an endgame.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.intrinsics import load64
from plywire.engine.compiled.kernel import inlined
from plywire.engine.compiled.layout import Address, Word, layout
from plywire.engine.compiled.memory import zeroed
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.thread_memory import OWN_BYTES, ThreadMemory

from .child_queue import QUEUE_WORDS
from .kernels import OthelloBoard, shipped_board
from .lookups import LOOKUPS_START, lookups
from .near_table import BUCKET_BYTES, NEAR_BUCKETS
from .ready_made import ready_made


class _Othello(NamedTuple):
    rays: Address
    """This word and the next three are those of an `OthelloBoard`."""
    shares: Address
    weights: Address
    rays_both_ways: Address
    near: Address
    """The table of the last squares, this thread's own."""
    frames: Address
    edges: Address
    """The stable discs of every edge; `endgame/stability.py` computes them."""
    probcut: Address
    """The table that `midgame/probcut.py` describes."""
    killer_1: Word
    """The square that last refuted a position at depth 1, and the one before it."""
    killer_2: Word
    pruned_below: Word
    """At depths below this, nodes may be pruned on suspicion."""


#: Words of a context behind those of every search; the small tables follow.
OTHELLO = layout(_Othello, OWN_BYTES)


class _Child(NamedTuple):
    own: Word
    """The discs of who is to move in the child."""
    other: Word
    key: Word
    moves: Word
    queue: Address
    """The column of the children left to search."""


# A frame is made of columns with a word for each child. A child is addressed by its word in the
# first column.
_COLUMN_BYTES = QUEUE_WORDS * 8
CHILD = layout(_Child, step=_COLUMN_BYTES)
FRAME = np.uint64(len(CHILD) * _COLUMN_BYTES)

_FRAMES = 14


@inlined
def board_of(context: Address) -> OthelloBoard:
    """The board whose kernels a search calls."""
    return OthelloBoard(
        load64(context + OTHELLO.rays),
        load64(context + OTHELLO.shares),
        load64(context + OTHELLO.weights),
        load64(context + OTHELLO.rays_both_ways),
    )


class OthelloMemory(ThreadMemory):
    """What one thread searches with: a context, its frames and its table of the last squares."""

    def __init__(
        self,
        table: TranspositionTable,
        salt: int,
        node_limit: int,
        board: OthelloBoard | None = None,
    ) -> None:
        """Memory for one thread; without a board, its evaluation is the one of the package."""
        tables = lookups()
        super().__init__(table, salt, node_limit, LOOKUPS_START - OWN_BYTES + tables.nbytes)
        self._words[LOOKUPS_START // 8 :] = memoryview(tables)  # type: ignore[arg-type]
        self._near: NDArray[np.uint64] | None = None
        # Aligned to pages, which a vector load never straddles.
        self._frames = zeroed(_FRAMES * int(FRAME))
        for offset, word in zip(OTHELLO, board or shipped_board(), strict=False):
            self.put(offset, int(word))
        self.put(OTHELLO.frames, self._frames.ctypes.data)
        self.put(OTHELLO.edges, ready_made("edges", np.uint8).ctypes.data)
        self.put(OTHELLO.probcut, ready_made("probcut", np.int16).ctypes.data)

    def provide_near(self) -> None:
        """Have the table of the last squares, without which no search reaches the end."""
        if self._near is None:
            self._near = zeroed(NEAR_BUCKETS * BUCKET_BYTES)
            self.put(OTHELLO.near, self._near.ctypes.data)
