"""Counting the tree of games: the usual check of a game's rules, and of their speed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE

from .compiled.contract import ONGOING, legal, outcome, play
from .compiled.intrinsics import popcount
from .compiled.kernel import kernel
from .game import Position
from .registry import backend_of

# A tree is counted in parts: those below the positions this many plies on, unless few plies remain.
_SPLIT_PLIES = 4
_PART_PLIES = 6


@dataclass(frozen=True, slots=True)
class Count:
    """What a tree holds; counts add up."""

    leaves: int = 0
    """Positions at the depth, whether the game is over there or not; a pass is a ply."""
    finished: int = 0
    """Games that ended before they got there."""

    @property
    def together(self) -> int:
        """The leaves and the games finished earlier."""
        return self.leaves + self.finished

    def __add__(self, more: Count) -> Count:
        """The sum of two trees."""
        return Count(self.leaves + more.leaves, self.finished + more.finished)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a tree: what lies below one position."""

    root_move: int | None
    """The move from the root by which the part is reached, None for a tree that is not split."""
    position: Position
    depth: int
    """Plies left."""

    def count(self) -> Count:
        """Count this part, with the GIL released; safe to call from any thread."""
        own, other = self.position.words()
        backend = backend_of(self.position.game)
        counting = backend.perft_kernel() or count
        counts = counting(backend.board(), np.uint64(own), np.uint64(other), np.int64(self.depth))
        return Count(*map(int, counts))


def split(position: Position, depth: int) -> list[Part]:
    """The parts that make up a position's tree, in the order of the moves; their counts add up."""
    return list(_split(None, position, depth, min(_SPLIT_PLIES, max(depth - _PART_PLIES, 1))))


def _split(root_move: int | None, position: Position, depth: int, plies: int) -> Iterator[Part]:
    if plies == 0 or depth == 0 or position.is_over:
        yield Part(root_move, position, depth)
        return
    for move in position.moves():
        branch = move if root_move is None else root_move
        yield from _split(branch, position.play(move), depth - 1, plies - 1)


@kernel
def count(board: Any, own: Any, other: Any, depth: Any):  # type: ignore[no-untyped-def]
    """The leaves of the tree and the games finished earlier, as a pair, see `Count`.

    The last ply is counted, not played.
    """
    if depth == 0:
        return ONE, NONE
    if outcome(board, own, other) != ONGOING:
        return NONE, ONE
    moves = legal(board, own, other)
    if depth == 1:
        return max(popcount(moves), ONE), NONE
    if moves == NONE:
        next_own, next_other = play(board, own, other, NONE)
        return count(board, next_own, next_other, depth - 1)
    leaves = finished = NONE
    while moves != NONE:
        move = moves & (NONE - moves)
        moves ^= move
        next_own, next_other = play(board, own, other, move)
        below = count(board, next_own, next_other, depth - 1)
        leaves += below[0]
        finished += below[1]
    return leaves, finished
