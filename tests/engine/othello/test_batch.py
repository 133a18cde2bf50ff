"""Batches against the rules, one position at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from plywire.engine.othello import rules
from plywire.engine.othello.kernels import OthelloBoard, shipped_board
from tests.kernels import OTHELLO
from tests.support.discs import boards, sparse_boards
from tests.support.kernels import Kernels, unsigned, written

KERNELS = Kernels(OTHELLO)

batches = st.lists(st.one_of(boards, sparse_boards), min_size=8, max_size=8)


def addresses(*columns: NDArray[np.uint64]) -> list[int]:
    return [column.ctypes.data for column in columns]


@given(batches)
def test_mobility_of_any_discs(drawn: list[tuple[int, int]]) -> None:
    own, other = np.array(drawn, np.uint64).T.copy()
    found = written(8, KERNELS.write_mobility, *addresses(own, other))
    assert list(found) == [rules.mobility(*discs) for discs in drawn]


@given(batches, st.integers(0, 63))
def test_flips_of_any_discs(drawn: list[tuple[int, int]], first: int) -> None:
    board: OthelloBoard = shipped_board()
    squares = [(first + 9 * lane) % 64 for lane in range(8)]
    drawn = [
        (own & ~(1 << square), other & ~(1 << square))
        for (own, other), square in zip(drawn, squares, strict=True)
    ]
    own, other = np.array(drawn, np.uint64).T.copy()
    memory = own, other, np.array(squares, np.uint64), np.zeros(64, np.uint64)
    found = written(8, KERNELS.write_flips, *board, *addresses(*memory))
    assert list(found) == [
        rules.flips(*discs, 1 << square) for discs, square in zip(drawn, squares, strict=True)
    ]


@given(st.one_of(boards, sparse_boards))
def test_what_the_first_eight_moves_place(discs: tuple[int, int]) -> None:
    board: OthelloBoard = shipped_board()
    moves = rules.mobility(*discs)
    bits = [1 << square for square in range(64) if moves >> square & 1]
    found = np.zeros(8, np.uint64)
    rest = unsigned(KERNELS.write_placed(*board, *discs, moves, *addresses(found)))
    placed = [bit | rules.flips(*discs, bit) for bit in bits[:8]]
    assert found.tolist() == placed + [0] * (8 - len(placed))
    assert rest == sum(bits[8:])
