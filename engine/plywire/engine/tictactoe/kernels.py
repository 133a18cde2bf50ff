"""Tic-Tac-Toe's kernels; searches reach the end of the game, so the evaluation is 0."""

from typing import NamedTuple

import numpy as np

from plywire.engine.compiled.constants import NONE
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

from .layout import GAME_ON, X_TO_MOVE

O_SHIFT = np.uint64(16)
_X_TO_MOVE = np.uint64(X_TO_MOVE)
_GAME_ON = np.uint64(GAME_ON)
_FULL = np.uint64(0o777)
_CENTRE = np.uint64(0o020)
_CORNERS = np.uint64(0o505)

# The squares on which three in a row can begin: to the right, upwards, and along each diagonal.
_LEFT_FILE = np.uint64(0o111)
_BOTTOM_RANK = np.uint64(0o007)
_LOWER_LEFT = np.uint64(0o001)
_LOWER_RIGHT = np.uint64(0o004)


class TicTacToeBoard(NamedTuple):
    """The board class of Tic-Tac-Toe."""

    squares: np.uint64


TICTACTOE = TicTacToeBoard(_FULL)


@kernel
def has_three(squares: Word) -> Flag:
    """Return whether three of the squares lie in a row."""
    across = squares & squares >> np.uint64(1) & squares >> np.uint64(2) & _LEFT_FILE
    upwards = squares & squares >> np.uint64(3) & squares >> np.uint64(6) & _BOTTOM_RANK
    rising = squares & squares >> np.uint64(4) & squares >> np.uint64(8) & _LOWER_LEFT
    falling = squares & squares >> np.uint64(2) & squares >> np.uint64(4) & _LOWER_RIGHT
    return (across | upwards | rising | falling) != NONE


@implements(legal, TicTacToeBoard)
def _legal(board: TicTacToeBoard, own: Word, other: Word) -> Word:
    return ~(own | own >> O_SHIFT) & board.squares


@implements(play, TicTacToeBoard)
def _play(board: TicTacToeBoard, own: Word, other: Word, move: Word) -> tuple[Word, Word]:
    shift = NONE if own & _X_TO_MOVE != NONE else O_SHIFT
    word = (own | move << shift) ^ _X_TO_MOVE
    full = (word | word >> O_SHIFT) & board.squares == board.squares
    if full or has_three(word >> shift & board.squares):
        word ^= _GAME_ON
    return word, NONE


@implements(outcome, TicTacToeBoard)
def _outcome(board: TicTacToeBoard, own: Word, other: Word) -> Score:
    if own & _GAME_ON != NONE:
        return np.int64(ONGOING)
    last_mover = O_SHIFT if own & _X_TO_MOVE != NONE else NONE
    return np.int64(-WIN) if has_three(own >> last_mover & board.squares) else np.int64(0)


@implements(evaluate, TicTacToeBoard)
def _evaluate(board: TicTacToeBoard, own: Word, other: Word) -> Score:
    return np.int64(0)


@implements(order, TicTacToeBoard)
def _order(board: TicTacToeBoard, own: Word, other: Word, move: Word) -> Word:
    return popcount(move & _CENTRE) * np.uint64(2) + popcount(move & _CORNERS)
