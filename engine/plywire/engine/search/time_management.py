"""The part of a game clock to spend on one move."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits

#: Assumed delay between a move and the program that keeps the clock, in ms. Time for it is reserved
#: for every future move, and once more.
LAG = 10
#: The part of an increment that may be used for the move that earns it.
_INCREMENT_SHARE = 0.8
#: The hard limit of a move, as a multiple of the move's share of the time.
_STRETCH = 3.0
#: Maximum part of the remaining time that one move may take, unless it is the last move.
_LARGEST_PART = 0.4
#: No iteration begins after this part of the share. It would exceed the share, because it takes
#: longer than all earlier iterations together.
_START_PART = 0.6


@dataclass(frozen=True, slots=True)
class Budget:
    """The time for one move, in ms since the search began."""

    soft: float
    """No iteration starts after this time."""
    hard: float
    """The search is stopped at this time."""

    def within(self, most: float) -> Budget:
        """Return the budget, limited to `most` ms."""
        return Budget(min(self.soft, most), min(self.hard, most))


UNLIMITED = Budget(math.inf, math.inf)


def budget(left: int, increment: int, plies: int, without_thinking: int) -> Budget:
    """Divide a clock over the remaining moves.

    Times are those of the player to move, in ms. `plies` is the longest possible rest of the game;
    the last `without_thinking` of these take almost no time. Each other move gets an equal share,
    and most of the increment. `hard` is only a part of the clock after a reserve for lag, so the
    clock never runs out.
    """
    usable = max(left - LAG * ((plies + 1) / 2 + 1), 0.0)
    share = usable / max((plies - without_thinking + 1) / 2, 1) + _INCREMENT_SHARE * increment
    largest = usable * (_LARGEST_PART if plies > 1 else 1.0)
    hard = min(share * _STRETCH, largest)
    return Budget(soft=min(share * _START_PART, hard), hard=hard)


def time_budget(
    limits: SearchLimits, position: Position, plies_without_thinking: Callable[[int, int], int]
) -> Budget:
    """Return the time that limits give the player to move; see `Backend.plies_without_thinking`."""
    result = UNLIMITED
    if limits.clock is not None:
        left, increment = limits.clock.of(position.turn)
        plies = position.plies_left
        result = budget(left, increment, plies, plies_without_thinking(plies, left))
    if limits.movetime is not None:
        result = result.within(float(limits.movetime))
    return result
