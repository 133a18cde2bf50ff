"""Positions judged by searches, from which an evaluation learns to foresee what they find.

How a game ends tells little about a position in its middle: the players erred after it. A search
with the evaluation that is there tells more, the more so as it ends in positions nearer to the end
of the game, which are judged first and learnt from before.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plywire.engine.compiled.building.frontend import compiled
from plywire.engine.compiled.constants import NONE, ONE
from plywire.engine.compiled.intrinsics import popcount, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello.endgame.memory import AGE, Workspace
from plywire.engine.othello.evaluation.weights import Tables
from plywire.engine.othello.kernels import board_with, flips, mobility, shipped_board
from plywire.engine.othello.midgame.pv import search_root
from plywire.engine.othello.midgame.regression import shipped_table
from plywire.engine.search.stop import Stop
from plywire.engine.search.table import NO_MOVE, TranspositionTable
from plywire.engine.search.thread_memory import ROOT_MOVE, ThreadMemory

from .batches import Progress, run, slices
from .estimates import estimates
from .positions import Positions, concatenate
from .selfplay import drawn

#: Positions are left out that are estimated to be this one-sided, in hundredths of a disc: what
#: they are worth decides nothing, and would draw the fit away from those that matter.
_ONE_SIDED = 2_000
#: The least confidence: depth teaches more than care.
_LEVEL = np.int64(0)
_BATCH = 500  # positions
_TABLE_MB = 4
_UNLIMITED = (1 << 62) - 1
#: Beyond every value, in hundredths of a disc.
_BEYOND = np.int64(20_000)


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

    def search(part: slice) -> None:
        table = TranspositionTable(_TABLE_MB)
        workspace = Workspace(board)
        workspace.provide_near()
        workspace.join(table, 0, shipped_table())
        memory, stop = ThreadMemory(table, 0, _UNLIMITED), Stop()
        workspace.prepare(stop.address, _UNLIMITED)
        compiled(_judge)(
            memory.address,
            np.uint64(workspace.context),
            positions.own[part],
            positions.other[part],
            np.int64(depth),
            np.int64(solved),
            scores[part],
        )

    run(search, slices(len(positions), _BATCH), threads, on_progress)
    return Positions(positions.own, positions.other, scores, positions.game)


@kernel
def _judge(
    memory: Any, context: Any, owns: Any, others: Any, depth: Any, solved: Any, scores: Any
) -> Any:
    for number in range(len(owns)):
        own, other = owns[number], others[number]
        store64(context + AGE, np.uint64(number & 255))
        store64(memory + ROOT_MOVE, NO_MOVE)
        empty = np.int64(popcount(~(own | other)))
        total = np.int64(0)
        for nearer in range(1, min(depth, empty - 1) + 1):
            value = search_root(
                memory, context, own, other, np.int64(nearer), _LEVEL, -_BEYOND, _BEYOND
            )
            if nearer >= depth - 1:
                total += value
        if empty <= solved:
            total = 2 * search_root(memory, context, own, other, empty, _LEVEL, -_BEYOND, _BEYOND)
        scores[number] = max(-64, min(64, round(total / 200)))


def _after_random_moves(positions: Positions, chance: np.random.Generator) -> Positions:
    """What random moves lead to, where the other player can then move."""
    draws = chance.integers(0, 1 << 32, len(positions), dtype=np.uint64)
    after = Positions(
        positions.own.copy(), positions.other.copy(), -positions.score, positions.game
    )
    compiled(_play_random)(shipped_board(), after.own, after.other, draws)
    return after[after.own != NONE]


@kernel
def _play_random(board: Any, owns: Any, others: Any, draws: Any) -> Any:
    """Play a drawn move in each position; where no reply is left, clear it."""
    for number in range(len(owns)):
        own, other = owns[number], others[number]
        square = drawn(mobility(own, other), draws[number])
        flipped = flips(board, own, other, square)
        owns[number], others[number] = other ^ flipped, own | flipped | ONE << square
        if mobility(owns[number], others[number]) == NONE:
            owns[number] = NONE


def _different(positions: Positions) -> Positions:
    """Each position once."""
    mixed = positions.own * np.uint64(0x9E37_79B9_7F4A_7C15) + positions.other
    return positions[np.unique(mixed, return_index=True)[1]]


def even(positions: Positions, tables: Tables) -> Positions:
    """Those that are not too one-sided."""
    return positions[np.abs(estimates(positions, tables)) <= _ONE_SIDED]
