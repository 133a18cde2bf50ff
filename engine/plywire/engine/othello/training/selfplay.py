"""Games of the engine against itself."""

from typing import Any

import numpy as np

from plywire.engine.compiled.building.frontend import compiled
from plywire.engine.compiled.constants import NONE, ONE
from plywire.engine.compiled.intrinsics import ctz, load64, popcount, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello.evaluation.weights import Tables
from plywire.engine.othello.kernels import board_with, final_score, flips, mobility
from plywire.engine.search.alphabeta import INFINITY, search_root
from plywire.engine.search.table import NO_MOVE
from plywire.engine.search.thread_memory import AGE, ROOT_MOVE

from .batches import Progress, fresh_memory, run, slices
from .endings import solve
from .positions import MOST_MOVES, Positions, joined

#: So many plies at the start of a game are random, unless told otherwise: each number of them is as
#: likely.
LEAST_RANDOM, MOST_RANDOM = 6, 30

_BATCH = 50  # games
_INFINITY = np.int64(INFINITY)


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
    """Positions of games that the engine plays against itself with the given evaluation.

    It searches `depth` plies, and to the end once no more than `exact` squares are empty. So many
    plies at the start of a game are random, of the least number to the most; they are no positions
    to learn from and are left out.
    """
    board = board_with(tables)
    chance = np.random.default_rng(seed)
    seeds = chance.integers(1, 1 << 63, count, dtype=np.uint64)
    plies = chance.integers(random_plies[0], random_plies[1] + 1, count)

    def play(part: slice) -> Positions:
        memory = fresh_memory()
        positions = Positions.blank((part.stop - part.start) * MOST_MOVES)
        end = compiled(_play)(
            board,
            memory.address,
            seeds[part],
            plies[part],
            np.int64(depth),
            np.uint64(exact),
            positions.own,
            positions.other,
            positions.score,
            positions.game,
        )
        return positions[np.arange(end)]

    return joined(run(play, slices(count, _BATCH), threads, on_progress))


@kernel
def _random(state: Any) -> Any:
    """The next state of a xorshift generator (G. Marsaglia, 2003); the state is the number too."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@kernel
def drawn(moves: Any, number: Any) -> Any:
    """The square of one of the moves, by a random number."""
    for _ in range(number % popcount(moves)):
        moves &= moves - ONE
    return ctz(moves)


@kernel
def _choose(board: Any, memory: Any, own: Any, other: Any, depth: Any, exact: Any) -> Any:
    """The square of the move that a search finds best."""
    if popcount(~(own | other)) <= exact:
        solve(board, memory, own, other)
    else:
        store64(memory + ROOT_MOVE, NO_MOVE)
        search_root(board, memory, own, other, depth // 2, -_INFINITY, _INFINITY)
        search_root(board, memory, own, other, depth, -_INFINITY, _INFINITY)
    return load64(memory + ROOT_MOVE)


@kernel
def _play(
    board: Any,
    memory: Any,
    seeds: Any,
    plies: Any,
    depth: Any,
    exact: Any,
    owns: Any,
    others: Any,
    scores: Any,
    numbers: Any,
) -> Any:
    """Play games and write the positions that were searched; returns how many."""
    count = 0
    for number in range(len(seeds)):
        state = seeds[number]
        store64(memory + AGE, np.uint64(number))
        own, other = np.uint64(0x0000_0008_1000_0000), np.uint64(0x0000_0010_0800_0000)
        first = count
        side = np.int8(1)
        ply = 0
        while True:
            moves = mobility(own, other)
            if moves == NONE:
                own, other = other, own
                side = np.int8(-side)
                moves = mobility(own, other)
                if moves == NONE:
                    break
            if ply < plies[number]:
                state = _random(state)
                square = drawn(moves, state)
            else:
                owns[count], others[count] = own, other
                scores[count], numbers[count] = side, number
                count += 1
                square = _choose(board, memory, own, other, depth, exact)
            flipped = flips(board, own, other, square)
            own, other = other ^ flipped, own | flipped | (ONE << square)
            side = np.int8(-side)
            ply += 1
        for place in range(first, count):
            scores[place] *= side * final_score(own, other)
    return count
