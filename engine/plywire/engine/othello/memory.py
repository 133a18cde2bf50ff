"""The memory of Othello's searches: a *context* per thread, a *frame* per endgame node."""

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
    """The first of the four words of an `OthelloBoard`."""
    shares: Address
    weights: Address
    rays_both_ways: Address
    near: Address
    """The thread's near table; see `near_table.py`."""
    frames: Address
    edges: Address
    """The stable discs of every edge, from `endgame/stability.py`."""
    probcut: Address
    """The table of `midgame/probcut.py`."""
    killer_1: Word
    """The last move that refuted a position at depth 1, as a bit; `killer_2` is the one before."""
    killer_2: Word
    pruned_below: Word
    """Only nodes of smaller depth may be cut on suspicion; see `midgame/probcut.py`."""


#: The offsets of Othello's words, which follow the words that every search has.
OTHELLO = layout(_Othello, OWN_BYTES)


class _Child(NamedTuple):
    own: Word
    """The discs of the player to move in the child."""
    other: Word
    key: Word
    moves: Word
    queue: Address


# A frame stores each field of its children as a column, with a word for each child. The address of
# a child is the address of its word in the first column.
_COLUMN_BYTES = QUEUE_WORDS * 8
CHILD = layout(_Child, step=_COLUMN_BYTES)
FRAME = np.uint64(len(CHILD) * _COLUMN_BYTES)

FRAMES = 14


@inlined
def board_of(context: Address) -> OthelloBoard:
    """Return the board of a context."""
    return OthelloBoard(
        load64(context + OTHELLO.rays),
        load64(context + OTHELLO.shares),
        load64(context + OTHELLO.weights),
        load64(context + OTHELLO.rays_both_ways),
    )


class OthelloMemory(ThreadMemory):
    """The memory of one thread: a context, frames and a near table."""

    def __init__(
        self,
        table: TranspositionTable,
        salt: int,
        node_limit: int,
        board: OthelloBoard | None = None,
    ) -> None:
        """Without a board, the evaluation is the shipped one."""
        tables = lookups()
        super().__init__(table, salt, node_limit, LOOKUPS_START - OWN_BYTES + tables.nbytes)
        self._words[LOOKUPS_START // 8 :] = memoryview(tables)  # type: ignore[arg-type]
        self._near: NDArray[np.uint64] | None = None
        # The frames begin at a page, so a vector load never crosses two pages.
        self._frames = zeroed(FRAMES * int(FRAME))
        for offset, word in zip(OTHELLO, board or shipped_board(), strict=False):
            self.put(offset, int(word))
        self.put(OTHELLO.frames, self._frames.ctypes.data)
        self.put(OTHELLO.edges, ready_made("edges", np.uint8).ctypes.data)
        self.put(OTHELLO.probcut, ready_made("probcut", np.int16).ctypes.data)

    def provide_near(self) -> None:
        """Allocate the near table, which searches to the end of the game need."""
        if self._near is None:
            self._near = zeroed(NEAR_BUCKETS * BUCKET_BYTES)
            self.put(OTHELLO.near, self._near.ctypes.data)
