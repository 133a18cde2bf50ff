"""The functions that a game's kernels implement, so that the generic search can call them.

A kernel position is two 64-bit words, `own` and `other`, for the player to move and the opponent.
The game decides what the words hold. A kernel move is one bit, the square of the new piece; a pass
is 0.

Each game implements the functions for its board class, a NamedTuple of uint64 fields. The generic
kernels are compiled for each board class, like a C++ template. Integers are uint64; scores are
int64, for the player to move.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from .layout import Board, Score, Word

_Body = TypeVar("_Body", bound=Callable[..., Any])

#: The value that `outcome` returns while the game goes on. It is greater than all scores.
ONGOING = 1 << 30
#: The score of a won game, unless the game counts discs. A search subtracts the number of plies to
#: the win.
WIN = 1_000_000
INFINITY = WIN + 1
#: The limit of estimates and of scores in discs. A score beyond it is a win or a loss after some
#: plies.
MAX_ESTIMATE = 100_000


def legal(board: Board, own: Word, other: Word) -> Word:
    """Return the squares on which a piece may land, 0 for a pass; the game must not be over."""
    raise NotImplementedError


def play(board: Board, own: Word, other: Word, move: Word) -> tuple[Word, Word]:
    """Return `own` and `other` after a move, for the next player to move; move 0 passes."""
    raise NotImplementedError


def outcome(board: Board, own: Word, other: Word) -> Score:
    """Return ONGOING, or the mover's final score: WIN, -WIN, 0 or hundredths of a disc."""
    raise NotImplementedError


def evaluate(board: Board, own: Word, other: Word) -> Score:
    """Return an estimate for the player to move, in hundredths; its size is below MAX_ESTIMATE."""
    raise NotImplementedError


def order(board: Board, own: Word, other: Word, move: Word) -> Word:
    """Return the ordering value of a legal move, 0 to 4095; larger values are searched first."""
    raise NotImplementedError


FUNCTIONS: tuple[Callable[..., Any], ...] = (legal, play, outcome, evaluate, order)
#: The games' implementations, by function of the contract and by board class.
IMPLEMENTATIONS: dict[tuple[Callable[..., Any], type], Callable[..., Any]] = {}


def implements(function: Callable[..., Any], board_class: type) -> Callable[[_Body], _Body]:
    """Return a decorator that makes a function the implementation for boards of this class."""

    def decorate(body: _Body) -> _Body:
        IMPLEMENTATIONS[function, board_class] = body
        return body

    return decorate
