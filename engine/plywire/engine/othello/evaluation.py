"""What an Othello position is worth, by what players have long gone by.

Mobility now and to come, corners and the squares that give them away, and discs that can never be
flipped. Late in the game the discs themselves count.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled import kernel
from plywire.engine.intrinsics import or_reduce, popcount, u64x4

_NONE = np.uint64(0)
_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

#: The corners, the squares diagonally next to them, and those next to them on the edge.
CORNERS = np.uint64(0x8100_0000_0000_0081)
X_SQUARES = np.uint64(0x0042_0000_0000_4200)
C_SQUARES = np.uint64(0x4281_0000_0000_8142)
_FIRST_FILE = np.uint64(0x0101_0101_0101_0101)
_LAST_FILE = np.uint64(0x8080_8080_8080_8080)
_EDGE_RANKS = np.uint64(0xFF00_0000_0000_00FF)
_EDGES = np.uint64(0xFF81_8181_8181_81FF)

#: From so many empty squares on, discs count more and more, and all else less.
_LATE = np.int64(20)
# Weights in hundredths of a disc: multiples of `_LATE`, so that dividing by it leaves no rest and
# what is good for one player is exactly as bad for the other.
_MOVE = np.int64(80)
_FRONTIER = np.int64(40)
_STABLE = np.int64(240)
_CORNER = np.int64(700)
_X_SQUARE = np.int64(440)
_C_SQUARE = np.int64(140)
_DISC = np.int64(100)


@kernel
def difference(first: Any, second: Any) -> Any:
    """How many more squares one set holds than another, as int64."""
    return np.int64(popcount(first) - popcount(second))


@kernel
def neighbours(squares: Any) -> Any:
    """The squares next to any of these, in all eight directions."""
    step = u64x4(1, 8, 9, 7)
    # The step to the right must not start on the last file, that to the left not on the first.
    to_higher = squares & u64x4(~_LAST_FILE, _ALL, ~_LAST_FILE, ~_FIRST_FILE)
    to_lower = squares & u64x4(~_FIRST_FILE, _ALL, ~_FIRST_FILE, ~_LAST_FILE)
    return or_reduce(to_higher << step | to_lower >> step)


@kernel
def stable(discs: Any) -> Any:
    """Discs of one player that can never be flipped; some stable ones are missed.

    A disc is stable if on each of the four lines through it one neighbour is stable, or is off the
    board. Starting from none, this finds the corners first and grows from there. Where a step wraps
    around the board it lands on squares that are at the border anyway.
    """
    step = u64x4(1, 8, 9, 7)
    border = u64x4(_FIRST_FILE | _LAST_FILE, _EDGE_RANKS, _EDGES, _EDGES)
    found = discs & CORNERS
    before = _NONE
    while found != before:
        before = found
        exposed = ~(found << step | found >> step | border)
        found = discs & ~or_reduce(exposed)
    return found


@kernel
def estimate(own: Any, other: Any, own_moves: Any, other_moves: Any) -> Any:
    """The estimate for the side to move, in hundredths of a disc; `moves` are legal landings."""
    empty = ~(own | other)
    open_corners = neighbours(empty & CORNERS)
    position = (
        _MOVE * difference(own_moves, other_moves)
        + _FRONTIER * difference(neighbours(other) & empty, neighbours(own) & empty)
        + _STABLE * difference(stable(own), stable(other))
        + _CORNER * difference(own & CORNERS, other & CORNERS)
        - _X_SQUARE * difference(own & X_SQUARES & open_corners, other & X_SQUARES & open_corners)
        - _C_SQUARE * difference(own & C_SQUARES & open_corners, other & C_SQUARES & open_corners)
    )
    discs = _DISC * difference(own, other)
    early = min(np.int64(popcount(empty)), _LATE)
    return (position * early + discs * (_LATE - early)) // _LATE
