"""The children of a node: eight moves at once, one in each lane of a vector."""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, WORD
from plywire.engine.compiled.intrinsics import (
    add_reduce,
    load64,
    or_reduce,
    popcount,
    store64,
    u64x8,
)
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Ply, Score, Word

from .forced import score_of_win
from .geometry import Geometry, columns, from_border, from_border_beyond, full, height, stride
from .lines import begun_along, completing, landings, paired_along
from .memory import CHILD

LANES = np.uint64(8)
WORST = np.int64(-99)

# The weights of move ordering, measured with suites of middle games and openings.
_THREAT_WEIGHT = np.uint64(8)
_NEXT_WEIGHT = np.uint64(16)
_ROW_WEIGHT = np.uint64(4)
_FORCING_WEIGHT = np.uint64(8)
_CENTRE_WEIGHT = np.uint64(4)
_JOINING_WEIGHT = np.uint64(4)
_OWN_ROW_WEIGHT = np.uint64(2)
_OPENING_WEIGHT = np.uint64(4)
_KILLER_WEIGHT = np.uint64(8)


@kernel
def one_a_lane(geometry: Geometry, moves: Word, column: Word) -> Word:
    """Return the moves in eight columns from `column` on, one in each lane, 0 if there is none."""
    start = column * stride(geometry)
    return (u64x8(moves >> start) & columns(geometry)) << u64x8(start)


@kernel
def replies_to(completes: Word, landing: Word) -> Word:
    """Return the opponent's replies that do not lose at once, after each of eight moves.

    `completes` are the squares that would complete a four for the player, `landing` the squares
    where a stone can land. The opponent must answer a threat, and must not play below one.
    """
    forced = landing & completes
    is_double = (forced & (forced - ONE)) != NONE
    return landing & ~(completes >> ONE) & (forced | (forced == NONE)) & ~is_double


@kernel
def lanes_of(masks: Word) -> Word:
    """Return the set of lanes that are all ones; the other lanes are 0."""
    lanes = u64x8(
        np.uint64(1),
        np.uint64(2),
        np.uint64(4),
        np.uint64(8),
        np.uint64(16),
        np.uint64(32),
        np.uint64(64),
        np.uint64(128),
    )
    return add_reduce(masks & lanes)


@inlined
def play_chains(
    geometry: Geometry,
    first: Word,
    second: Word,
    replies: Word,
    completes: Word,
    chains: Word,
    ply: Ply,
) -> tuple[Word, Word, Word, Word, Word, Score, Word]:
    """Play the chains of forced moves after some of eight moves, all at the same time.

    After the eight moves there are `ply` stones. `first` are the stones of the players to move and
    `replies` their moves. The opponents have the stones `second`, and would complete fours on
    `completes`. A lane of `chains` is all ones if only one reply exists, else 0.

    Returns (first, second, replies, completes, plies, best, decided) after the chains. `best` is
    the best score of the games that ended, for the player of the eight moves. A lane of `decided`
    is all ones if its game ended, else 0.
    """
    best = WORST
    decided = u64x8(NONE)
    plies = u64x8(np.uint64(ply))
    sign = np.int64(1)
    while or_reduce(chains) != NONE:
        stays = ~chains
        moved = first | replies
        first, second = first & stays | second & chains, second & stays | moved & chains
        # A lane of `chains` is all ones, which is -1, if its chain goes on; otherwise it is 0.
        plies -= chains
        ply += np.int64(1)
        sign = -sign
        filled = first | second
        landing = landings(geometry, filled)
        completes = completing(geometry, second) & full(geometry) & ~filled
        replies = replies_to(completes, landing)
        over = chains & (replies == NONE)
        chains &= ((replies & (replies - ONE)) == NONE) & ~over
        if or_reduce(over) != NONE:
            decided |= over
            is_lost = or_reduce(over & landing) != NONE
            value = score_of_win(geometry, ply + np.int64(1)) if is_lost else np.int64(0)
            best = max(best, sign * value)
    return first, second, replies, completes, plies, best, decided


@kernel
def move_scores(
    geometry: Geometry, threats: Word, landing: Word, column: Word, rows: Word, forces: Word
) -> Word:
    """Rate eight moves by threats, threats for the next turn, forced replies and the centre.

    The moves are in eight columns from `column` on. `threats` are the squares that complete a four
    after each move, `landing` the squares where a stone can then land. Threats on `rows` help the
    player most in the end. A lane of `forces` is all ones if one reply is left, else 0.
    """
    value = popcount(threats) * u64x8(_THREAT_WEIGHT)
    value += forces & _FORCING_WEIGHT
    value += popcount(threats & landing << ONE) * u64x8(_NEXT_WEIGHT)
    value += popcount(threats & rows) * u64x8(_ROW_WEIGHT)
    inner = from_border(geometry) if column == NONE else from_border_beyond(geometry)
    value += inner * u64x8(_CENTRE_WEIGHT)
    return value


@kernel
def careful_scores(
    geometry: Geometry, mover: Word, other: Word, moves: Word, rows: Word, killer: Word
) -> Word:
    """Rate eight moves (signed) by lines, rows, the squares above the moves, and the killer."""
    value = _lines_joined(geometry, mover, other, moves) * u64x8(_JOINING_WEIGHT)
    value += popcount(moves & u64x8(rows)) * u64x8(_OWN_ROW_WEIGHT)
    value -= popcount(moves << ONE & u64x8(_paired(geometry, mover, other))) * u64x8(
        _OPENING_WEIGHT
    )
    value += (moves == u64x8(killer)) & _KILLER_WEIGHT
    return value


@kernel
def _lines_joined(geometry: Geometry, mover: Word, other: Word, moves: Word) -> Word:
    """Return in how many directions each of eight moves joins a line that the player has begun."""
    free = full(geometry) & ~other
    step = stride(geometry)
    value = popcount(moves & u64x8(begun_along(mover, free, ONE)))
    value += popcount(moves & u64x8(begun_along(mover, free, step)))
    value += popcount(moves & u64x8(begun_along(mover, free, step - ONE)))
    value += popcount(moves & u64x8(begun_along(mover, free, step + ONE)))
    return value


@kernel
def _paired(geometry: Geometry, mover: Word, other: Word) -> Word:
    """Return the squares of lines with two or more stones of one player and none of the other.

    Vertical lines are left out.
    """
    step = stride(geometry)
    squares = NONE
    for stones, others in ((mover, other), (other, mover)):
        free = full(geometry) & ~others
        squares |= paired_along(stones, free, step)
        squares |= paired_along(stones, free, step - ONE)
        squares |= paired_along(stones, free, step + ONE)
    return squares


@kernel
def move_to(geometry: Geometry, offset: Word, taken: Word) -> Word:
    """Return the move to the child at `offset` in a frame; `taken` are the stones before it."""
    column = (ONE << height(geometry)) - ONE << offset // WORD * stride(geometry)
    return landings(geometry, taken) & column


@kernel
def enqueue(frame: Address, queued: Word, child: Address) -> Word:
    """Insert a child after those of equal or higher order; return the queue's new length."""
    value = np.int64(load64(child + CHILD.order))
    first = frame + CHILD.queue
    slot = first + queued * WORD
    while slot != first:
        earlier = load64(slot - WORD)
        if np.int64(load64(earlier + CHILD.order)) >= value:
            break
        store64(slot, earlier)
        slot -= WORD
    store64(slot, child)
    return queued + ONE
