"""What thinks about Othello: a selective search, and an opening book."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plywire.engine.compiled.program import Program
from plywire.engine.search.backend import Backend, OpeningBook

from .deepening import iterations, solvable
from .rules import OthelloPosition

if TYPE_CHECKING:
    from random import Random

    from plywire.engine.analysis import AnalysisLine
    from plywire.engine.game import Position
    from plywire.engine.search.searcher import Iteration, Searcher
    from plywire.engine.search.table import TranspositionTable

    from .kernels import OthelloBoard
    from .plain_rules import OthelloPlainRules


class OthelloBackend(Backend):
    """Othello."""

    def board(self) -> OthelloBoard:
        """The compiled view of the game."""
        from .kernels import shipped_board

        return shipped_board()

    def searcher(self, position: Position, table: TranspositionTable, node_limit: int) -> Searcher:
        """A selective search."""
        from .midgame.searcher import MidgameSearcher

        return MidgameSearcher(position, table, node_limit)

    def iterations(self, remaining: int, deepest: int, *, may_run_out: bool) -> Sequence[Iteration]:
        """Every second depth, then to the end with ever more confidence."""
        return iterations(remaining, deepest, may_run_out=may_run_out)

    def plies_without_thinking(self, plies: int, left: int) -> int:
        """As many as can be searched to the end of the game in a part of the time."""
        return min(solvable(left / 8), plies)

    def program(self) -> Program:
        """The selective search."""
        from .midgame.searcher import SEARCH

        return SEARCH

    def perft_program(self) -> Program:
        """Eight positions at a time."""
        return Program("othello-perft", "plywire.engine", "plywire.engine.othello.perft:entries")

    def plain_rules(self) -> OthelloPlainRules:
        """Bitboards in plain integers."""
        from .plain_rules import OthelloPlainRules

        return OthelloPlainRules()

    @classmethod
    def read_book(cls, file: Path) -> OpeningBook:
        """A book of searched values."""
        from .book.book import Book

        return Book.load(file)

    def opening_line(
        self, position: Position, chance: Random, book: bool | OpeningBook = True
    ) -> AnalysisLine | None:
        """A line from that book, or from the one in the package."""
        from .book.book import Book, shipped_book

        known = shipped_book() if book is True else book
        if not isinstance(known, Book) or not isinstance(position, OthelloPosition):
            return None
        return known.line(position, chance)
