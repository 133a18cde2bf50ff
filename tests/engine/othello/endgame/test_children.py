"""Children made in batches and one after the other: both ways must lead to the same search."""

import random
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello import rules
from plywire.engine.othello.child_queue import QUEUE_WORDS
from plywire.engine.othello.memory import FRAME, OthelloMemory
from plywire.engine.othello.rules import Othello
from plywire.engine.search.table import TranspositionTable
from tests.kernels import OTHELLO_ENDGAME
from tests.support.kernels import Kernels, unsigned
from tests.support.random_play import random_game

KERNELS = Kernels(OTHELLO_ENDGAME)
MEMORY = OthelloMemory(TranspositionTable(1), 0, 1)
MEMORY.provide_near()


def made(
    make: Callable[..., int], own: int, other: int, odd: int
) -> tuple[int, NDArray[np.uint64]]:
    """The first child's word, and the columns of a frame."""
    frame = np.zeros(int(FRAME) // 8, np.uint64)
    moves = rules.mobility(own, other)
    words = (MEMORY.address, frame.ctypes.data, own, other, moves, odd)
    first = unsigned(make(*words))
    return first, frame.reshape(-1, QUEUE_WORDS)[:, : moves.bit_count()]


def test_children_of_batches_are_those_made_singly() -> None:
    chance = random.Random(8)
    most = 0
    for _ in range(20):
        for position, _ in random_game(Othello(), chance):
            own, other = position.own, position.other  # type: ignore[attr-defined]
            if not rules.mobility(own, other):
                continue
            odd = chance.getrandbits(64)
            first, columns = made(KERNELS.in_batches, own, other, odd)
            expected, others = made(KERNELS.singly, own, other, odd)
            assert first == expected == columns[-1].max()
            assert columns.tolist() == others.tolist()
            most = max(most, columns.shape[1])
    assert most > 16  # of three batches


def test_a_move_that_takes_the_last_disc_is_noticed() -> None:
    for own, other in ((0x4, 0x2), (0x4 << 56, 0x2 << 56)):
        assert made(KERNELS.in_batches, own, other, 0)[0] == 0
        assert made(KERNELS.singly, own, other, 0)[0] == 0
