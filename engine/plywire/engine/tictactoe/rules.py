"""The rules of Tic-Tac-Toe, on the word that `layout.py` draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from plywire.engine import bitboard, fen
from plywire.engine.game import Game, Position, PositionError, Result

from .layout import GAME_ON, X_TO_MOVE

_FULL = 0o777
#: Three rows, three columns, two diagonals.
_THREES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
GRID = ((6, 7, 8), (3, 4, 5), (0, 1, 2))


def _has_three(squares: int) -> bool:
    return any(squares & three == three for three in _THREES)


@dataclass(frozen=True, slots=True)
class TicTacToe(Game):
    """Tic-Tac-Toe: three in a row win."""

    name: ClassVar[str] = "tictactoe"
    title: ClassVar[str] = "Tic-Tac-Toe"
    players: ClassVar[tuple[str, str]] = ("X", "O")
    sizes: ClassVar[str] = "3x3"

    width: int = 3
    height: int = 3

    def __post_init__(self) -> None:
        if (self.width, self.height) != (3, 3):
            raise PositionError(f"no {self.title} board of {self.size}: it is 3x3")

    def start(self) -> TicTacToePosition:
        return TicTacToePosition(self, GAME_ON | X_TO_MOVE)

    def parse(self, text: str) -> TicTacToePosition:
        """Read a position string; raise PositionError unless some game leads to the position."""
        first, second, turn = fen.read(text, GRID)
        fen.check_turn(first, second, turn)
        own, other = (second, first) if turn else (first, second)
        if _has_three(own):
            raise PositionError(f"{fen.LETTERS[turn]} is to move but has three in a row already")
        return _position(self, own, other, turn)

    def move_name(self, move: int) -> str:
        return self.square_name(move)

    @property
    def actions(self) -> int:
        return 9

    def action(self, move: int) -> int:
        """Return the square, counted along the rows from the upper left."""
        return 3 * (2 - move // 3) + move % 3

    def square_name(self, move: int) -> str:
        """Return the square that is taken: a1 is at the lower left."""
        return fen.square_name(move % 3, move // 3)


def _position(game: TicTacToe, own: int, other: int, turn: int) -> TicTacToePosition:
    first, second = (other, own) if turn else (own, other)
    word = first | second << 16
    if not turn:
        word |= X_TO_MOVE
    if not _has_three(other) and first | second != _FULL:
        word |= GAME_ON
    return TicTacToePosition(game, word)


@dataclass(frozen=True, slots=True)
class TicTacToePosition(Position):
    """The word that `layout.py` describes."""

    game: TicTacToe
    word: int
    turn: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "turn", 0 if self.word & X_TO_MOVE else 1)

    def moves(self) -> tuple[int, ...]:
        if not self.word & GAME_ON:
            return ()
        return bitboard.squares(~(self.word | self.word >> 16) & _FULL)

    def play(self, move: int) -> TicTacToePosition:
        if move not in self.moves():
            raise self.game.illegal(self, move)
        first, second = self._squares()
        own, other = (second, first) if self.turn else (first, second)
        return _position(self.game, other, own | 1 << move, 1 - self.turn)

    def result(self) -> Result | None:
        if self.word & GAME_ON:
            return None
        if _has_three(self._squares()[1 - self.turn]):
            return Result(1 - self.turn, 1 if self.turn else -1, "three in a row")
        return Result(None, 0, "board full")

    def _squares(self) -> tuple[int, int]:
        return self.word & _FULL, self.word >> 16 & _FULL

    def fen(self) -> str:
        return fen.write(self.cells(), self.turn)

    def board(self) -> str:
        return fen.draw(self.cells(), "abc", "321")

    def words(self) -> tuple[int, int]:
        return self.word, 0

    def cells(self) -> tuple[str, ...]:
        return bitboard.cells(GRID, *self._squares())
