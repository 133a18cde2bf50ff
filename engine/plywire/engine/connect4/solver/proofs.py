"""What follow-up play proves, without any search.

The player to move is the *leader*, the other the *follower*. Follow-up play is to answer every move
in the same column, directly above it. It needs no search because it settles who gets which square;
Victor Allis called it claimeven (A Knowledge-based Approach of Connect-Four, 1988). Two cases:

**An even number of empty squares.** The columns with an odd number of empty squares come in
pairs: when the leader takes the lowest empty square of one, the follower takes that of another;
after that, and in all other columns, the follower follows up. So the leader gets, in the end, at
most the empty squares on `leader_rows` (those from which an even number of squares, itself
included, reaches the top: there the follower's answer always fits in) and the lowest empty squares
of odd columns. If
these and the leader's stones hold no four, the leader cannot win. If moreover the squares that the
follower is sure of hold a four with the follower's stones, the leader loses, at the latest when all
is filled but what lies above the highest of these squares.

**An odd number of empty squares.** Now the last square falls to the leader and follow-up play runs
out, unless one odd column cannot be played to its end: where the follower has a threat on a
leader's row of an odd column, the leader never gets past the square below it. The other odd columns
pair up as before, every other column is filled, the leader must at last play below the threat, and
loses there; provided that the squares gotten meanwhile hold no four for the leader.

In both cases nothing above a square on which the follower completes a four in the course of
follow-up play counts for the leader, because the game ends there. (That the follower's existing
threats cut columns short, and the case of the odd column, are our additions.)
"""

from plywire.engine.compiled.constants import NONE, ONE, TWO
from plywire.engine.compiled.intrinsics import or_reduce, u64x8
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Flag, Word

from .geometry import Geometry, bottom, full, height, leader_rows
from .lines import above, columns_of, fours, landings


@kernel
def _rows_up_to(geometry: Geometry, row: Word) -> Word:
    return bottom(geometry) * ((ONE << row + ONE) - ONE)


@kernel
def _even_case(
    geometry: Geometry, leader: Word, follower: Word, threats: Word, even: Word, deep: Flag
) -> Word:
    empty = full(geometry) & ~(leader | follower)
    lowest = landings(geometry, leader | follower)
    odd_lowest = lowest & ~leader_rows(geometry)
    sure = empty & ~leader_rows(geometry) & ~odd_lowest
    cut = above(geometry, threats & sure)
    reach = leader | (empty & leader_rows(geometry) | odd_lowest) & ~cut
    holds = (fours(geometry, reach) == NONE) & even
    proof = holds & ONE
    if deep:
        # The j-th stone from the end of the game is worth (j + 1) // 2 to who wins with it.
        row = height(geometry) - ONE
        while True:
            lined = fours(geometry, follower | sure & _rows_up_to(geometry, row)) != NONE
            lined &= holds
            proof += lined & ONE
            if row < TWO or or_reduce(lined) == NONE:
                break
            row -= TWO
    return proof


@kernel
def _odd_case(geometry: Geometry, leader: Word, follower: Word, threats: Word, odd: Word) -> Word:
    empty = full(geometry) & ~(leader | follower)
    lowest = landings(geometry, leader | follower)
    odd_lowest = lowest & ~leader_rows(geometry)
    usable = threats & leader_rows(geometry) & columns_of(geometry, odd_lowest) & odd
    won = u64x8(NONE)
    # One threat of each board at a time, the lowest of its column.
    while or_reduce(usable) != NONE:
        threat = usable & (u64x8(NONE) - usable)
        column = columns_of(geometry, threat)
        usable &= ~column
        elsewhere = (empty & leader_rows(geometry) | odd_lowest) & ~column
        cut = above(geometry, threats & ~leader_rows(geometry) & ~lowest & ~column)
        below = empty & ~leader_rows(geometry) & column & (threat - ONE)
        reach = leader | (elsewhere | below) & ~cut
        won |= threat & (fours(geometry, reach) == NONE)
    # A win on the row below the top one is worth 1, each two rows lower 1 more.
    proof = (won != NONE) & TWO
    row = height(geometry) - TWO
    while row >= TWO:
        row -= TWO
        proof += ((won & _rows_up_to(geometry, row)) != NONE) & ONE
    return proof


@kernel
def follow_up(
    geometry: Geometry, leader: Word, follower: Word, threats: Word, odd: Word, deep: Flag
) -> Word:
    """What follow-up play proves on eight boards: 0 nothing, n that the leader gets at most 1 - n.

    `threats` are the empty squares that would complete a four of the follower; none is immediate,
    and the leader has no winning move at hand. `odd` is all ones where the number of empty squares
    is odd, else 0. `deep` asks by how much the leader loses, not only whether the leader cannot
    win.
    """
    proof = u64x8(NONE)
    if or_reduce(~odd) != NONE:
        proof += _even_case(geometry, leader, follower, threats, ~odd, deep)
    if or_reduce(odd) != NONE:
        proof += _odd_case(geometry, leader, follower, threats, odd)
    return proof
