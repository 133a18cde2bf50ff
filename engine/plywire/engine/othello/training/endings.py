"""Exact scores for the ends of games, by solving them."""

from dataclasses import replace
from typing import Any

import numpy as np

from plywire.engine.compiled.building.frontend import compiled
from plywire.engine.compiled.constants import NONE
from plywire.engine.compiled.intrinsics import popcount, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello.kernels import shipped_board
from plywire.engine.search.alphabeta import search_root
from plywire.engine.search.table import NO_MOVE
from plywire.engine.search.thread_memory import ROOT_MOVE

from .batches import Progress, fresh_memory, run, slices
from .positions import Positions

_BATCH = 200  # games
#: Beyond any final score, in hundredths of a disc.
_BEYOND = np.int64(6401)


def solve_endings(
    positions: Positions, empties: int, threads: int, on_progress: Progress | None = None
) -> Positions:
    """The positions, scored by best play once no more than `empties` squares are empty.

    Where more are, a position has the score of the first solved one that its game comes to; if the
    game ends before, that of its end.
    """
    if not len(positions):
        return positions
    board = shipped_board()
    solved = replace(positions, score=positions.score.copy())
    starts = np.flatnonzero(np.diff(positions.game, prepend=-1))
    bounds = [*(int(starts[part.start]) for part in slices(len(starts), _BATCH)), len(positions)]

    def solve(part: slice) -> None:
        memory = fresh_memory()
        arrays = solved.own[part], solved.other[part], solved.score[part], solved.game[part]
        compiled(_solve)(board, memory.address, *arrays, np.uint64(empties))

    run(solve, list(map(slice, bounds[:-1], bounds[1:])), threads, on_progress)
    return solved


@kernel
def solve(board: Any, memory: Any, own: Any, other: Any) -> Any:
    """The final score by best play, in discs, for the player to move (int64).

    Leaves the best move in the memory.
    """
    store64(memory + ROOT_MOVE, NO_MOVE)
    empties = np.int64(popcount(~(own | other)))
    return search_root(board, memory, own, other, empties, -_BEYOND, _BEYOND) // np.int64(100)


@kernel
def _solve(
    board: Any, memory: Any, owns: Any, others: Any, scores: Any, games: Any, empties: Any
) -> Any:
    """Rescore whole games, from their last positions to their first."""
    for index in range(len(owns) - 1, -1, -1):
        own, other = owns[index], others[index]
        if popcount(~(own | other)) <= empties:
            scores[index] = solve(board, memory, own, other)
        elif index + 1 < len(owns) and games[index + 1] == games[index]:
            # After a pass of the other's, the same player moves again and still has all discs.
            is_same_player = own & ~owns[index + 1] == NONE
            following = scores[index + 1]
            scores[index] = following if is_same_player else -following
