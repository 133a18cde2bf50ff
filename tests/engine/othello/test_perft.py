"""The counting in batches against the counting that all games share."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywire.engine.othello.kernels import shipped_board
from plywire.engine.othello.rules import Othello, OthelloPosition
from plywire.engine.registry import backend_of
from tests.kernels import OTHELLO
from tests.support.discs import boards, sparse_boards
from tests.support.kernels import Kernels, written
from tests.support.walks import positions

SINGLY = Kernels(OTHELLO)
IN_BATCHES = Kernels(backend_of(Othello()).perft_program())


def check(own: int, other: int, depth: int) -> None:
    counts = [
        written(2, kernels.count_into, *shipped_board(), own, other, depth)
        for kernels in (IN_BATCHES, SINGLY)
    ]
    assert counts[0] == counts[1]


@given(positions(Othello()), st.integers(0, 5))
@settings(deadline=None)
def test_trees_of_games(position: OthelloPosition, depth: int) -> None:
    check(*position.words(), depth)


@given(st.one_of(boards, sparse_boards), st.integers(0, 4))
@settings(deadline=None)
def test_trees_of_any_discs(discs: tuple[int, int], depth: int) -> None:
    check(*discs, depth)


@pytest.mark.parametrize("turn", "xo")
@pytest.mark.parametrize(
    "discs",
    [
        "xxxxxxxx/xxxxoxxo/xxxoxxoo/xxoxxooo/xoxxxoo1/xxxxxx2/1xoooo2/2oo1xx1",
        "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxo/xxxxxxx1/xxxxxxx1/xxxxxx2/xxxxxxx1",
    ],
)
def test_passes_and_ends_at_every_number_of_plies(discs: str, turn: str) -> None:
    position = Othello().parse(f"{discs} {turn}")
    for depth in range(12):
        check(*position.words(), depth)


def test_more_moves_than_can_be_held_at_once() -> None:
    own = 0x0000_0008_1000_0000
    check(own, 0x0000_0010_0800_0000, 9)
