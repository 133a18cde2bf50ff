"""Which endgames can be solved in which time.

Loads no compiled code: it is asked before there is a solver.
"""

from __future__ import annotations

from plywire.engine.limits import Limits
from plywire.engine.othello.rules import OthelloPosition
from plywire.engine.search.timing import time_limit

#: With so many empty squares, this many nodes solve most positions; each more square takes as many
#: times more. Measured on the FFO suite.
_EMPTY = 20
_NODES = 10_000_000
_GROWTH = 1.8
#: Nodes a millisecond, on an ordinary machine.
_SPEED = 20_000
#: Without a limit there is time for so many empty squares.
_MOST_EMPTY = 26


def empty_squares(position: OthelloPosition) -> int:
    """How many squares are empty."""
    return 64 - (position.own | position.other).bit_count()


def is_in_reach(position: OthelloPosition, limits: Limits) -> bool:
    """Whether a position is likely to be solved within limits."""
    empty = empty_squares(position)
    if empty > _MOST_EMPTY:
        return False
    nodes = _NODES * _GROWTH ** (empty - _EMPTY)
    if limits.nodes is not None and nodes > limits.nodes:
        return False
    return nodes / _SPEED <= time_limit(limits, position.turn, empty).soft
