from collections.abc import Iterator

import numpy as np
import pytest

from plywire.engine.connect4.solver.history import HISTORY_WORDS
from tests.kernels import CONNECT4
from tests.support.kernels import Kernels

KERNELS = Kernels(CONNECT4)
SQUARE, OTHER_SQUARE = 16, 17


@pytest.fixture
def history() -> Iterator[int]:
    """The address of a history in which nothing is remembered."""
    words = np.zeros(HISTORY_WORDS, np.int64)
    yield words.ctypes.data
    del words


def of(history: int, ply: int) -> int:
    averages: int = KERNELS.averages_of(history, ply)
    return averages


def test_what_was_enough_comes_before_the_unknown_and_that_before_what_was_not(
    history: int,
) -> None:
    averages = of(history, 12)
    for _ in range(8):
        KERNELS.remember(averages, SQUARE, True)
        KERNELS.remember(averages, OTHER_SQUARE, False)
    assert KERNELS.recalled(averages, SQUARE) > KERNELS.recalled(averages, 18) == 0
    assert KERNELS.recalled(averages, OTHER_SQUARE) < 0


def test_the_latest_counts_most(history: int) -> None:
    averages = of(history, 12)
    for _ in range(1000):
        KERNELS.remember(averages, SQUARE, True)
    for _ in range(20):
        KERNELS.remember(averages, SQUARE, False)
    assert KERNELS.recalled(averages, SQUARE) < 0


@pytest.mark.parametrize("was_enough", [True, False])
def test_what_a_square_counts_has_an_end(history: int, was_enough: bool) -> None:
    averages = of(history, 12)
    seen = set()
    for _ in range(1000):
        KERNELS.remember(averages, SQUARE, was_enough)
        seen.add(KERNELS.recalled(averages, SQUARE))
    assert max(map(abs, seen)) <= 6


def test_sides_and_stages_have_averages_of_their_own_in_all_plies(history: int) -> None:
    assert of(history, 12) != of(history, 13)
    assert of(history, 12) == of(history, 14)
    assert of(history, 12) != of(history, 28)
    end = history + 8 * HISTORY_WORDS
    assert all(history <= of(history, ply) <= end - 8 * 64 for ply in range(64))
