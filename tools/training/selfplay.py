"""Games of the engine against itself."""

import numpy as np

from plywire.engine.othello.evaluation.weights import Tables
from plywire.engine.othello.kernels import board_with

from .batches import Progress, fresh_memory, run, slices
from .kernels import call
from .positions import Positions, blank_rows, joined, of_rows

#: Minimum and maximum number of random plies at the start of a game. All numbers between them are
#: equally likely.
LEAST_RANDOM, MOST_RANDOM = 6, 30

_BATCH = 50  # number of games


def play_games(
    count: int,
    tables: Tables,
    *,
    depth: int,
    exact: int,
    seed: int | tuple[int, ...],
    threads: int,
    random_plies: tuple[int, int] = (LEAST_RANDOM, MOST_RANDOM),
    on_progress: Progress | None = None,
) -> Positions:
    """Return the positions of games that the engine plays against itself with an evaluation.

    The engine searches `depth` plies, and to the end of the game from `exact` empty squares on.
    `random_plies` are the minimum and maximum number of random plies at the start of a game.
    Their positions are left out.
    """
    board = board_with(tables)
    chance = np.random.default_rng(seed)
    seeds = chance.integers(1, 1 << 63, count, dtype=np.uint64)
    plies = chance.integers(random_plies[0], random_plies[1] + 1, count)

    def play(part: slice) -> Positions:
        memory = fresh_memory()
        games = part.stop - part.start
        rows = blank_rows(games)
        drawn = seeds[part], plies[part]
        end = call("play", *board, memory.address, *drawn, games, depth, exact, rows)
        return of_rows(rows[:end])

    return joined(run(play, slices(count, _BATCH), threads, on_progress))
