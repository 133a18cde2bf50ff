"""The contract of a backend, which searches one game; importing a backend loads no kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
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
    from .solver import ExactSolver, PositionSolver
    from .suite import Suite
    from .table import TranspositionTable


class OpeningBook(Protocol):
    """An opening book that was read from a file; only its game knows the format."""

    @property
    def game(self) -> Game:
        """The game and board size of the positions."""


class Backend(ABC):
    """Searches and evaluates one game at one board size; a game must define only `board`."""

    can_solve: ClassVar[bool] = False
    """Whether `solver` returns a solver."""
    levels: ClassVar[Levels] = Levels()
    bench: ClassVar[Sequence[tuple[int, str]]] = ()
    """The searches of `plywire bench`: the depth, and the moves to the position."""
    most_empty: ClassVar[int | None] = None
    """With more empty squares than this, a second hardly ever proves values; None for no limit."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @abstractmethod
    def board(self) -> Any:
        """Return the NamedTuple that selects the game's kernels; see `compiled/contract.py`."""

    def searcher(self, position: Position, table: TranspositionTable, node_limit: int) -> Searcher:
        """Return a new search of a position, which visits at most `node_limit` nodes."""
        from .generic import GenericSearcher

        return GenericSearcher(self.program(), self.board(), position, table, node_limit)

    def plain_rules(self) -> PlainRules[Any]:
        """Return the game for the plain search; imports neither NumPy nor Numba."""
        from .plain_rules import AnyGame

        return AnyGame(self.game)

    def iterations(self, remaining: int, deepest: int, *, may_run_out: bool) -> Sequence[Iteration]:
        """Return the iterations for a position that can last at most `remaining` plies.

        The last iteration searches `deepest` plies, not counting passes. If time or nodes may run
        out, a good move must be ready at any time.
        """
        return every_depth(remaining, deepest, may_run_out=may_run_out)

    def plies_without_thinking(self, plies: int, left: int) -> int:
        """Return how many of the last plies of a game are expected to take almost no time.

        `plies` is the longest possible rest; `left` is the time of the player to move, in ms.
        """
        return plies // 2

    def exam_plies(self) -> tuple[int, int]:
        """Return the minimum and maximum number of plies after which exams ask for a move.

        The value of each move must be provable in seconds.
        """
        plies = self.game.start().plies_left
        return plies * 3 // 4, plies - 4

    def program(self) -> Program:
        return self._program(self.game.name, "plywire.engine.search.alphabeta:entries")

    def perft_program(self) -> Program:
        """Return the kernel that counts the tree of the game; see `search/tree.py`."""
        return self._program(f"{self.game.name}-perft", "plywire.engine.search.tree:entries")

    def wanted(self) -> Sequence[Wanted]:
        from plywire.engine.compiled.clearing import CLEARING
        from plywire.engine.compiled.native import Wanted

        return (Wanted(self.program()), Wanted(CLEARING))

    def _program(self, name: str, source: str) -> Program:
        """Return a program of the common kernels, compiled for this game's boards."""
        board = type(self.board())
        package = "plywire.engine"
        if not type(self).__module__.startswith(f"{package}."):
            package = type(self).__module__.partition(".")[0]
        return Program(name, package, source, f"{board.__module__}:{board.__qualname__}")

    @classmethod
    def read_book(cls, file: Path) -> OpeningBook:
        """Return the opening book in a file, of this game at any size.

        Raises ValueError if the file is no book or damaged, OSError if it is unreadable.
        """
        raise ValueError("this game has no opening books")

    def solver(
        self, hash_mb: float, threads: int, *, book: bool | OpeningBook = True
    ) -> ExactSolver | None:
        """Return a new solver whose tables take `hash_mb` MB; None if the game has no solver.

        `book` is an opening book, or True for the game's own. Raises ValueError if there is no
        memory for the table.
        """
        return None

    def position_solver(self, *, table_mb: int, threads: int, book: bool) -> PositionSolver | None:
        """Return the solver for `plywire solve`, None if it must use the search.

        Raises ValueError if a number is out of range or memory is short.
        """
        return None

    def suite(self) -> type[Suite] | None:
        """Return the class that reads and solves suites of known scores, if there is one."""
        return None

    def evaluation_speeds(self) -> Mapping[str, int]:
        """Measure evaluations a second for each way to compute them; empty if not supported."""
        return {}

    def opening_line(
        self, position: Position, chance: Random, book: bool | OpeningBook = True
    ) -> AnalysisLine | None:
        """Return a line from an opening book, None if the book has no move here.

        `book` is an opening book, or True for the game's own. `chance` chooses among moves that are
        nearly as good as the best.
        """
        return None

    def line_without_kernels(
        self, position: Position, chance: Random, book: bool | OpeningBook = True
    ) -> AnalysisLine | None:
        """Return a line from an opening book while the game is not ready, None without a line."""
        return self.opening_line(position, chance, book)
