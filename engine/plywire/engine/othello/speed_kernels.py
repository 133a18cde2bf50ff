"""Kernels that add the estimates of many positions, to measure their speed."""

from collections.abc import Mapping

import numpy as np

from plywire.engine.compiled.constants import WORD
from plywire.engine.compiled.intrinsics import load64, popcount, stack_words
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Score, Word
from plywire.engine.compiled.program import INT64, UINT64, Entry, Program

from .evaluation.evaluation import estimate, weigh
from .evaluation.indices import INDEX_BYTES, advance, exchange, gather
from .kernels import OthelloBoard

SPEED = Program("othello-speed", "plywire.engine", "plywire.engine.othello.speed_kernels:entries")

_EMPTY_AT_START = np.uint64(60)
_WORDS = INDEX_BYTES // 8


@kernel
def gathered_words(board: OthelloBoard, owns: Address, others: Address, count: Word) -> Score:
    """Return the sum of the estimates of positions; `owns` and `others` are arrays of words."""
    total = np.int64(0)
    for index in range(count):
        offset = np.uint64(index) * WORD
        own, other = load64(owns + offset), load64(others + offset)
        total += estimate(board.weights, board.shares, own, other)
    return total


@kernel
def advanced_words(
    board: OthelloBoard, owns: Address, others: Address, squares: Word, flipped: Word, count: Word
) -> Score:
    """Return the sum of the estimates; the moves in `squares` and `flipped` update the indices."""
    here, there = stack_words(_WORDS), stack_words(_WORDS)
    total = np.int64(0)
    for index in range(count):
        offset = np.uint64(index) * WORD
        own, other = load64(owns + offset), load64(others + offset)
        empties = popcount(~(own | other))
        if empties == _EMPTY_AT_START:
            gather(board.shares, own, other, here)
        total += weigh(board.weights, empties, here)
        square, turned = load64(squares + offset), load64(flipped + offset)
        advance(board.shares, exchange(board.shares, here), square, turned, there)
        here, there = there, here
    return total


def entries() -> Mapping[str, Entry]:
    """Return the kernels of this module that Python calls."""
    return {
        "gathered": Entry(gathered_words, OthelloBoard, *[UINT64] * 2, INT64),
        "advanced": Entry(advanced_words, OthelloBoard, *[UINT64] * 4, INT64),
    }
