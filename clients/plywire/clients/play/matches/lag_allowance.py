"""Limit the lag that a game forgives a player, because the player could fake it."""

from plywire.protocol.messages.limits import Limits

#: Each move earns 1 / _PART of the expected time for a move, but at least _LEAST ms.
_PART, _LEAST = 10, 50
#: Expected number of moves of each player in a game with a clock.
_MOVES = 40
#: A player begins with the earnings of this number of moves.
_AHEAD = 8


class LagAllowance:
    """Lag of a player that may still be left out of its time, in ms.

    Each move earns a tenth of the expected time for a move. The expected time is a fortieth of the
    clock plus the increment, or a byo-yomi period if that is longer. A player starts with the
    earnings of eight moves. In all, a game forgives at most an eighth of the clock, or about 0.05
    seconds for each move if that is more.
    """

    def __init__(self, limits: Limits, player: int) -> None:
        self._earned = max(_time_of_a_move(limits, player) // _PART, _LEAST)
        self.left = _AHEAD * self._earned

    def moved(self, lag: int) -> None:
        self.left += self._earned - lag


def _time_of_a_move(limits: Limits, player: int) -> int:
    """Return the expected time for a move, in ms; 0 without a time limit."""
    times = [] if limits.movetime is None else [limits.movetime]
    if (clock := limits.clock) is not None:
        main, increment = (clock.p1, clock.inc1) if player == 1 else (clock.p2, clock.inc2)
        times.append(max(main // _MOVES + increment, clock.byoyomi))
    return min(times, default=0)
