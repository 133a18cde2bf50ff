"""The contract of rules: what a game and its positions are.

Rules are plain Python integers: they load at once, never touch Numba and search nothing. What
thinks about a game is its backend (`search/backend.py`); the registry (`registry.py`) knows both.

A move is the index of the square on which the piece lands (bit 0 to 63), or `PASS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .moves import PASS as PASS


class RulesError(ValueError):
    """A game, position or move that the rules do not allow; the text says what is accepted."""


class UnknownGameError(RulesError):
    """No game of this name is registered."""


class PositionError(RulesError):
    """A position string that does not describe a legal position of the game."""


class IllegalMoveError(RulesError):
    """A move that cannot be played in the position."""


def quoted(text: str) -> str:
    """Text as an error message quotes it: on one line, and never at length."""
    return repr(text if len(text) <= 40 else text[:40] + "…")


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    winner: int | None
    """0 for the first player, 1 for the second, None for a draw; `Board` and the protocol count
    players from 1."""
    score: int
    """For the first player: final disc difference in Othello, else 1, 0 or -1."""
    reason: str
    """In words, such as `four in a row`."""


class Position(ABC):
    """One position of one game: immutable, hashable, compared by value."""

    __slots__ = ()

    game: Game
    turn: int
    """Whose move it is: 0 for the first player, 1 for the second. `Board`, limits and the protocol
    count players from 1."""

    @abstractmethod
    def moves(self) -> tuple[int, ...]:
        """The legal moves in ascending order; `(PASS,)` if passing is all that is left.

        Empty if and only if the game is over.
        """

    @abstractmethod
    def play(self, move: int) -> Position:
        """The position after a move.

        Raises IllegalMoveError if the move is not legal here.
        """

    @abstractmethod
    def result(self) -> Result | None:
        """How the game ended, None while it goes on."""

    @abstractmethod
    def fen(self) -> str:
        """The position string, which `Game.parse` reads back."""

    @abstractmethod
    def board(self) -> str:
        """The board drawn as lines of text, top row first, with coordinates."""

    @abstractmethod
    def words(self) -> tuple[int, int]:
        """The two 64-bit words that the game's kernels work on."""

    @abstractmethod
    def cells(self) -> tuple[str, ...]:
        """The rows from the top, a character a square: `x`, `o` or `.`."""

    @property
    def plies_left(self) -> int:
        """How many plies, passes not counted, the game can last at most.

        One for each empty square, unless the game says otherwise.
        """
        return sum(row.count(".") for row in self.cells())

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.result() is not None

    def is_late_pass(self, name: str) -> bool:
        """Whether it is a pass after the end, which all who read games ignore."""
        return name.lower() == "pass" and self.is_over

    def play_names(self, names: Sequence[str]) -> list[Position]:
        """The positions after each of the named moves; a pass after the end changes nothing.

        Raises IllegalMoveError, naming the move and its place, if one of them cannot be played.
        """
        positions: list[Position] = []
        position: Position = self
        for number, name in enumerate(names, 1):
            try:
                if not position.is_late_pass(name):
                    position = position.play(self.game.parse_move(position, name))
            except IllegalMoveError as error:
                if len(names) == 1:
                    raise
                raise IllegalMoveError(f"move {number}: {error}") from None
            positions.append(position)
        return positions


class Game(ABC):
    """The rules of one game at one board size: immutable, hashable, compared by value.

    The class is called with a width and a height, or without for the usual size, and raises
    PositionError if the game does not come in that size.
    """

    __slots__ = ()

    name: ClassVar[str]
    """Registry name: lower case, no spaces."""
    title: ClassVar[str]
    """What people call the game."""
    players: ClassVar[tuple[str, str]]
    """What the two sides are called, first player first."""
    sizes: ClassVar[str]
    """Which board sizes exist, in words."""
    colours: ClassVar[Sequence[str]] = ("fffefb", "c6c0b4", "fffefb", "1f5f7a", "a4331f")
    """The colours of a picture of the board as RRGGBB: the ground, its lines, an empty square, the
    first player's pieces and the second's."""

    width: int
    height: int

    @property
    def size(self) -> str:
        """The board size as WIDTHxHEIGHT."""
        return f"{self.width}x{self.height}"

    @abstractmethod
    def start(self) -> Position:
        """The position in which the game begins."""

    @abstractmethod
    def parse(self, text: str) -> Position:
        """Read a position string.

        Raises PositionError if it is not one of a position that can be played.
        """

    def parse_move(self, position: Position, text: str) -> int:
        """Read the name of a move, legal in the position, in upper or lower case.

        Raises IllegalMoveError with the names of the legal moves otherwise.
        """
        name = text.lower()
        for move in position.moves():
            if self.move_name(move) == name:
                return move
        raise self.illegal(position, text)

    def illegal(self, position: Position, move: int | str) -> IllegalMoveError:
        """The error to raise for a move, or a name, that cannot be played in the position."""
        if isinstance(move, str):
            named = quoted(move)
        else:  # Python writes out no number of thousands of digits
            named = f"of number {move}" if move.bit_length() < 64 else "of so large a number"
        result = position.result()
        if result is not None:
            return IllegalMoveError(f"no move {named}: the game is over, {result.reason}")
        moves = position.moves()
        numbers = "" if isinstance(move, str) else f", of numbers {' '.join(map(str, moves))}"
        legal = " ".join(map(self.move_name, moves))
        return IllegalMoveError(f"no move {named} here: the legal moves are {legal}{numbers}")

    @abstractmethod
    def move_name(self, move: int) -> str:
        """The name of a move; `parse_move` reads it back."""

    @property
    def actions(self) -> int:
        """How many numbers of actions there are, where programs that learn choose moves by number.

        By default an action is the move itself.
        """
        return PASS + 1

    def action(self, move: int) -> int:
        """The action of a move, from 0 to less than `actions`."""
        return move

    @abstractmethod
    def square_name(self, move: int) -> str:
        """The square on which a move lands, such as `d1`; `-` for a pass."""
