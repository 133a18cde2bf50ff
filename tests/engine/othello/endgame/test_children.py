"""Children made in batches and one after the other: both ways must lead to the same search."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.compiled.intrinsics import ctz
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello import rules
from plywire.engine.othello.child_queue import QUEUE_WORDS
from plywire.engine.othello.endgame.children import make_batches, make_singly, rate
from plywire.engine.othello.endgame.memory import FRAME, Workspace
from plywire.engine.othello.rules import Othello
from tests.support.random_play import random_game

WORKSPACE = Workspace()
WORKSPACE.provide_near()
ONE = np.uint64(1)


@kernel
def in_batches(context: Any, frame: Any, own: Any, other: Any, moves: Any, odd: Any) -> Any:
    return make_batches(context, frame, own, other, moves, odd, True)


@kernel
def singly(context: Any, frame: Any, own: Any, other: Any, moves: Any, odd: Any) -> Any:
    if not make_singly(context, frame, own, other, moves, True):
        return np.uint64(0)
    first = index = np.uint64(0)
    while moves != np.uint64(0):
        first = max(first, rate(context, frame, index, ctz(moves), odd))
        moves &= moves - ONE
        index += ONE
    return first


def made(make: Any, own: int, other: int, odd: int) -> tuple[int, NDArray[np.uint64]]:
    """The first child's word, and the columns of a frame."""
    frame = np.zeros(int(FRAME) // 8, np.uint64)
    moves = rules.mobility(own, other)
    words = (WORKSPACE.context, frame.ctypes.data, own, other, moves, odd)
    first = int(make(*map(np.uint64, words)))
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
            first, columns = made(in_batches, own, other, odd)
            expected, others = made(singly, own, other, odd)
            assert first == expected == columns[-1].max()
            assert columns.tolist() == others.tolist()
            most = max(most, columns.shape[1])
    assert most > 16  # of three batches


def test_a_move_that_takes_the_last_disc_is_noticed() -> None:
    for own, other in ((0x4, 0x2), (0x4 << 56, 0x2 << 56)):
        assert made(in_batches, own, other, 0)[0] == 0
        assert made(singly, own, other, 0)[0] == 0
