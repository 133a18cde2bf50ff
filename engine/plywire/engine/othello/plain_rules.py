"""Othello for the plain search: corners, mobility, and discs near the end."""

from collections.abc import Hashable, Sequence

from plywire.engine.bitboard import squares
from plywire.engine.game import PASS, Position
from plywire.engine.search.plain_rules import PlainRules

from .rules import flips, mobility

#: The worth of each move that a player has more than the other, in hundredths of a disc.
_MOBILITY = 70
#: The worth of a corner, in hundredths of a disc.
_CORNER = 1200
#: The cost of a disc next to an empty corner, in hundredths of a disc: on the diagonal, on an edge.
_DIAGONAL = 600
_EDGE = 200
#: The worth of a disc, in hundredths of a disc, once fewer than `_LATE` squares are empty.
_DISC = 60
_LATE = 14
#: For each corner: the corner, the square next to it on the diagonal, the two next to it on edges.
_AT_CORNERS = tuple(
    (1 << corner, 1 << diagonal, 1 << one | 1 << other)
    for corner, diagonal, one, other in (
        (0, 9, 1, 8),
        (7, 14, 6, 15),
        (56, 49, 48, 57),
        (63, 54, 55, 62),
    )
)
_CORNERS = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63

#: Minimum depth, in plies, at which moves are ordered by the number of their replies.
_SORTED_FROM = 3
#: When replies are counted, a reply in a corner counts as this many additional replies. A move in a
#: corner counts as this many fewer.
_CORNER_REPLIES = 8


def _rank(square: int) -> int:
    """Return the rank of a move: corners, edges, middle, squares next to corners."""
    bit = 1 << square
    for corner, diagonal, edge in _AT_CORNERS:
        if bit & corner:
            return 0
        if bit & diagonal:
            return 4
        if bit & edge:
            return 3
    column, row = square % 8, square // 8
    return 1 if column in (0, 7) or row in (0, 7) else 2


_RANKS = [*map(_rank, range(64)), 5]


State = tuple[int, int, int]
"""The discs of the player to move and of the opponent, and the legal squares."""


class OthelloPlainRules(PlainRules[State]):
    """The rules of Othello, for the plain search."""

    def state(self, position: Position) -> State:
        own, other = position.words()
        return own, other, mobility(own, other)

    def play(self, state: State, move: int) -> State:
        own, other, _ = state
        if move == PASS:
            return other, own, mobility(other, own)
        disc = 1 << move
        flipped = flips(own, other, disc)
        own, other = own | disc | flipped, other ^ flipped
        return other, own, mobility(other, own)

    def key(self, state: State) -> Hashable:
        return state[0] << 64 | state[1]

    def known(self, state: State) -> int | None:
        """Return the final lead in hundredths; empty squares count for the winner.

        Returns None if a player can still move.
        """
        own, other, landings = state
        if landings or mobility(other, own):
            return None
        discs, others = own.bit_count(), other.bit_count()
        if discs == others:
            return 0
        return 100 * (64 - 2 * others if discs > others else 2 * discs - 64)

    def moves(self, state: State, depth: int) -> Sequence[int]:
        """Return corners first; at larger depths, moves that leave few replies first."""
        *_, landings = state
        if not landings:
            return (PASS,)
        moves = squares(landings)
        if depth < _SORTED_FROM:
            return sorted(moves, key=_RANKS.__getitem__)
        return sorted(moves, key=lambda move: self._replies(state, move))

    def estimate(self, state: State) -> int:
        own, other, landings = state
        taken = own | other
        score = _MOBILITY * (landings.bit_count() - mobility(other, own).bit_count())
        if taken & _CORNERS:
            corners = (own & _CORNERS).bit_count() - (other & _CORNERS).bit_count()
            score += _CORNER * corners
        for corner, diagonal, edge in _AT_CORNERS:
            if not taken & corner:
                if taken & diagonal:
                    score += -_DIAGONAL if own & diagonal else _DIAGONAL
                score -= _EDGE * ((own & edge).bit_count() - (other & edge).bit_count())
        if 64 - taken.bit_count() < _LATE:
            score += _DISC * (own.bit_count() - other.bit_count())
        return score

    def _replies(self, state: State, move: int) -> int:
        *_, landings = self.play(state, move)
        corners = (landings & _CORNERS).bit_count()
        replies = landings.bit_count() + _CORNER_REPLIES * corners
        return replies - _CORNER_REPLIES if _RANKS[move] == 0 else replies
