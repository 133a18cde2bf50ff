"""Proofs by follow-up play, without a search.

The player to move is the *leader*, the opponent the *follower*. In follow-up play, the follower
answers each move in the same column, directly above it. V. Allis calls this claimeven (A
Knowledge-based Approach of Connect-Four, 1988).

**An even number of empty squares.** The columns with an odd number of empty squares form pairs.
When the leader takes the lowest empty square of one column, the follower takes that of its partner.
After all other moves, the follower follows up. So the leader gets at most these lowest squares and
the empty squares on `leader_rows`; above these, the follower's answer always has room. If they and
the leader's stones hold no four, the leader cannot win. The follower is sure of all other empty
squares. If these and the follower's stones hold a four, the leader loses, at the latest when only
squares above this four are empty.

**An odd number of empty squares.** A threat of the follower on a leader's row of an odd column
keeps the leader off the square below it. The other odd columns form pairs, and all other columns
fill. At last the leader must play below the threat and loses, if the squares that the leader got
before hold no four.

The game ends when the follower completes a four, so squares above it do not count for the leader.
These cut columns and the odd case are our additions.
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
        # If the follower wins with the j-th last stone of the game, the score is (j + 1) // 2.
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
    # Each step examines one threat on each board, the one with the lowest bit.
    while or_reduce(usable) != NONE:
        threat = usable & (u64x8(NONE) - usable)
        column = columns_of(geometry, threat)
        usable &= ~column
        elsewhere = (empty & leader_rows(geometry) | odd_lowest) & ~column
        cut = above(geometry, threats & ~leader_rows(geometry) & ~lowest & ~column)
        below = empty & ~leader_rows(geometry) & column & (threat - ONE)
        reach = leader | (elsewhere | below) & ~cut
        won |= threat & (fours(geometry, reach) == NONE)
    # A win one row below the top scores 1. For each two rows further down, it scores 1 more.
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
    """Return n for each of eight boards: the leader's score is at most 1 - n; 0 proves nothing.

    `threats` are the empty squares that would complete a four of the follower. No player has a
    winning move. A lane of `odd` is all ones if the number of empty squares is odd, else 0.
    If `deep`, the function also asks by how much the leader loses.
    """
    proof = u64x8(NONE)
    if or_reduce(~odd) != NONE:
        proof += _even_case(geometry, leader, follower, threats, ~odd, deep)
    if or_reduce(odd) != NONE:
        proof += _odd_case(geometry, leader, follower, threats, odd)
    return proof
