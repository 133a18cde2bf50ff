"""The last four empty squares, as one function for each number.

The arguments are the empty squares in the order of trying; nothing is generated or sorted. Results
obey the contract of `search.py`.

A square that is alone in its quarter of the board comes first. A player who fills a region alone
has the last move in it ("parity").
"""

import numpy as np

from plywire.engine.compiled.constants import BYTE, NONE, ONE
from plywire.engine.compiled.intrinsics import ctz, load8, load64, popcount
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Flag, Score, Word
from plywire.engine.othello.kernels import final_score, flips
from plywire.engine.othello.lookups import (
    DIAGONALS,
    FILE,
    FILE_TO_BYTE,
    FLIPS,
    TOP_BYTE,
    neighbours_of,
)
from plywire.engine.othello.memory import board_of
from plywire.engine.search.context import count_nodes

_ROW = np.uint64(3)
_COLUMN = np.uint64(7)
_DIAGONALS_SHIFT = np.uint64(4)
_FLIPS_SHIFT = np.uint64(8)
_SECOND = np.uint64(8)
#: Squares are in the same quarter of the board if these bits of their numbers agree.
_QUARTER = np.uint64(0b100100)
#: A number below every score, which stands for a player without a move.
WORST = np.int64(-99)


@inlined
def _flips_twice(context: Address, own: Word, square: Word) -> Score:
    """Return twice the number of discs that filling the last empty square flips.

    Each line through the square becomes a byte. Bits beyond the end of a diagonal are 0, as if the
    opponent had discs there. This is harmless, because discs flip only up to an own disc.
    """
    column = square & _COLUMN
    row = square >> _ROW
    diagonals = context + DIAGONALS + (square << _DIAGONALS_SHIFT)
    by_column = context + FLIPS + (column << _FLIPS_SHIFT)
    by_row = context + FLIPS + (row << _FLIPS_SHIFT)
    rank = own >> (row << _ROW) & BYTE
    file = ((own >> column & FILE) * FILE_TO_BYTE) >> TOP_BYTE
    rising = ((own & load64(diagonals)) * FILE) >> TOP_BYTE
    falling = ((own & load64(diagonals + _SECOND)) * FILE) >> TOP_BYTE
    twice = load8(by_column + rank) + load8(by_row + file)
    twice += load8(by_column + rising) + load8(by_column + falling)
    return np.int64(twice)


@inlined
def solve_1(context: Address, own: Word, square: Word) -> Score:
    """Return the score with one empty square; the opponent has the rest of the board."""
    score = np.int64(popcount(own)) * np.int64(2) - np.int64(64)
    gain = _flips_twice(context, own, square)
    if gain > np.int64(0):
        return score + gain + np.int64(2)
    loss = _flips_twice(context, ~own, square)
    if loss > np.int64(0):
        return score - loss
    # If no player can move, the empty square counts for the winner.
    return score + np.int64(2) if score >= np.int64(0) else score


@inlined
def _can_flip(context: Address, square: Word, discs: Word) -> Flag:
    """Return whether a disc is next to a square; otherwise a move there flips nothing."""
    return neighbours_of(context, square) & discs != NONE


@inlined
def _moves_2(
    context: Address, own: Word, other: Word, first: Word, second: Word, alpha: Score
) -> Score:
    best = WORST
    board = board_of(context)
    if _can_flip(context, first, other):
        flipped = flips(board, own, other, first)
        if flipped != NONE:
            best = -solve_1(context, other ^ flipped, second)
            if best > alpha:
                return best
    if _can_flip(context, second, other):
        flipped = flips(board, own, other, second)
        if flipped != NONE:
            best = max(best, -solve_1(context, other ^ flipped, first))
    return best


@inlined
def solve_2(
    context: Address, own: Word, other: Word, first: Word, second: Word, alpha: Score
) -> Score:
    """Return the score with two empty squares."""
    count_nodes(context, ONE)
    score = _moves_2(context, own, other, first, second, alpha)
    if score != WORST:
        return score
    score = _moves_2(context, other, own, first, second, -alpha - np.int64(1))
    return -score if score != WORST else final_score(own, other)


@kernel
def _moves_3(
    context: Address, own: Word, other: Word, first: Word, second: Word, third: Word, alpha: Score
) -> Score:
    best = WORST
    board = board_of(context)
    below = -alpha - np.int64(1)
    for _ in range(3):
        if _can_flip(context, first, other):
            flipped = flips(board, own, other, first)
            if flipped != NONE:
                child = own | flipped | ONE << first
                score = -solve_2(context, other ^ flipped, child, second, third, below)
                if score > alpha:
                    return score
                best = max(best, score)
        first, second, third = second, third, first
    return best


@kernel
def solve_3(
    context: Address, own: Word, other: Word, first: Word, second: Word, third: Word, alpha: Score
) -> Score:
    """Return the score with three empty squares."""
    count_nodes(context, ONE)
    if (second ^ third) & _QUARTER != NONE:
        if (first ^ third) & _QUARTER == NONE:
            first, second = second, first
        elif (first ^ second) & _QUARTER == NONE:
            first, third = third, first
    score = _moves_3(context, own, other, first, second, third, alpha)
    if score != WORST:
        return score
    score = _moves_3(context, other, own, first, second, third, -alpha - np.int64(1))
    return -score if score != WORST else final_score(own, other)


@kernel
def _moves_4(
    context: Address,
    own: Word,
    other: Word,
    first: Word,
    second: Word,
    third: Word,
    fourth: Word,
    alpha: Score,
) -> Score:
    best = WORST
    board = board_of(context)
    below = -alpha - np.int64(1)
    for _ in range(4):
        if _can_flip(context, first, other):
            flipped = flips(board, own, other, first)
            if flipped != NONE:
                child = own | flipped | ONE << first
                score = -solve_3(context, other ^ flipped, child, second, third, fourth, below)
                if score > alpha:
                    return score
                best = max(best, score)
        first, second, third, fourth = second, third, fourth, first
    return best


@kernel
def _take(front: Word, back: Word) -> tuple[Word, Word, Word]:
    """Return the lowest square of `front`, or of `back` if `front` is empty; then what is left."""
    if front != NONE:
        return ctz(front), front & (front - ONE), back
    return ctz(back), front, back & (back - ONE)


@kernel
def solve_4(context: Address, own: Word, other: Word, odd: Word, alpha: Score) -> Score:
    """Return the score with four empty squares; see `search.py`."""
    count_nodes(context, ONE)
    empty = ~(own | other)
    first, front, back = _take(empty & odd, empty & ~odd)
    second, front, back = _take(front, back)
    third, front, back = _take(front, back)
    fourth, front, back = _take(front, back)
    score = _moves_4(context, own, other, first, second, third, fourth, alpha)
    if score != WORST:
        return score
    score = _moves_4(context, other, own, first, second, third, fourth, -alpha - np.int64(1))
    return -score if score != WORST else final_score(own, other)
