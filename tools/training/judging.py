"""Positions judged by searches, from which an evaluation learns to foresee what they find.

How a game ends tells little about a position in its middle: the players erred after it. A search
with the evaluation that is there tells more, the more so as it ends in positions nearer to the end
of the game, which are judged first and learnt from before.
"""

from collections.abc import Sequence

import numpy as np

from plywire.engine.compiled.constants import NONE
from plywire.engine.compiled.native import load
from plywire.engine.othello.evaluation.weights import Tables
from plywire.engine.othello.kernels import board_with, shipped_board
from plywire.engine.othello.memory import OthelloMemory
from plywire.engine.othello.midgame.searcher import SEARCH
from plywire.engine.search.table import NO_MOVE, TranspositionTable
from plywire.engine.search.thread_memory import ROOT

from .batches import Progress, run, slices
from .estimates import estimates
from .kernels import call
from .positions import Positions, concatenate

#: Positions are left out that are estimated to be this one-sided, in hundredths of a disc: what
#: they are worth decides nothing, and would draw the fit away from those that matter.
_ONE_SIDED = 2_000
#: The least confidence: depth teaches more than care.
_LEVEL = 0
_BATCH = 500  # positions
_TABLE_MB = 4
_UNLIMITED = (1 << 62) - 1
#: Beyond every value, in hundredths of a disc.
_BEYOND = 20_000


def sample(
    sources: Sequence[Positions], tables: Tables, empties: range, count: int, seed: int
) -> Positions:
    """So many positions for each number of empty squares, or as many as there are, mixed.

    The same number from each source; two thirds of them as they were played, each once, and a third
    with a random move before, for a search sees what players avoid.
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
    """The positions, scored by searches with the given evaluation.

    To the end of the game where no more than `solved` squares are empty, else the mean of what is
    found at that depth and one ply before: whoever moves last is favoured, and so neither is.
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
            memory.root_move = int(NO_MOVE)
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
    """What random moves lead to, where the other player can then move."""
    draws = chance.integers(0, 1 << 32, len(positions), dtype=np.uint64)
    after = Positions(
        positions.own.copy(), positions.other.copy(), -positions.score, positions.game
    )
    call("play_random", *shipped_board(), after.own, after.other, draws, len(draws))
    return after[after.own != NONE]


def _different(positions: Positions) -> Positions:
    """Each position once."""
    mixed = positions.own * np.uint64(0x9E37_79B9_7F4A_7C15) + positions.other
    return positions[np.unique(mixed, return_index=True)[1]]


def even(positions: Positions, tables: Tables) -> Positions:
    """Those that are not too one-sided."""
    return positions[np.abs(estimates(positions, tables)) <= _ONE_SIDED]
