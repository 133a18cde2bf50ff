"""The contract of what the plain search asks about one game, in plain Python integers.

`AnyGame` keeps it for every game, by the rules alone. The backend of a game may have something
quicker or cleverer (`Backend.plain_rules`). Nothing here imports NumPy or loads machine code.

Scores are seen from the side to move, as in `compiled/contract.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

from plywire.engine.compiled.contract import WIN
from plywire.engine.game import PASS, Game, Position, Result

#: Hundredths for each move that a side has more than the other.
_MOBILITY = 10

State = TypeVar("State")
"""A position as the plain search of one game carries it."""


class PlainRules(ABC, Generic[State]):
    """What the plain search asks about one game."""

    @abstractmethod
    def state(self, position: Position) -> State:
        """The state of a position in which the game goes on."""

    @abstractmethod
    def play(self, state: State, move: int) -> State:
        """The state after a legal move, which may be a pass."""

    @abstractmethod
    def key(self, state: State) -> Hashable:
        """A key that equal states share, and states of different worth do not."""

    @abstractmethod
    def known(self, state: State) -> int | None:
        """The score, if it is known without a search: ±WIN less the plies, 0, or hundredths.

        It must be known where the game is over, except after a move that `known` has seen to win.
        """

    @abstractmethod
    def moves(self, state: State, depth: int) -> Sequence[int]:
        """Moves, one of which is the best; the most likely ones first.

        `depth` is how many plies will be searched: ordering may take longer where it is larger.
        Called only where no score is known.
        """

    @abstractmethod
    def estimate(self, state: State) -> int:
        """An estimate in hundredths, below MAX_ESTIMATE in size."""


def final_score(result: Result, turn: int) -> int:
    """The score of a finished game for a player: ±WIN, or hundredths where discs were counted."""
    own = result.score if turn == 0 else -result.score
    return own * WIN if abs(own) == 1 else own * 100


def off_centre(game: Game, move: int) -> tuple[int, int]:
    """How far from the middle column, then the middle row, a move lands, in half squares."""
    if move == PASS:
        return 0, 0
    square = game.square_name(move)
    column, row = ord(square[0]) - ord("a"), int(square[1:]) - 1
    return abs(2 * column - game.width + 1), abs(2 * row - game.height + 1)


class Node(NamedTuple):
    """A state of `AnyGame`."""

    position: Position
    moves: tuple[int, ...]
    """The legal moves."""
    mobility: int
    """How many moves the other player had."""
    lead: int
    """By how much the side to move has played nearer the middle since the root, in hundredths."""


class AnyGame(PlainRules[Node]):
    """The rules of a game as they are, estimated by mobility and nearness to the middle."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._worth: dict[int, int] = {}

    def state(self, position: Position) -> Node:
        """The node at the root."""
        moves = position.moves()
        return Node(position, moves, len(moves), 0)

    def play(self, state: Node, move: int) -> Node:
        """The node of the next position."""
        position, moves, _, lead = state
        after = position.play(move)
        return Node(after, after.moves(), len(moves), -lead - self._worth_of(move))

    def key(self, state: Node) -> Hashable:
        """The words of the position, which are all that kernels need to know of it."""
        return state.position.words()

    def known(self, state: Node) -> int | None:
        """The score if the game is over."""
        position, moves, *_ = state
        if moves:
            return None
        result = position.result()
        return 0 if result is None else final_score(result, position.turn)

    def moves(self, state: Node, depth: int) -> Sequence[int]:
        """All legal moves, from the middle outwards."""
        return sorted(state.moves, key=self._worth_of, reverse=True)

    def estimate(self, state: Node) -> int:
        """Mobility, and who has played nearer to the middle."""
        return _MOBILITY * (len(state.moves) - state.mobility) + state.lead

    def _worth_of(self, move: int) -> int:
        worth = self._worth.get(move)
        if worth is None:
            worth = self._worth[move] = -sum(off_centre(self._game, move))
        return worth
