"""Gomoku on a 7x7 board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plywire.engine import bitboard, fen
from plywire.engine.game import Game, Position, PositionError, Result

from .layout import FULL, STEPS

_GRID = tuple(tuple(range(8 * row, 8 * row + 7)) for row in reversed(range(7)))


def has_five(stones: int) -> bool:
    """Whether five of the stones stand in a row."""
    for step in STEPS:
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step & stones >> 4 * step:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Gomoku(Game):
    """Gomoku: five in a row win."""

    name: ClassVar[str] = "gomoku"
    title: ClassVar[str] = "Gomoku"
    players: ClassVar[tuple[str, str]] = ("Black", "White")
    sizes: ClassVar[str] = "7x7"

    width: int = 7
    height: int = 7

    def __post_init__(self) -> None:
        """Check the size."""
        if (self.width, self.height) != (7, 7):
            raise PositionError(f"no {self.title} board of {self.size}: it is 7x7")

    def start(self) -> GomokuPosition:
        """The empty board."""
        return GomokuPosition(self, 0, 0, 0)

    def parse(self, text: str) -> GomokuPosition:
        """Read a position string."""
        first, second, turn = fen.read(text, _GRID)
        fen.check_turn(first, second, turn)
        own, other = (second, first) if turn else (first, second)
        if has_five(own):
            raise PositionError(f"{fen.LETTERS[turn]} is to move but has five in a row already")
        return GomokuPosition(self, own, other, turn)

    def move_name(self, move: int) -> str:
        """The square's name."""
        return self.square_name(move)

    @property
    def actions(self) -> int:
        """One for each square."""
        return 49

    def action(self, move: int) -> int:
        """The square, counted along the rows from the upper left."""
        return 7 * (6 - move // 8) + move % 8

    def square_name(self, move: int) -> str:
        """The square on which the stone lands: a1 is at the lower left."""
        return fen.square_name(move % 8, move // 8)


@dataclass(frozen=True, slots=True)
class GomokuPosition(Position):
    """Whose stones are where, seen from the player to move."""

    game: Gomoku
    own: int
    other: int
    turn: int

    def moves(self) -> tuple[int, ...]:
        """The empty squares, while the game goes on."""
        if has_five(self.other):
            return ()
        return bitboard.squares(FULL & ~(self.own | self.other))

    def play(self, move: int) -> GomokuPosition:
        """The position after a stone was placed on the square."""
        if move not in self.moves():
            raise self.game.illegal(self, move)
        return GomokuPosition(self.game, self.other, self.own | 1 << move, 1 - self.turn)

    def result(self) -> Result | None:
        """The win of the player who moved last, a draw on a full board, or None."""
        if has_five(self.other):
            return Result(1 - self.turn, 1 if self.turn else -1, "five in a row")
        if self.own | self.other == FULL:
            return Result(None, 0, "board full")
        return None

    def fen(self) -> str:
        """The position string."""
        return fen.write(self.cells(), self.turn)

    def board(self) -> str:
        """The board, rank 7 at the top."""
        return fen.draw(self.cells(), "abcdefg", "7654321")

    def words(self) -> tuple[int, int]:
        """The stones of the player to move, and of the other."""
        return self.own, self.other

    def cells(self) -> tuple[str, ...]:
        """The rows from the top."""
        first, second = (self.other, self.own) if self.turn else (self.own, self.other)
        return bitboard.cells(_GRID, first, second)
