"""Counts the tree of a game: the usual check of rules, and of their speed."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

from .compiled.native import load
from .game import Position
from .registry import backend_of

#: A tree is split into parts at most this many plies from the root.
_SPLIT_PLIES = 4
#: The split is nearer to the root if the parts would have fewer plies than this.
_PART_PLIES = 6


@dataclass(frozen=True, slots=True)
class Count:
    """The counts of a tree; counts can be added."""

    leaves: int = 0
    """Positions at the depth, also if the game is over there; a pass is a ply."""
    finished: int = 0
    """Games that ended before the depth."""

    @property
    def together(self) -> int:
        return self.leaves + self.finished

    def __add__(self, more: Count) -> Count:
        return Count(self.leaves + more.leaves, self.finished + more.finished)


@dataclass(frozen=True, slots=True)
class Subtree:
    """The part of a tree below one position."""

    root_move: int | None
    """The move from the root that leads to the part, None for a tree that is not split."""
    position: Position
    depth: int

    def count(self) -> Count:
        """Count this part, with the GIL released; safe to call from any thread."""
        own, other = self.position.words()
        backend = backend_of(self.position.game)
        counts = (ctypes.c_uint64 * 2)()
        count_into = load(backend.perft_program()).count_into
        count_into(*map(int, backend.board()), own, other, self.depth, ctypes.addressof(counts))
        return Count(*counts)


def split(position: Position, depth: int) -> list[Subtree]:
    """Return the parts of a position's tree, in the order of the moves; their counts add up."""
    return list(_split(None, position, depth, min(_SPLIT_PLIES, max(depth - _PART_PLIES, 1))))


def _split(root_move: int | None, position: Position, depth: int, plies: int) -> Iterator[Subtree]:
    if plies == 0 or depth == 0 or position.is_over:
        yield Subtree(root_move, position, depth)
        return
    for move in position.moves():
        branch = move if root_move is None else root_move
        yield from _split(branch, position.play(move), depth - 1, plies - 1)
