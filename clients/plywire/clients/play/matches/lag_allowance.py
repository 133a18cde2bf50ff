"""How much lag a game forgives a player, who could otherwise make as much of it as it likes."""

from plywire.protocol.messages.limits import Limits

#: What a move earns is a tenth of the time that a player has for one, and at least so many ms...
_PART, _LEAST = 10, 50
#: ...of a clock, where a game has so many moves of each player.
_MOVES = 40
#: A game begins with what so many moves earn.
_AHEAD = 8


class LagAllowance:
    """Lag of a player that may still be left out of its time, in ms.

    Every move earns a tenth of the time for a move, which of a clock is a fortieth of it and the
    increment or, if that is longer, a byo-yomi period; eight moves' worth is there from the
    beginning. So a game by the clock forgives no more than an eighth of it, or little more than
    0.05 seconds a move where that is more.
    """

    def __init__(self, limits: Limits, player: int) -> None:
        """Start with the allowance of player 1 or 2 at the beginning of a game."""
        self._earned = max(_time_of_a_move(limits, player) // _PART, _LEAST)
        self.left = _AHEAD * self._earned

    def moved(self, lag: int) -> None:
        """Count a move, for which that much lag was left out."""
        self.left += self._earned - lag


def _time_of_a_move(limits: Limits, player: int) -> int:
    """Return the expected time for a move, in ms; 0 without a time limit."""
    times = [] if limits.movetime is None else [limits.movetime]
    if (clock := limits.clock) is not None:
        main, increment = (clock.p1, clock.inc1) if player == 1 else (clock.p2, clock.inc2)
        times.append(max(main // _MOVES + increment, clock.byoyomi))
    return min(times, default=0)
