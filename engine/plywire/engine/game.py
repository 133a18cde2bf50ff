"""The contract of rules: games and their positions, in plain Python integers without Numba.

A move is the index of the square on which the piece lands (bit 0 to 63), or `PASS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .moves import PASS as PASS


class RulesError(ValueError):
    """The rules do not allow a game, position or move; the message says what is accepted."""


class UnknownGameError(RulesError):
    """No game of this name is registered."""


class PositionError(RulesError):
    """A position string describes no legal position of the game."""


class IllegalMoveError(RulesError):
    """A move cannot be played in the position."""


def quoted(text: str) -> str:
    """Return text in quotes for an error message: on one line, and cut if long."""
    return repr(text if len(text) <= 40 else text[:40] + "…")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished game."""

    winner: int | None
    """0 for player 1, 1 for player 2, None for a draw; `Board` and the protocol count from 1."""
    score: int
    """For player 1: the final disc difference in Othello, else 1, 0 or -1."""
    reason: str
    """The reason in words, such as `four in a row`."""


class Position(ABC):
    """A position of a game: immutable, hashable, compared by value."""

    __slots__ = ()

    game: Game
    turn: int
    """The player to move: 0 or 1. `Board`, limits and the protocol count from 1."""

    @abstractmethod
    def moves(self) -> tuple[int, ...]:
        """Return the legal moves, ascending: `(PASS,)` if none but a pass, () after the end."""

    @abstractmethod
    def play(self, move: int) -> Position:
        """Return the position after a move; raise IllegalMoveError if the move is illegal."""

    @abstractmethod
    def result(self) -> Result | None:
        """Return the result of the game, None if it is not over."""

    @abstractmethod
    def fen(self) -> str:
        """Return the position string, which `Game.parse` reads."""

    @abstractmethod
    def board(self) -> str:
        """Return the board as lines of text, top row first, with coordinates."""

    @abstractmethod
    def words(self) -> tuple[int, int]:
        """Return the two 64-bit words that the game's kernels use."""

    @abstractmethod
    def cells(self) -> tuple[str, ...]:
        """Return the rows from the top, one character for each square: `x`, `o` or `.`."""

    @property
    def plies_left(self) -> int:
        """The maximum number of plies, without passes, that the game can still last."""
        return sum(row.count(".") for row in self.cells())

    @property
    def is_over(self) -> bool:
        return self.result() is not None

    def is_late_pass(self, name: str) -> bool:
        """Return whether the move is a pass after the end, which readers of games ignore."""
        return name.lower() == "pass" and self.is_over

    def play_names(self, names: Sequence[str]) -> list[Position]:
        """Return the positions after each of the named moves; a pass after the end changes nothing.

        Raises IllegalMoveError, with the move and its number.
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
    """The rules of a game at one board size: immutable, hashable, compared by value.

    Without width and height, the size is the usual one. Raises PositionError for other sizes.
    """

    __slots__ = ()

    name: ClassVar[str]
    """The name in the registry: lower case, no spaces."""
    title: ClassVar[str]
    """The name for people."""
    players: ClassVar[tuple[str, str]]
    """The names of players 1 and 2."""
    sizes: ClassVar[str]
    """The possible board sizes, in words."""
    colours: ClassVar[Sequence[str]] = ("fffefb", "c6c0b4", "fffefb", "1f5f7a", "a4331f")
    """RRGGBB of the ground, its lines, an empty square, and the pieces of players 1 and 2."""

    width: int
    height: int

    @property
    def size(self) -> str:
        """The board size as WIDTHxHEIGHT."""
        return f"{self.width}x{self.height}"

    @abstractmethod
    def start(self) -> Position:
        """Return the position in which the game begins."""

    @abstractmethod
    def parse(self, text: str) -> Position:
        """Read a position string; raise PositionError if no game can be played from it."""

    def parse_move(self, position: Position, text: str) -> int:
        """Read a legal move in upper or lower case; raise IllegalMoveError for other text."""
        name = text.lower()
        for move in position.moves():
            if self.move_name(move) == name:
                return move
        raise self.illegal(position, text)

    def illegal(self, position: Position, move: int | str) -> IllegalMoveError:
        """Return the error for a move, or a name, that cannot be played in the position."""
        if isinstance(move, str):
            named = quoted(move)
        else:  # Python refuses to print numbers of thousands of digits
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
        """Return the name of a move, which `parse_move` reads."""

    @property
    def actions(self) -> int:
        """The number of actions, for learning programs; an action is the move by default."""
        return PASS + 1

    def action(self, move: int) -> int:
        """Return the action of a move, from 0 to less than `actions`."""
        return move

    @abstractmethod
    def square_name(self, move: int) -> str:
        """Return the square on which a move lands, such as `d1`; `-` for a pass."""
