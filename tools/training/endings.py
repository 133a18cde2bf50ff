"""Exact scores for the last positions of games."""

from dataclasses import replace

import numpy as np

from plywire.engine.othello.kernels import shipped_board

from .batches import Progress, fresh_memory, run, slices
from .kernels import call
from .positions import Positions

_BATCH = 200  # number of games


def solve_endings(
    positions: Positions, empties: int, threads: int, on_progress: Progress | None = None
) -> Positions:
    """Score the positions of games by best play from `empties` empty squares on.

    An earlier position gets the score of the first solved position of its game. If the game
    ends before any position is solved, it gets the final score of the game.
    """
    if not len(positions):
        return positions
    board = shipped_board()
    solved = replace(positions, score=positions.score.copy())
    starts = np.flatnonzero(np.diff(positions.game, prepend=-1))
    bounds = [*(int(starts[part.start]) for part in slices(len(starts), _BATCH)), len(positions)]

    def solve(part: slice) -> None:
        memory = fresh_memory()
        scores, games = (column[part].astype(np.int64) for column in (solved.score, solved.game))
        columns = solved.own[part], solved.other[part], scores, games
        call("solve_endings", *board, memory.address, *columns, len(scores), empties)
        solved.score[part] = scores

    run(solve, list(map(slice, bounds[:-1], bounds[1:])), threads, on_progress)
    return solved
