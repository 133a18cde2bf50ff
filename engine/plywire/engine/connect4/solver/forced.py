"""Forced moves, and the score of a win."""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Ply, Score, Word

from .geometry import Geometry, cells, full
from .lines import completing, landings


@kernel
def score_of_win(geometry: Geometry, stones: Word) -> Score:
    """Return the score of a four by the next stone, with `stones` stones on the board."""
    return (cells(geometry) + np.int64(1) - stones) // np.int64(2)


@kernel
def play_forced(
    geometry: Geometry, mover: Word, other: Word, ply: Ply
) -> tuple[Word, Word, Ply, Word, Word]:
    """Play forced moves from a position without a winning move until it is quiet or decided.

    A quiet position has at least two moves that do not lose at once. Returns (mover, other, ply,
    moves, score). If there are no moves, the position is decided, and the score is for `mover`.
    """
    while True:
        taken = mover | other
        landing = landings(geometry, taken)
        completes = completing(geometry, other) & full(geometry) & ~taken
        forced = landing & completes
        moves = landing & ~(completes >> ONE)
        if forced != NONE:
            moves &= forced
            if forced & (forced - ONE) != NONE:
                moves = NONE
        if moves == NONE:
            lost = -score_of_win(geometry, ply + np.int64(1))
            return mover, other, ply, moves, np.int64(0) if landing == NONE else lost
        if moves & (moves - ONE) != NONE:
            return mover, other, ply, moves, np.int64(0)
        mover, other = other, mover | moves
        ply += np.int64(1)
