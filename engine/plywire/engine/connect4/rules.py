"""Connect Four in plain integers, on any board that fits 64 bits.

The bits of a 7x6 board are numbered up each column, with one spare row on top that stays empty;
square a1 is at the lower left:

     6 13 20 27 34 41 48   spare
     5 12 19 26 33 40 47   6
     4 11 18 25 32 39 46   5
     3 10 17 24 31 38 45   4
     2  9 16 23 30 37 44   3
     1  8 15 22 29 36 43   2
     0  7 14 21 28 35 42   1
     a  b  c  d  e  f  g

Bit = column * (height + 1) + row. Thanks to the spare row, no line wraps into the next column.
Adding the bottom row to all stones carries up each column to its lowest empty square. John Tromp's
Fhourstones made this layout known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from plywire.engine import bitboard, fen
from plywire.engine.game import Game, Position, PositionError, Result


@dataclass(frozen=True, slots=True)
class Connect4(Game):
    """Connect Four: drop a stone into a column; four in a row win."""

    name: ClassVar[str] = "connect4"
    title: ClassVar[str] = "Connect Four"
    players: ClassVar[tuple[str, str]] = ("Yellow", "Red")
    sizes: ClassVar[str] = "WIDTHxHEIGHT, both at least 4, width*(height+1) at most 64; 7x6 usual"
    colours: ClassVar[Sequence[str]] = ("3a6a82", "3a6a82", "e6ecf1", "f0bd3f", "d2483f")

    width: int = 7
    height: int = 6
    bottom: int = field(init=False, repr=False, compare=False)
    full: int = field(init=False, repr=False, compare=False)
    """All squares except the spare row."""

    grid: bitboard.Grid = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if min(self.width, self.height) < 4 or self.width * (self.height + 1) > 64:
            raise PositionError(
                f"no {self.title} board of {self.size}: width and height are at least 4, "
                "and width*(height+1) is at most 64"
            )
        columns = range(0, self.width * (self.height + 1), self.height + 1)
        bottom = sum(1 << column for column in columns)
        rows = reversed(range(self.height))
        grid = tuple(tuple(column + row for column in columns) for row in rows)
        object.__setattr__(self, "bottom", bottom)
        object.__setattr__(self, "full", bottom * ((1 << self.height) - 1))
        object.__setattr__(self, "grid", grid)

    def start(self) -> Connect4Position:
        return Connect4Position(self, 0, 0, 0)

    def parse(self, text: str) -> Connect4Position:
        """Read a position string, with no floating stones and no moves after a four.

        Whether some order of moves leads to the position is not checked.
        """
        first, second, turn = fen.read(text, self.grid)
        fen.check_turn(first, second, turn)
        occupied = first | second
        if occupied & (occupied + self.bottom):
            raise PositionError("a stone floats: every stone rests on another or on the bottom")
        own, other = (second, first) if turn else (first, second)
        if self.has_four(own):
            raise PositionError(f"{fen.LETTERS[turn]} is to move but has four in a row already")
        if self.has_four(other):
            last_moves = (occupied + self.bottom) >> 1 & other
            if all(self.has_four(other ^ 1 << move) for move in bitboard.squares(last_moves)):
                raise PositionError(
                    f"{fen.LETTERS[1 - turn]} had four in a row before the last move"
                )
        return Connect4Position(self, own, other, turn)

    def has_four(self, stones: int) -> bool:
        """Return whether four stones stand in a row.

        In each direction, the stones that have a neighbour begin pairs. The pairs that have another
        pair two steps on begin fours.
        """
        for step in (1, self.height, self.height + 1, self.height + 2):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def move_name(self, move: int) -> str:
        return str(move // (self.height + 1) + 1)

    @property
    def actions(self) -> int:
        return self.width

    def action(self, move: int) -> int:
        return move // (self.height + 1)

    def square_name(self, move: int) -> str:
        """Return the square on which the stone lands: a1 is at the lower left."""
        column, row = divmod(move, self.height + 1)
        return fen.square_name(column, row)


@dataclass(frozen=True, slots=True)
class Connect4Position(Position):
    """A position as the stones of the player to move and of the opponent."""

    game: Connect4
    own: int
    other: int
    turn: int

    def moves(self) -> tuple[int, ...]:
        return () if self.game.has_four(self.other) else bitboard.squares(self._landings())

    def play(self, move: int) -> Connect4Position:
        game = self.game
        if not 0 <= move < 64 or not self._landings() >> move & 1 or game.has_four(self.other):
            raise game.illegal(self, move)
        return Connect4Position(game, self.other, self.own | 1 << move, 1 - self.turn)

    def _landings(self) -> int:
        return ((self.own | self.other) + self.game.bottom) & self.game.full

    def result(self) -> Result | None:
        if self.game.has_four(self.other):
            return Result(1 - self.turn, 1 if self.turn else -1, "four in a row")
        if not self._landings():
            return Result(None, 0, "board full")
        return None

    def fen(self) -> str:
        return fen.write(self.cells(), self.turn)

    def board(self) -> str:
        files = [str(column + 1) for column in range(self.game.width)]
        ranks = [str(row) for row in range(self.game.height, 0, -1)]
        return fen.draw(self.cells(), files, ranks)

    def words(self) -> tuple[int, int]:
        return self.own, self.other

    def cells(self) -> tuple[str, ...]:
        first, second = (self.other, self.own) if self.turn else (self.own, self.other)
        return bitboard.cells(self.game.grid, first, second)
