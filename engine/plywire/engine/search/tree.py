"""Counting the tree of any game."""

from collections.abc import Mapping
from typing import Any

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.contract import ONGOING, legal, outcome, play
from plywire.engine.compiled.intrinsics import popcount, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Board, Ply, Word
from plywire.engine.compiled.program import INT64, UINT64, Entry


@kernel
def count(board: Board, own: Word, other: Word, depth: Ply):  # type: ignore[no-untyped-def]
    """Count the leaves and the games that finished earlier, without playing the last ply."""
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


@kernel
def count_into(board: Board, own: Word, other: Word, depth: Ply, result: Address) -> None:
    """Write both results of `count` to an address."""
    leaves, finished = count(board, own, other, depth)
    store64(result, leaves)
    store64(result + WORD, finished)


def entries(board: type[tuple[Any, ...]]) -> Mapping[str, Entry]:
    """Return the kernels of this module that Python calls, for a board class."""
    return {"count_into": Entry(count_into, board, UINT64, UINT64, INT64, UINT64)}
