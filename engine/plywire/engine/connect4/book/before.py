"""The positions that a position can have come from."""

from collections.abc import Iterator
from dataclasses import replace

from plywire.engine.connect4.rules import Connect4Position


def positions_before(position: Connect4Position) -> Iterator[Connect4Position]:
    """The positions without one of the topmost stones of the side that moved last, from the left.

    In some of them, that side may have had a move that won at once.
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
    """Whether a stone completes a four; the game must go on."""
    return any(position.game.has_four(position.own | 1 << move) for move in position.moves())
