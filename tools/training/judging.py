"""Positions judged by searches, so that the evaluation learns to foresee the searches.

The result of a game says little about a position in its middle, because both players erred later.
A search with the present evaluation says more. It ends in positions nearer to the end of the game,
which the evaluation has learnt before.
"""

from collections.abc import Sequence

import numpy as np

from plywire.engine.compiled.constants import NONE
from plywire.engine.compiled.native import load
from plywire.engine.othello.evaluation.weights import Tables
from plywire.engine.othello.kernels import board_with, shipped_board
from plywire.engine.othello.memory import OthelloMemory
from plywire.engine.othello.midgame.searcher import SEARCH
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.thread_memory import ROOT

from .batches import Progress, run, slices
from .estimates import estimates
from .kernels import call
from .positions import Positions, concatenate

#: Maximum size of an estimate, in hundredths of a disc. Positions with a larger estimate are left
#: out. They decide no game, and would draw the fit away from positions that do.
_ONE_SIDED = 2_000
#: The level with the lowest confidence, because deep searches teach more than careful ones.
_LEVEL = 0
_BATCH = 500  # number of positions
_TABLE_MB = 4
_UNLIMITED = (1 << 62) - 1
#: A number greater than all values, in hundredths of a disc.
_BEYOND = 20_000


def sample(
    sources: Sequence[Positions], tables: Tables, empties: range, count: int, seed: int
) -> Positions:
    """Draw at most `count` positions for each number of empty squares, in random order.

    Each source gives the same number. Two thirds are positions as they were played, each once. One
    third follows a random move, because searches meet positions that players avoid.
    """
    chance = np.random.default_rng((seed, empties.start))
    stages = [(source, source.empties()) for source in sources]
    chosen = []
    for empty in empties:
        for source, squares in stages:
            played = source[squares == empty]
            wandered = _after_random_moves(source[squares == empty + 1], chance)
            share = count // (3 * len(sources))
            for positions, most in ((played, 2 * share), (wandered, share)):
                good = even(_different(positions), tables)
                size = min(most, len(good))
                chosen.append(good[np.sort(chance.choice(len(good), size, replace=False))])
    found = concatenate(chosen)
    return found[chance.permutation(len(found))]


def judge(
    positions: Positions,
    tables: Tables,
    depth: int,
    solved: int,
    threads: int,
    on_progress: Progress | None = None,
) -> Positions:
    """Score positions by searches with an evaluation.

    With at most `solved` empty squares, the search goes to the end of the game. Otherwise the score
    is the mean of the values at `depth` and one ply less: the player who moves last looks better
    than it is, and the mean removes this bias.
    """
    board = board_with(tables)
    scores = np.empty(len(positions), np.int8)

    def judge_part(part: slice) -> None:
        table = TranspositionTable(_TABLE_MB)
        memory = OthelloMemory(table, 0, _UNLIMITED, board)
        memory.provide_near()
        search_root = load(SEARCH).search_root
        boards = positions.own[part].tolist(), positions.other[part].tolist()
        for number, (own, other) in enumerate(zip(*boards, strict=True)):
            memory.put(ROOT.age, number & 255)
            memory.root_move = None
            root = memory.address, own, other
            empty = 64 - (own | other).bit_count()

            def value(plies: int, root: tuple[int, ...] = root) -> int:
                return int(search_root(*root, plies, _LEVEL, -_BEYOND, _BEYOND))

            values = [value(plies) for plies in range(1, min(depth, empty - 1) + 1)]
            both = [value(empty)] * 2 if empty <= solved else values[max(depth - 2, 0) : depth]
            scores[part.start + number] = max(-64, min(64, round(sum(both) / 200)))

    run(judge_part, slices(len(positions), _BATCH), threads, on_progress)
    return Positions(positions.own, positions.other, scores, positions.game)


def _after_random_moves(positions: Positions, chance: np.random.Generator) -> Positions:
    """Play a random move in each position; leave out those without a reply."""
    draws = chance.integers(0, 1 << 32, len(positions), dtype=np.uint64)
    after = Positions(
        positions.own.copy(), positions.other.copy(), -positions.score, positions.game
    )
    call("play_random", *shipped_board(), after.own, after.other, draws, len(draws))
    return after[after.own != NONE]


def _different(positions: Positions) -> Positions:
    """Leave out repeated positions."""
    mixed = positions.own * np.uint64(0x9E37_79B9_7F4A_7C15) + positions.other
    return positions[np.unique(mixed, return_index=True)[1]]


def even(positions: Positions, tables: Tables) -> Positions:
    """Return the positions that are not too one-sided."""
    return positions[np.abs(estimates(positions, tables)) <= _ONE_SIDED]
