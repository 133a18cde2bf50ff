"""The memory of one searching thread, and where in it things lie.

Kernels know it by its address and read and write it by offsets; passed through the recursion, a
single word costs less than arrays do.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from plywire.engine.compiled.constants import WORD
from plywire.engine.compiled.intrinsics import load64, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.memory import zeroed
from plywire.engine.moves import PASS

from .stop import Stop
from .table import TranspositionTable

#: No line of play is followed further than this: 64 squares, and a pass after each.
MAX_PLY = 128

_SQUARES = 64

# The head, a word each.
NODES = np.uint64(0)  # positions visited
NODE_LIMIT = np.uint64(8)  # how many may be visited
ABORTED = np.uint64(16)  # 1 once this thread has noticed that the search must end
STOP = np.uint64(24)  # the address of the Stop's words
TABLE = np.uint64(32)  # the address of the table
BUCKETS = np.uint64(40)  # how many buckets it has
AGE = np.uint64(48)  # the table's age
SALT = np.uint64(56)  # of the position keys
EXCLUDED = np.uint64(64)  # the set of squares that are no moves at the root
ROOT_MOVE = np.uint64(72)  # in: the move to try first, or NO_MOVE; out: the best so far
REMAINING = np.uint64(80)  # out: how many plies the game can last at most
NEXT_LOOK = np.uint64(88)  # the count of nodes at which to look at the limits again

# The arrays.
_KILLERS = 128  # two moves a ply that refuted their sibling positions
_HISTORY = _KILLERS + MAX_PLY * 2 * 8  # for each side and square, how well moves there did
_MOVES = _HISTORY + 2 * _SQUARES * 8  # for each ply, the moves still to try
_LENGTHS = _MOVES + MAX_PLY * _SQUARES * 8  # for each ply, the length of its principal variation
_LINES = _LENGTHS + (MAX_PLY + 1) * 8  # for each ply, its principal variation
_BYTES = _LINES + (MAX_PLY + 1) * MAX_PLY * 8

KILLERS = np.uint64(_KILLERS)
HISTORY = np.uint64(_HISTORY)
MOVES = np.uint64(_MOVES)
LENGTHS = np.uint64(_LENGTHS)
LINES = np.uint64(_LINES)


class ThreadMemory:
    """One thread's memory, for one search."""

    def __init__(self, table: TranspositionTable, salt: int, node_limit: int) -> None:
        """Memory of a thread that uses that table and visits that many nodes at most."""
        self._words = zeroed(_BYTES)
        self._table = table
        self.address: int = self._words.ctypes.data
        self._set(TABLE, table.address)
        self._set(BUCKETS, table.buckets)
        self._set(AGE, table.age)
        self._set(SALT, salt)
        self._set(NODE_LIMIT, node_limit)
        self.use_stop(Stop())

    def _get(self, offset: np.uint64) -> int:
        return int(self._words[int(offset) // 8])

    def _set(self, offset: np.uint64, value: int) -> None:
        self._words[int(offset) // 8] = value

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return self._get(NODES)

    @property
    def aborted(self) -> bool:
        """Whether the last search was cut short, so that its score means nothing."""
        return self._get(ABORTED) != 0

    @property
    def remaining(self) -> int:
        """How many plies, passes not counted, the game can last at most."""
        return self._get(REMAINING)

    @property
    def root_move(self) -> int:
        """The best root move so far; before a search, the one to try first."""
        return self._get(ROOT_MOVE)

    @root_move.setter
    def root_move(self, move: int) -> None:
        self._set(ROOT_MOVE, move)

    def use_stop(self, stop: Stop) -> None:
        """Let that token end the searches from now on; before the first, none does."""
        self._stop = stop
        self._set(STOP, stop.address)
        self._set(NEXT_LOOK, 0)

    def exclude(self, moves: Iterable[int]) -> None:
        """Leave these moves out at the root."""
        self._set(EXCLUDED, sum(1 << move for move in moves if move != PASS))

    def principal_variation(self) -> tuple[int, ...]:
        """The line found by the last search."""
        start = int(LINES) // 8
        return tuple(int(move) for move in self._words[start : start + self._get(LENGTHS)])


@kernel
def clear_line(memory: Any, ply: Any) -> Any:
    """Make the principal variation at a ply empty."""
    store64(memory + LENGTHS + np.uint64(ply) * WORD, np.uint64(0))


@kernel
def extend_line(memory: Any, ply: Any, move: Any) -> Any:
    """Make the principal variation at a ply that move and the next ply's line."""
    row = np.uint64(MAX_PLY) * WORD
    line = memory + LINES + np.uint64(ply) * row
    following = line + row
    length = memory + LENGTHS + np.uint64(ply) * WORD
    count = load64(length + WORD)
    store64(line, move)
    for index in range(np.int64(count)):
        place = np.uint64(index) * WORD
        store64(line + place + WORD, load64(following + place))
    store64(length, count + np.uint64(1))
