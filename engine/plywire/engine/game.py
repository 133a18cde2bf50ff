"""The contract of a game, and the registry of games.

A game is a package with two views of the same rules:

* `rules.py`: `Game` and `Position` in plain Python integers. Sessions, referees and clients use
  these; they load at once and never touch Numba.
* `kernels.py`: the same rules as compiled functions over two 64-bit words, for searching. They are
  imported when a search first needs them (`Game.board`). What they must provide is in `kernels.py`
  beside this file.

A move is the index of the square on which the piece lands (bit 0 to 63), or `PASS`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from random import Random

    from .analysis import Info
    from .search.searcher import Iteration, Searcher
    from .search.solver import ExactSolver
    from .search.table import Table

#: The move that leaves the board as it is.
PASS = 64

_SIZE = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)", re.IGNORECASE)


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
    """0 for the first player, 1 for the second, None for a draw."""
    score: int
    """For the first player: final disc difference in Othello, else 1, 0 or -1."""
    reason: str
    """In words, such as `four in a row`."""


class Position(ABC):
    """One position of one game: immutable, hashable, compared by value."""

    __slots__ = ()

    game: Game
    turn: int
    """Whose move it is: 0 for the first player, 1 for the second."""

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
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.result() is not None

    def play_names(self, names: Sequence[str]) -> list[Position]:
        """The positions after each of the named moves.

        Raises IllegalMoveError, naming the move and its place, if one of them cannot be played.
        """
        positions: list[Position] = []
        position: Position = self
        for number, name in enumerate(names, 1):
            try:
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

    def illegal(self, position: Position, name: str) -> IllegalMoveError:
        """The error to raise for a move that cannot be played in the position."""
        result = position.result()
        if result is not None:
            return IllegalMoveError(f"no move {quoted(name)}: the game is over, {result.reason}")
        legal = " ".join(map(self.move_name, position.moves()))
        return IllegalMoveError(f"no move {quoted(name)} here: the legal moves are {legal}")

    @abstractmethod
    def move_name(self, move: int) -> str:
        """The name of a move; `parse_move` reads it back."""

    @abstractmethod
    def square_name(self, move: int) -> str:
        """The square on which a move lands, such as `d1`; `-` for a pass."""

    def opening_line(self, position: Position, chance: Random) -> Info | None:
        """A line from the opening book, None if the game has none or it does not know how to go on.

        Its first move is drawn from those that are about as good as the best.
        """
        return None

    def solver(self, hash_mb: float, threads: int, *, book: bool = True) -> ExactSolver | None:
        """A new solver of this game whose tables take that many MB; None if the game has none.

        It may use a `book` of solved positions. Imports Numba. Raises ValueError if there is no
        memory for the table.
        """
        return None

    def searcher(self, position: Position, table: Table, node_limit: int) -> Searcher:
        """A new search of one of its positions, which may be the game's own kind of search.

        It uses that table and visits that many nodes at most. Imports Numba.
        """
        from .search.generic import GenericSearcher

        return GenericSearcher(position, table, node_limit)

    def iterations(self, remaining: int, deepest: int) -> Sequence[Iteration]:
        """The steps in which to search a position that can last `remaining` plies at most.

        The first searches one ply, the last `deepest`, which is at most what remains; passes are
        not counted.
        """
        from .search.searcher import Iteration

        return [Iteration(depth) for depth in range(1, deepest + 1)]

    def plies_without_thinking(self, plies: int, left: int) -> int:
        """How many of a game's last plies are expected to take next to no time.

        `plies` is how long it can last at most, `left` the time that the player to move has for it,
        in ms. Games tend to be decided, and their ends solved at once, long before the board is
        full.
        """
        return plies // 2

    @abstractmethod
    def board(self) -> Any:
        """The compiled view of the game: a NamedTuple that selects its kernels.

        Imports Numba.
        """


#: Where each game's class is found; importing happens when a game is first asked for.
_REGISTRY: dict[str, str] = {
    "connect4": "plywire.engine.connect4.rules:Connect4",
    "othello": "plywire.engine.othello.rules:Othello",
    "tictactoe": "plywire.engine.tictactoe.rules:TicTacToe",
}


def register(name: str, target: str) -> None:
    """Add a game to the registry.

    `target` is `package.module:Class`, the class a `Game`.
    """
    _REGISTRY[name] = target


def names() -> tuple[str, ...]:
    """The names of all registered games."""
    return tuple(_REGISTRY)


def load(name: str, size: str | None = None) -> Game:
    """The game of that name, at its usual size or the one given as WIDTHxHEIGHT.

    Raises UnknownGameError, or PositionError if the game does not come in that size.
    """
    try:
        target = _REGISTRY[name]
    except KeyError:
        known = ", ".join(_REGISTRY)
        raise UnknownGameError(f"unknown game {quoted(name)}: the games are {known}") from None
    module, _, attribute = target.partition(":")
    factory: Callable[..., Game] = getattr(import_module(module), attribute)
    if size is None:
        return factory()
    if not (match := _SIZE.fullmatch(size)):
        raise PositionError(f"bad board size {quoted(size)}: write WIDTHxHEIGHT, such as 7x6")
    return factory(int(match[1]), int(match[2]))
