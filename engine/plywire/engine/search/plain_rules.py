"""The contract between a game and the plain search, without NumPy or machine code.

Scores are for the player to move, as in `compiled/contract.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

from plywire.engine.compiled.contract import WIN
from plywire.engine.game import PASS, Game, Position, Result

#: The worth of each move that a player has more than the other, in hundredths.
_MOBILITY = 10

State = TypeVar("State")
"""The plain search's form of a position; each game chooses it."""


class PlainRules(ABC, Generic[State]):
    """A game, for the plain search."""

    @abstractmethod
    def state(self, position: Position) -> State:
        """Return the state of a position that is not over."""

    @abstractmethod
    def play(self, state: State, move: int) -> State:
        """Return the state after a legal move, which may be a pass."""

    @abstractmethod
    def key(self, state: State) -> Hashable:
        """Return a key that is equal only for states of equal worth."""

    @abstractmethod
    def known(self, state: State) -> int | None:
        """Return the score (±WIN less the plies, 0, or hundredths), None if it needs a search.

        The score of a finished game must be known. The exception is a win that `known`
        predicted before the last move.
        """

    @abstractmethod
    def moves(self, state: State, depth: int) -> Sequence[int]:
        """Return moves, with a best one among them, in likely order; called if no score is known.

        At greater `depth`, in plies, ordering may take longer.
        """

    @abstractmethod
    def estimate(self, state: State) -> int:
        """Return an estimate in hundredths; its absolute value is below MAX_ESTIMATE."""


def final_score(result: Result, turn: int) -> int:
    """Return a player's score in a finished game: ±WIN, or hundredths if discs were counted."""
    own = result.score if turn == 0 else -result.score
    return own * WIN if abs(own) == 1 else own * 100


def off_centre(game: Game, move: int) -> tuple[int, int]:
    """Return the distance of a move from the middle column and the middle row, in half squares."""
    if move == PASS:
        return 0, 0
    square = game.square_name(move)
    column, row = ord(square[0]) - ord("a"), int(square[1:]) - 1
    return abs(2 * column - game.width + 1), abs(2 * row - game.height + 1)


class Node(NamedTuple):
    """A state of `AnyGame`."""

    position: Position
    moves: tuple[int, ...]
    mobility: int
    """The number of moves that the opponent had in the state before."""
    lead: int
    """How much closer to the middle than the opponent the player to move has played, in hundredths.

    Counts from the root of the search.
    """


class AnyGame(PlainRules[Node]):
    """Any game, from its rules alone: estimates by mobility and closeness to the middle."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._worth: dict[int, int] = {}

    def state(self, position: Position) -> Node:
        moves = position.moves()
        return Node(position, moves, len(moves), 0)

    def play(self, state: Node, move: int) -> Node:
        position, moves, _, lead = state
        after = position.play(move)
        return Node(after, after.moves(), len(moves), -lead - self._worth_of(move))

    def key(self, state: Node) -> Hashable:
        return state.position.words()

    def known(self, state: Node) -> int | None:
        position, moves, *_ = state
        if moves:
            return None
        result = position.result()
        return 0 if result is None else final_score(result, position.turn)

    def moves(self, state: Node, depth: int) -> Sequence[int]:
        return sorted(state.moves, key=self._worth_of, reverse=True)

    def estimate(self, state: Node) -> int:
        return _MOBILITY * (len(state.moves) - state.mobility) + state.lead

    def _worth_of(self, move: int) -> int:
        worth = self._worth.get(move)
        if worth is None:
            worth = self._worth[move] = -sum(off_centre(self._game, move))
        return worth
