"""Othello in plain integers.

Bit 0 is a1, bit 7 is h1 and bit 63 is h8; row 1 is at the top, as Othello players draw it:

     0  1  2  3  4  5  6  7   1
     8  9 10 11 12 13 14 15   2
    ..                   ..
    56 57 58 59 60 61 62 63   8
     a  b  c  d  e  f  g  h

To find moves and flips, all discs flood over the opponent's discs at once, along each direction.
This is the parallel-prefix method of Kogge and Stone, which chess programs use for sliding pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from plywire.engine import bitboard, fen
from plywire.engine.game import PASS, Game, Position, PositionError, Result

_ALL = 0xFFFF_FFFF_FFFF_FFFF
#: The files b to g. A line of flipped discs along a rank or a diagonal never touches a or h, so it
#: cannot wrap into the next rank.
_INNER = 0x7E7E_7E7E_7E7E_7E7E
#: The four lines through a square: for each, the distance in bits between neighbours, and the
#: squares on which discs can flip.
_LINES = ((1, _INNER), (7, _INNER), (8, _ALL), (9, _INNER))
_CENTRE = 0x0000_0018_1800_0000
GRID = tuple(tuple(range(8 * row, 8 * row + 8)) for row in range(8))


def mobility(own: int, other: int) -> int:
    """Return the empty squares on which a disc would flip a disc of the opponent."""
    landings = 0
    for step, inner in _LINES:
        line = other & inner
        pairs = line & line << step
        up = line & own << step
        up |= line & up << step
        up |= pairs & up << 2 * step
        up |= pairs & up << 2 * step
        pairs >>= step
        down = line & own >> step
        down |= line & down >> step
        down |= pairs & down >> 2 * step
        down |= pairs & down >> 2 * step
        landings |= up << step | down >> step
    return landings & ~(own | other) & _ALL


def flips(own: int, other: int, disc: int) -> int:
    """Return the opponent's discs that a new disc, given as its bit, encloses."""
    flipped = 0
    for step, inner in _LINES:
        line = other & inner
        pairs = line & line << step
        up = line & disc << step
        up |= line & up << step
        up |= pairs & up << 2 * step
        up |= pairs & up << 2 * step
        if up << step & own:
            flipped |= up
        pairs >>= step
        down = line & disc >> step
        down |= line & down >> step
        down |= pairs & down >> 2 * step
        down |= pairs & down >> 2 * step
        if down >> step & own:
            flipped |= down
    return flipped


@dataclass(frozen=True, slots=True)
class Othello(Game):
    """Othello: enclose the opponent's discs to flip them; most discs win."""

    name: ClassVar[str] = "othello"
    title: ClassVar[str] = "Othello"
    players: ClassVar[tuple[str, str]] = ("Black", "White")
    sizes: ClassVar[str] = "8x8"
    colours: ClassVar[Sequence[str]] = ("3f7f5f", "2c5f46", "3f7f5f", "1b1d1f", "f6f4ee")

    width: int = 8
    height: int = 8

    def __post_init__(self) -> None:
        if (self.width, self.height) != (8, 8):
            raise PositionError(f"no {self.title} board of {self.size}: it is 8x8")

    def start(self) -> OthelloPosition:
        return OthelloPosition(self, 0x0000_0008_1000_0000, 0x0000_0010_0800_0000, 0)

    def parse(self, text: str) -> OthelloPosition:
        """Read a position string with discs on the four squares in the centre.

        Whether some order of moves leads to the position is not checked.
        """
        first, second, turn = fen.read(text, GRID)
        if _CENTRE & ~(first | second):
            raise PositionError("a centre square is empty: d4, e4, d5 and e5 always hold discs")
        own, other = (second, first) if turn else (first, second)
        return OthelloPosition(self, own, other, turn)

    def move_name(self, move: int) -> str:
        return "pass" if move == PASS else fen.square_name(move % 8, move // 8)

    def square_name(self, move: int) -> str:
        """Return the square on which the disc lands: a1 is at the upper left."""
        return "-" if move == PASS else fen.square_name(move % 8, move // 8)


@dataclass(frozen=True, slots=True)
class OthelloPosition(Position):
    """A position as the discs of the player to move and of the opponent."""

    game: Othello
    own: int
    other: int
    turn: int
    _moves: tuple[int, ...] | None = field(default=None, init=False, repr=False, compare=False)

    def moves(self) -> tuple[int, ...]:
        """Return the legal squares; a pass if only the opponent has a legal square."""
        if self._moves is None:
            moves = bitboard.squares(mobility(self.own, self.other))
            if not moves and mobility(self.other, self.own):
                moves = (PASS,)
            # The moves are kept, because every caller asks more than once and to compute them is
            # slow.
            object.__setattr__(self, "_moves", moves)
            return moves
        return self._moves

    def play(self, move: int) -> OthelloPosition:
        if move not in self.moves():
            raise self.game.illegal(self, move)
        if move == PASS:
            return OthelloPosition(self.game, self.other, self.own, 1 - self.turn)
        disc = 1 << move
        flipped = flips(self.own, self.other, disc)
        own, other = self.own | disc | flipped, self.other ^ flipped
        return OthelloPosition(self.game, other, own, 1 - self.turn)

    def result(self) -> Result | None:
        """Return the result once neither player has a move; empty squares count for the winner."""
        if self.moves():
            return None
        black, white = self._discs()
        black, white = black.bit_count(), white.bit_count()
        reason = "board full" if black + white == 64 else "no moves left"
        if black == white:
            return Result(None, 0, reason)
        if black > white:
            return Result(0, 64 - 2 * white, reason)
        return Result(1, 2 * black - 64, reason)

    def _discs(self) -> tuple[int, int]:
        return (self.other, self.own) if self.turn else (self.own, self.other)

    def fen(self) -> str:
        return fen.write(self.cells(), self.turn)

    def board(self) -> str:
        return fen.draw(self.cells(), "abcdefgh", "12345678")

    def words(self) -> tuple[int, int]:
        return self.own, self.other

    def cells(self) -> tuple[str, ...]:
        return bitboard.cells(GRID, *self._discs())
