"""What a game's compiled kernels must provide to be searched.

A kernel position is two 64-bit words, `own` and `other`, seen from the side to move (what they hold
is the game's own business). A kernel move is one bit, the square on which the piece lands; no bit
at all is a pass.

The functions here have no body: each game implements them for its own board type. One generic
kernel, compiled for a board type, calls that game's code directly, as a C++ template would.
The board is a NamedTuple of uint64 fields and comes first in every call.
All integers are uint64 unless said otherwise; scores are int64, seen from the side to move.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from .layout import Board, Score, Word

_Body = TypeVar("_Body", bound=Callable[..., Any])

#: The value of `outcome` while the game goes on: no score is as large.
ONGOING = 1 << 30
#: The score of a won game, unless discs are counted; searches subtract the plies to the win.
WIN = 1_000_000
#: Larger than any score.
INFINITY = WIN + 1
#: Estimates and disc scores stay below this; larger scores are wins or losses in some plies.
MAX_ESTIMATE = 100_000


def legal(board: Board, own: Word, other: Word) -> Word:
    """The set of squares on which the side to move may land, 0 if it must pass.

    Called only while the game goes on (`outcome` is ONGOING).
    """
    raise NotImplementedError


def play(board: Board, own: Word, other: Word, move: Word) -> tuple[Word, Word]:
    """The pair of words after a move, seen from the next side to move; move 0 passes."""
    raise NotImplementedError


def outcome(board: Board, own: Word, other: Word) -> Score:
    """ONGOING, or the final score for the side to move: +-WIN, 0, or hundredths of a disc."""
    raise NotImplementedError


def evaluate(board: Board, own: Word, other: Word) -> Score:
    """An estimate for the side to move, in hundredths, below MAX_ESTIMATE in size."""
    raise NotImplementedError


def order(board: Board, own: Word, other: Word, move: Word) -> Word:
    """A static ordering value of a legal move, larger is searched earlier, 0 to 4095."""
    raise NotImplementedError


#: All of them.
FUNCTIONS: tuple[Callable[..., Any], ...] = (legal, play, outcome, evaluate, order)
#: The game's implementation of each function without a body, by the class of its boards.
IMPLEMENTATIONS: dict[tuple[Callable[..., Any], type], Callable[..., Any]] = {}


def implements(function: Callable[..., Any], board_class: type) -> Callable[[_Body], _Body]:
    """Make the decorated function the implementation of `function` for boards of that class."""

    def decorate(body: _Body) -> _Body:
        IMPLEMENTATIONS[function, board_class] = body
        return body

    return decorate
