"""Batches against the rules, one position at a time."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plywire.engine.compiled.intrinsics import load64, load_u64x8, store_vector
from plywire.engine.compiled.kernel import kernel
from plywire.engine.othello import batch, rules
from plywire.engine.othello.kernels import OthelloBoard, shipped_board
from tests.support.discs import boards, sparse_boards

batches = st.lists(st.one_of(boards, sparse_boards), min_size=8, max_size=8)


@kernel
def write_mobility(own: Any, other: Any, target: Any) -> None:
    store_vector(target, batch.batch_mobility(load_u64x8(own), load_u64x8(other)))


@kernel
def write_flips(board: Any, own: Any, other: Any, squares: Any, rows: Any, target: Any) -> None:
    word, row = np.uint64(0), rows
    while word < np.uint64(64):
        owns, others = batch.both_ways(load64(own + word), load64(other + word))
        flipped = batch.flips_by_direction(board, owns, others, load64(squares + word))
        store_vector(row, flipped)
        word += np.uint64(8)
        row += batch.VECTOR
    store_vector(target, batch.gather_flips(rows))


@kernel
def write_placed(board: Any, own: Any, other: Any, moves: Any, target: Any) -> Any:
    placed, rest = batch.place_batch(board, own, other, moves)
    store_vector(target, placed)
    return rest


def address(memory: np.ndarray[Any, Any]) -> np.uint64:
    return np.uint64(memory.ctypes.data)


@given(batches)
def test_mobility_of_any_discs(drawn: list[tuple[int, int]]) -> None:
    own, other = np.array(drawn, np.uint64).T.copy()
    found = np.zeros(8, np.uint64)
    write_mobility(address(own), address(other), address(found))
    assert found.tolist() == [rules.mobility(*discs) for discs in drawn]


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
    found = np.zeros(8, np.uint64)
    write_flips(board, *map(address, memory), address(found))
    assert found.tolist() == [
        rules.flips(*discs, 1 << square) for discs, square in zip(drawn, squares, strict=True)
    ]


@given(st.one_of(boards, sparse_boards))
def test_what_the_first_eight_moves_place(discs: tuple[int, int]) -> None:
    board: OthelloBoard = shipped_board()
    moves = rules.mobility(*discs)
    bits = [1 << square for square in range(64) if moves >> square & 1]
    found = np.zeros(8, np.uint64)
    rest = write_placed(board, *map(np.uint64, (*discs, moves)), address(found))
    placed = [bit | rules.flips(*discs, bit) for bit in bits[:8]]
    assert found.tolist() == placed + [0] * (8 - len(placed))
    assert int(rest) == sum(bits[8:])
