"""Gomoku, compiled; the layout is drawn in `layout.py`."""

from typing import NamedTuple

import numpy as np

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
from plywire.engine.compiled.intrinsics import popcount
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Flag, Score, Word

from .layout import FULL, STEPS

_NONE = np.uint64(0)
_TWO = np.uint64(2)
_FOUR = np.uint64(4)
_ACROSS, _FALLING, _UP, _RISING = map(np.uint64, STEPS)


class GomokuBoard(NamedTuple):
    """Selects the kernels of Gomoku."""

    full: np.uint64
    """All squares."""


GOMOKU = GomokuBoard(np.uint64(FULL))


@kernel
def fives(stones: Word, step: Word) -> Word:
    """The lowest square of each five in a row, in one direction."""
    pairs = stones & stones >> step
    return pairs & pairs >> _TWO * step & stones >> _FOUR * step


@kernel
def has_five(stones: Word) -> Flag:
    """Whether five of the stones stand in a row."""
    level = fives(stones, _ACROSS) | fives(stones, _UP)
    return (level | fives(stones, _FALLING) | fives(stones, _RISING)) != _NONE


@kernel
def direction_score(available: Word, own: Word, step: Word) -> Word:
    """A score for the lines in one direction: fives still possible, and neighbours made."""
    return popcount(fives(available, step)) + _FOUR * popcount(own & own >> step)


@kernel
def score(available: Word, own: Word) -> Word:
    """A score for the stones of one player; `available` is all that the other did not take."""
    level = direction_score(available, own, _ACROSS) + direction_score(available, own, _UP)
    diagonal = direction_score(available, own, _FALLING) + direction_score(available, own, _RISING)
    return np.int64(level + diagonal)


@implements(legal, GomokuBoard)
def _legal(board: GomokuBoard, own: Word, other: Word) -> Word:
    return board.full & ~(own | other)


@implements(play, GomokuBoard)
def _play(board: GomokuBoard, own: Word, other: Word, move: Word) -> tuple[Word, Word]:
    return other, own | move


@implements(outcome, GomokuBoard)
def _outcome(board: GomokuBoard, own: Word, other: Word) -> Score:
    if has_five(other):
        return np.int64(-WIN)
    return np.int64(0) if own | other == board.full else np.int64(ONGOING)


@implements(evaluate, GomokuBoard)
def _evaluate(board: GomokuBoard, own: Word, other: Word) -> Score:
    return score(board.full & ~other, own) - score(board.full & ~own, other)


@implements(order, GomokuBoard)
def _order(board: GomokuBoard, own: Word, other: Word, move: Word) -> Word:
    near = move << _ACROSS | move << _FALLING | move << _UP | move << _RISING
    near |= move >> _ACROSS | move >> _FALLING | move >> _UP | move >> _RISING
    return popcount(near & (own | other))
