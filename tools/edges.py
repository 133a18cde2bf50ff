"""Compute the table of stable discs on edges, by trying all moves on each edge.

`endgame/stability.py` of Othello looks it up.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray


def _play(own: int, other: int, place: int) -> tuple[int, int]:
    """Return an edge after a move on it, with the flips along the edge."""
    own |= 1 << place
    for step in (1, -1):
        run, at = 0, place + step
        while 0 <= at < 8 and other >> at & 1:
            run |= 1 << at
            at += step
        if 0 <= at < 8 and own >> at & 1:
            own |= run
            other &= ~run
    return own, other


@cache
def _stable_edge(own: int, other: int) -> int:
    """Return the own discs of an edge that stay own, whichever player fills each empty square."""
    stable = own
    for place in range(8):
        if not (own | other) >> place & 1:
            stable &= _stable_edge(*_play(own, other, place))
            theirs, mine = _play(other, own, place)
            stable &= _stable_edge(mine, theirs)
    return stable


def compute_edges() -> NDArray[np.uint8]:
    """Compute the stored table: the own stable discs of every edge, at `256 * own + other`."""
    table = np.zeros(1 << 16, np.uint8)
    for own in range(256):
        for other in range(256):
            if not own & other:
                table[own << 8 | other] = _stable_edge(own, other)
    return table
