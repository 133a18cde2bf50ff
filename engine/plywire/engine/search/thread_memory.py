"""The memory of a thread for iterative deepening: a context, the root and principal variations."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import load64, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Ply, Word, layout
from plywire.engine.moves import PASS

from .context import CONTEXT, CONTEXT_BYTES, SearchContext
from .stop import Stop
from .table import NO_MOVE, TranspositionTable

#: Maximum number of plies in a line: 64 squares, and a pass after each.
MAX_PLY = 128


class _Root(NamedTuple):
    age: Word
    salt: Word
    excluded: Word
    """The squares of the moves that the search leaves out at the root."""
    move: Word
    """Before the search, the move to try first or NO_MOVE; then the best move so far."""


ROOT = layout(_Root, CONTEXT_BYTES)

_LENGTHS_START = CONTEXT_BYTES + 8 * len(ROOT)
_LINES_START = _LENGTHS_START + 8 * (MAX_PLY + 1)
#: The offsets of two arrays, in bytes: for each ply, the length and the moves of its principal
#: variation.
LENGTHS, LINES = np.uint64(_LENGTHS_START), np.uint64(_LINES_START)
#: The offset of a search's own arrays, in bytes. They begin at a cache line.
OWN_BYTES = -(-(_LINES_START + 8 * (MAX_PLY + 1) * MAX_PLY) // 64) * 64


class ThreadMemory(SearchContext):
    """The memory of one thread for the searches of one position."""

    def __init__(
        self, table: TranspositionTable, salt: int, node_limit: int, own_bytes: int
    ) -> None:
        super().__init__(OWN_BYTES + own_bytes)
        self._table = table
        self._stop = Stop()
        self.prepare(self._stop.address, node_limit)
        self.put(CONTEXT.table, table.address)
        self.put(CONTEXT.buckets, table.buckets)
        self.put(CONTEXT.busy, table.busy)
        self.put(ROOT.age, table.age)
        self.put(ROOT.salt, salt)

    @property
    def aborted(self) -> bool:
        return self.get(CONTEXT.halt) != 0 or self._stop.is_set

    @property
    def root_move(self) -> int | None:
        move = self.get(ROOT.move)
        return None if move == NO_MOVE else move

    @root_move.setter
    def root_move(self, move: int | None) -> None:
        self.put(ROOT.move, int(NO_MOVE) if move is None else move)

    def use_stop(self, stop: Stop) -> None:
        self._stop = stop
        self.put(CONTEXT.stop, stop.address)
        self.put(CONTEXT.next_look, 0)

    def exclude(self, moves: Iterable[int]) -> None:
        self.put(ROOT.excluded, sum(1 << move for move in moves if move != PASS))

    def principal_variation(self) -> tuple[int, ...]:
        start = _LINES_START // 8
        line = tuple(self._words[start : start + self.get(LENGTHS)])
        return line or (self.get(ROOT.move),)


@kernel
def clear_line(memory: Address, ply: Ply) -> None:
    """Empty the principal variation of a ply."""
    store64(memory + LENGTHS + np.uint64(ply) * WORD, NONE)


@kernel
def extend_line(memory: Address, ply: Ply, move: Word) -> None:
    """Set the principal variation of a ply to `move` and the line of the next ply."""
    row = np.uint64(MAX_PLY) * WORD
    line = memory + LINES + np.uint64(ply) * row
    following = line + row
    length = memory + LENGTHS + np.uint64(ply) * WORD
    count = load64(length + WORD)
    store64(line, move)
    for index in range(np.int64(count)):
        place = np.uint64(index) * WORD
        store64(line + place + WORD, load64(following + place))
    store64(length, count + ONE)
