"""How much of a game clock to spend on one move."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits

#: What a move may lose on its way to whoever keeps the clock, in ms: held back for every move to
#: come, and once more.
LAG = 10
#: Part of the increment that is spent on the move that earns it.
_INCREMENT_SHARE = 0.8
#: A move may take this many times its share while the search is unsettled...
_STRETCH = 3.0
#: ...but never more than this part of what is left, unless it is the last move.
_LARGEST_PART = 0.4
#: An iteration takes longer than all before it: begun after this part of a share, it would overrun.
_START_PART = 0.6


@dataclass(frozen=True, slots=True)
class Budget:
    """The time for one move, in ms since the search began."""

    soft: float
    """No iteration starts after this."""
    hard: float
    """The search is stopped at this."""

    def within(self, most: float) -> Budget:
        """The budget, or that many ms where they are less."""
        return Budget(min(self.soft, most), min(self.hard, most))


#: All the time there is.
UNLIMITED = Budget(math.inf, math.inf)


def budget(left: int, increment: int, plies: int, without_thinking: int) -> Budget:
    """Divide a clock over the moves still to come.

    `left` and `increment` are the mover's, in ms; `plies` is how long the game can last at most,
    and `without_thinking` how many of those, the last, are expected to take next to no time.
    The mover's own moves are half of the others; each gets an equal share of the clock and most of
    the increment. As `hard` is part of a clock that first gave up a reserve against lag, the clock
    shrinks geometrically and never runs out.
    """
    usable = max(left - LAG * ((plies + 1) / 2 + 1), 0.0)
    share = usable / max((plies - without_thinking + 1) / 2, 1) + _INCREMENT_SHARE * increment
    largest = usable * (_LARGEST_PART if plies > 1 else 1.0)
    hard = min(share * _STRETCH, largest)
    return Budget(soft=min(share * _START_PART, hard), hard=hard)


def time_budget(
    limits: SearchLimits, position: Position, plies_without_thinking: Callable[[int, int], int]
) -> Budget:
    """The time that limits give the player to move; see `Backend.plies_without_thinking`."""
    result = UNLIMITED
    if limits.clock is not None:
        left, increment = limits.clock.of(position.turn)
        plies = position.plies_left
        result = budget(left, increment, plies, plies_without_thinking(plies, left))
    if limits.movetime is not None:
        result = result.within(float(limits.movetime))
    return result
