"""Solves endgames without limits: exact scores, or only the winner."""

import time

from plywire.engine.analysis import Analysis
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of
from plywire.engine.search.bounds import Bounds, StoppedError
from plywire.engine.search.iterative_deepening import search
from plywire.engine.search.request import SearchRequest
from plywire.engine.search.stop import Stop
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.time_management import UNLIMITED

from .rules import OthelloPosition

DEFAULT_TABLE_MB = 64
#: The window of a search for the winner only, in hundredths of a disc. A score outside it is a win
#: or a loss.
_SIGN = (-1, 1)


class Solver:
    """Solves Othello positions, one at a time.

    Scores are the final disc difference for the player to move; empty squares count for the winner.
    The table keeps the results of a solve for the next.
    """

    def __init__(self, *, table_mb: int = DEFAULT_TABLE_MB, threads: int = 1) -> None:
        """With one thread, equal solves on equal tables visit equal nodes.

        Raises ValueError if a number is out of range or memory is short.
        """
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        if table_mb < 1:
            raise ValueError(f"a table takes at least 1 MB, not {table_mb}")
        self._threads = threads
        self._table = TranspositionTable(table_mb)
        self.nodes = 0
        """Nodes visited by all solves so far, by all threads."""

    def score(
        self, position: OthelloPosition, *, weak: bool = False, stop: Stop | None = None
    ) -> int:
        """Return the score, or its sign if `weak`; raise StoppedError if `stop` is set first."""
        if position.is_over:
            score = final_score(position)
            return (score > 0) - (score < 0) if weak else score
        found = self.solve(position, weak=weak, stop=stop).score
        if found is None or not found.proven:
            raise StoppedError(Bounds(-64, 64))
        return (found.value > 0) - (found.value < 0) if weak else found.value

    def scores(
        self, position: OthelloPosition, *, weak: bool = False, stop: Stop | None = None
    ) -> dict[int, int]:
        """Return the worth of each legal move; raise StoppedError if `stop` is set first."""
        return {
            move: -self.score(position.play(move), weak=weak, stop=stop)
            for move in position.moves()
        }

    def solve(
        self, position: OthelloPosition, *, weak: bool = False, stop: Stop | None = None
    ) -> Analysis:
        """Analyse a position that is not over, until its score is proven or `stop` is set.

        If `weak`, only the sign of the score is right.
        """
        request = SearchRequest(
            position, SearchLimits(), 1, stop or Stop(), time.monotonic(), UNLIMITED
        )
        backend, window = backend_of(position.game), _SIGN if weak else None
        analysis = search(backend, request, self._table, threads=self._threads, window=window)
        self.nodes += analysis.nodes
        return analysis

    def clear(self) -> None:
        self._table.clear()


def final_score(position: OthelloPosition) -> int:
    """Return the score of a finished game, for the player whose turn it would be."""
    result = position.result()
    if result is None:
        raise ValueError("the game goes on")
    return -result.score if position.turn else result.score
