"""The backend of Othello: a selective search, and an opening book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from plywire.engine.compiled.program import Program
from plywire.engine.search.backend import Backend, OpeningBook
from plywire.engine.search.levels import Levels

from .deepening import iterations, solvable
from .levels import OthelloLevels
from .rules import OthelloPosition

if TYPE_CHECKING:
    from random import Random

    from plywire.engine.analysis import AnalysisLine
    from plywire.engine.game import Position
    from plywire.engine.search.searcher import Iteration, Searcher
    from plywire.engine.search.suite import Suite
    from plywire.engine.search.table import TranspositionTable

    from .kernels import OthelloBoard
    from .plain_rules import OthelloPlainRules


class OthelloBackend(Backend):
    """Searches and evaluates Othello."""

    levels: ClassVar[Levels] = OthelloLevels()
    most_empty: ClassVar[int | None] = 18
    bench: ClassVar[Sequence[tuple[int, str]]] = (
        (12, ""),
        (12, "f5 f6 e6 d6"),
        (12, "e6 f6 d3 e7 f5 c4 c5 c6 b3 g4"),
        (12, "e6 f6 d3 c5 d6 c6 f5 e3 b5 c4 f3 f2 f1 g5 b6 b4"),
        (12, "f5 d6 c4 f3 f4 g5 f6 d3 h5 b4 c5 e6 d7 c6 c7 e7 d8 g3 e3 e2 b6 h6"),
        (
            60,
            "f5 f4 d3 f6 g3 c5 d6 f3 g4 e3 e6 d7 d2 g5 e2 c2 c8 d8 c3 b8 c7 c4 c6 e7 b6 f7 b5 "
            "b4 a4 a3 a2 a5 a6 b3 h6 h5 h4 f1 e1 d1 g6 f2 f8 e8",
        ),
    )

    def exam_plies(self) -> tuple[int, int]:
        """Choose endgames that are solved in a moment."""
        return 44, 50

    def board(self) -> OthelloBoard:
        from .kernels import shipped_board

        return shipped_board()

    def searcher(self, position: Position, table: TranspositionTable, node_limit: int) -> Searcher:
        from .midgame.searcher import MidgameSearcher

        return MidgameSearcher(position, table, node_limit)

    def iterations(self, remaining: int, deepest: int, *, may_run_out: bool) -> Sequence[Iteration]:
        """Return every second depth, then the end of the game with growing confidence."""
        return iterations(remaining, deepest, may_run_out=may_run_out)

    def plies_without_thinking(self, plies: int, left: int) -> int:
        """Return how many of the last plies are solved in a small part of the time that is left."""
        return min(solvable(left / 8), plies)

    def suite(self) -> type[Suite]:
        from .suite import OthelloSuite

        return OthelloSuite

    def evaluation_speeds(self) -> Mapping[str, int]:
        from .speed import measure

        return measure()

    def program(self) -> Program:
        from .midgame.searcher import SEARCH

        return SEARCH

    def perft_program(self) -> Program:
        """Return the kernel that counts eight positions at a time."""
        return Program("othello-perft", "plywire.engine", "plywire.engine.othello.perft:entries")

    def plain_rules(self) -> OthelloPlainRules:
        from .plain_rules import OthelloPlainRules

        return OthelloPlainRules()

    @classmethod
    def read_book(cls, file: Path) -> OpeningBook:
        from .book.book import Book

        return Book.load(file)

    def opening_line(
        self, position: Position, chance: Random, book: bool | OpeningBook = True
    ) -> AnalysisLine | None:
        from .book.book import Book, shipped_book

        known = shipped_book() if book is True else book
        if not isinstance(known, Book) or not isinstance(position, OthelloPosition):
            return None
        return known.line(position, chance)
