"""The positions from which one move leads to a position."""

from collections.abc import Iterator
from dataclasses import replace

from plywire.engine.connect4.rules import Connect4Position


def positions_before(position: Connect4Position) -> Iterator[Connect4Position]:
    """Yield the positions before the last move, one for each topmost stone, from the left.

    In some of these positions, another move would have won at once.
    """
    game = position.game
    taken = position.own | position.other
    tops = (taken + game.bottom & ~taken) >> 1 & position.other
    while tops:
        top = tops & -tops
        tops ^= top
        yield replace(
            position, own=position.other ^ top, other=position.own, turn=1 - position.turn
        )


def is_won_at_once(position: Connect4Position) -> bool:
    """Return whether one stone completes a four; the game must not be over."""
    return any(position.game.has_four(position.own | 1 << move) for move in position.moves())
