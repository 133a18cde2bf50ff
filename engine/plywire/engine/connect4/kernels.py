"""Connect Four's kernels for any board that fits 64 bits; `rules.py` draws the layout.

Neighbours in a line are `step` bits apart: 1 upwards, height + 1 to the right, height and height +
2 along the diagonals. Each lane of a vector works on one of these four directions.
"""

from typing import NamedTuple

import numpy as np

from plywire.engine.compiled.constants import ALL, NONE, ONE, TWO
from plywire.engine.compiled.contract import (
    ONGOING,
    WIN,
    evaluate,
    implements,
    legal,
    order,
    outcome,
    play,
)
from plywire.engine.compiled.intrinsics import add_reduce, or_reduce, popcount, u64x4
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Flag, Score, Word

from .fours import completing_along, fours_along

# The terms of the evaluation, in hundredths.
_OPEN_LINE = np.int64(2)
_THREAT = np.int64(15)
_GOOD_THREAT = np.int64(35)
_WINS_NEXT = np.int64(5000)


class Connect4Board(NamedTuple):
    """The masks of one board size."""

    height: np.uint64
    """The squares in a column, without the spare row."""
    bottom: np.uint64
    full: np.uint64
    """All squares except the spare row."""
    first_rows: np.uint64
    """The rows on which a threat helps the first player: if all other columns are full, the second
    player must play below the threat. On a 7x6 board, these are rows 1, 3 and 5 from the bottom."""
    centre: np.uint64
    """The columns in the middle quarter of the board."""
    middle: np.uint64
    """The columns in the middle half."""
    inner: np.uint64
    """The columns in the middle three quarters."""


def board_for(width: int, height: int) -> Connect4Board:
    """Return the masks of a board of width x height squares."""
    stride = height + 1
    column = (1 << height) - 1
    bottom = sum(1 << stride * x for x in range(width))

    def band(quarters: int) -> int:
        span = quarters * (width - 1)
        return sum(column << stride * x for x in range(width) if 4 * abs(2 * x - width + 1) <= span)

    # If all other columns are full, the square below `row` is played after others + row - 1 stones.
    # If this number is odd, the second player must play there.
    others = (width - 1) * height
    rows = [row for row in range(height) if (others + row - 1) % 2]
    first_rows = sum(bottom << row for row in rows)
    masks = (height, bottom, bottom * column, first_rows, band(1), band(2), band(3))
    return Connect4Board(*map(np.uint64, masks))


@kernel
def steps(board: Connect4Board) -> Word:
    """Return the distance in bits between neighbours, for each of the four directions."""
    return (u64x4(board.height) & u64x4(NONE, ALL, ALL, ALL)) + u64x4(ONE, NONE, ONE, TWO)


@kernel
def has_four(board: Connect4Board, stones: Word) -> Flag:
    """Return whether four of the stones stand in a row."""
    return or_reduce(fours_along(u64x4(stones), steps(board))) != NONE


@kernel
def threats(board: Connect4Board, stones: Word) -> Word:
    """Return the squares, taken or not, that would complete a four."""
    return or_reduce(completing_along(u64x4(stones), steps(board))) & board.full


@kernel
def open_lines(board: Connect4Board, stones: Word) -> Word:
    """Return the number of lines of four without any of the stones."""
    free = board.full & ~stones
    return add_reduce(popcount(fours_along(u64x4(free), steps(board))))


@implements(legal, Connect4Board)
def _legal(board: Connect4Board, own: Word, other: Word) -> Word:
    return ((own | other) + board.bottom) & board.full


@implements(play, Connect4Board)
def _play(board: Connect4Board, own: Word, other: Word, move: Word) -> tuple[Word, Word]:
    return other, own | move


@implements(outcome, Connect4Board)
def _outcome(board: Connect4Board, own: Word, other: Word) -> Score:
    if has_four(board, other):
        return np.int64(-WIN)
    return np.int64(0) if own | other == board.full else np.int64(ONGOING)


@implements(order, Connect4Board)
def _order(board: Connect4Board, own: Word, other: Word, move: Word) -> Word:
    taken = own | other
    made = popcount(threats(board, own | move) & ~taken)
    central = popcount(move & board.centre) + popcount(move & board.middle)
    central += popcount(move & board.inner)
    return np.uint64(8) * made + central


@implements(evaluate, Connect4Board)
def _evaluate(board: Connect4Board, own: Word, other: Word) -> Score:
    taken = own | other
    landings = (taken + board.bottom) & board.full
    own_threats = threats(board, own) & ~taken
    other_threats = threats(board, other) & ~taken
    if own_threats & landings != NONE:
        return _WINS_NEXT
    urgent = other_threats & landings
    if urgent & (urgent - ONE) != NONE:
        return -_WINS_NEXT

    first_moves = popcount(taken) & ONE == NONE
    own_rows = board.first_rows if first_moves else ~board.first_rows
    # A line is open to a player if it has no stone of the opponent. Negative differences of
    # unsigned numbers wrap to the correct int64.
    lines = np.int64(open_lines(board, other) - open_lines(board, own))
    more = np.int64(popcount(own_threats) - popcount(other_threats))
    good = np.int64(popcount(own_threats & own_rows) - popcount(other_threats & ~own_rows))
    return _OPEN_LINE * lines + _THREAT * more + _GOOD_THREAT * good
