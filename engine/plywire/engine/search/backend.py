"""The contract of what thinks about one game: its kernels, searches, solver and opening book.

A backend belongs to the rules of a game, which do not know it. The registry knows both. To import a
backend loads no kernels: its methods import what they need when they are called.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from plywire.engine.compiled.program import Program

from .levels import Levels
from .searcher import Iteration, every_depth

if TYPE_CHECKING:
    from random import Random

    from plywire.engine.analysis import AnalysisLine
    from plywire.engine.compiled.native import Wanted
    from plywire.engine.game import Game, Position

    from .plain_rules import PlainRules
    from .searcher import Searcher
    from .solver import ExactSolver
    from .table import TranspositionTable


class OpeningBook(Protocol):
    """An opening book that was read from a file; the rest is known to its game alone."""

    @property
    def game(self) -> Game:
        """The game, and the board size, of its positions."""


class Backend(ABC):
    """What thinks about one game at one board size.

    A game has to bring along only its board. The other methods are for games that have something
    better than the search that all games share.
    """

    can_solve: ClassVar[bool] = False
    """Whether `solver` gives one."""
    levels: ClassVar[Levels] = Levels()
    """What each level searches and plays."""
    bench: ClassVar[Sequence[tuple[int, str]]] = ()
    """What `plywire bench` searches: how deep, and the moves to the position."""
    most_empty: ClassVar[int | None] = None
    """With more empty squares, a value is hardly ever proven in a second; None if it may be."""

    def __init__(self, game: Game) -> None:
        """Think about that game, of the class that the backend was registered for."""
        self.game = game

    @abstractmethod
    def board(self) -> Any:
        """The compiled view of the game: a NamedTuple that selects its kernels.

        What the kernels must provide is in `engine/compiled/contract.py`.
        """

    def searcher(self, position: Position, table: TranspositionTable, node_limit: int) -> Searcher:
        """A new search of one of the game's positions.

        It uses that table and visits that many nodes at most.
        """
        from .generic import GenericSearcher

        return GenericSearcher(self.program(), self.board(), position, table, node_limit)

    def plain_rules(self) -> PlainRules[Any]:
        """What the plain search asks about the game; imports neither NumPy nor Numba."""
        from .plain_rules import AnyGame

        return AnyGame(self.game)

    def iterations(self, remaining: int, deepest: int, *, may_run_out: bool) -> Sequence[Iteration]:
        """The steps in which to search a position that can last `remaining` plies at most.

        The first step searches one ply, and the last `deepest` plies, at most those that remain;
        passes are not counted. If time or nodes may run out, a good move at any time counts; if
        not, only how soon the last step is done.
        """
        return every_depth(remaining, deepest, may_run_out=may_run_out)

    def plies_without_thinking(self, plies: int, left: int) -> int:
        """How many of the last plies of a game are expected to take next to no time.

        `plies` is how long the game can last at most. `left` is the time of the player to move for
        the rest of the game, in ms. Most games are decided long before the board is full, and their
        ends are solved at once.
        """
        return plies // 2

    def exam_plies(self) -> tuple[int, int]:
        """After how many plies exams ask for moves, at least and at most.

        The value of each move must be provable in seconds. By default that is the last quarter.
        """
        plies = self.game.start().plies_left
        return plies * 3 // 4, plies - 4

    def program(self) -> Program:
        """The kernels that `searcher` and the static evaluation use."""
        return self._program(self.game.name, "plywire.engine.search.alphabeta:entries")

    def perft_program(self) -> Program:
        """The kernel that counts the tree of the game; see `search/tree.py`."""
        return self._program(f"{self.game.name}-perft", "plywire.engine.search.tree:entries")

    def wanted(self) -> Sequence[Wanted]:
        """All programs that searching needs."""
        from plywire.engine.compiled.clearing import CLEARING
        from plywire.engine.compiled.native import Wanted

        return (Wanted(self.program()), Wanted(CLEARING))

    def _program(self, name: str, source: str) -> Program:
        """A program of kernels that all games share, compiled for this game's boards."""
        board = type(self.board())
        package = "plywire.engine"
        if not type(self).__module__.startswith(f"{package}."):
            package = type(self).__module__.partition(".")[0]
        return Program(name, package, source, f"{board.__module__}:{board.__qualname__}")

    @classmethod
    def read_book(cls, file: Path) -> OpeningBook:
        """The opening book in a file, of this game at whichever size.

        Raises ValueError if the file is no book or damaged, and OSError if it cannot be read.
        """
        raise ValueError("this game has no opening books")

    def solver(
        self, hash_mb: float, threads: int, *, book: bool | OpeningBook = True
    ) -> ExactSolver | None:
        """A new solver of this game whose tables take that many MB; None if the game has none.

        It may use a `book` of solved positions, or with True the game's own book. Raises ValueError
        if there is no memory for the table.
        """
        return None

    def opening_line(
        self, position: Position, chance: Random, book: bool | OpeningBook = True
    ) -> AnalysisLine | None:
        """A line from an opening book, or with True from the game's own book.

        None if there is no book, or if it has no move here. Chance draws the first move from those
        that are about as good as the best.
        """
        return None

    def line_without_kernels(
        self, position: Position, chance: Random, book: bool | OpeningBook = True
    ) -> AnalysisLine | None:
        """A line from an opening book while the game is not ready.

        By default the same as `opening_line`. A game whose solver reads the book has no opening
        lines, but can have lines here.
        """
        return self.opening_line(position, chance, book)
