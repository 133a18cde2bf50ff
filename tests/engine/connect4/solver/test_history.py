from collections.abc import Iterator

import numpy as np
import pytest

from plywire.engine.connect4.solver.history import (
    HISTORY_WORDS,
    averages_of,
    recalled,
    remember,
)

SQUARE, OTHER_SQUARE = np.uint64(16), np.uint64(17)


@pytest.fixture
def history() -> Iterator[np.uint64]:
    """The address of a history in which nothing is remembered."""
    words = np.zeros(HISTORY_WORDS, np.int64)
    yield np.uint64(words.ctypes.data)
    del words


def of(history: np.uint64, ply: int) -> np.uint64:
    return np.uint64(averages_of(history, np.int64(ply)))


def test_what_was_enough_comes_before_the_unknown_and_that_before_what_was_not(
    history: np.uint64,
) -> None:
    averages = of(history, 12)
    for _ in range(8):
        remember(averages, SQUARE, True)
        remember(averages, OTHER_SQUARE, False)
    assert recalled(averages, SQUARE) > recalled(averages, np.uint64(18)) == 0
    assert recalled(averages, OTHER_SQUARE) < 0


def test_the_latest_counts_most(history: np.uint64) -> None:
    averages = of(history, 12)
    for _ in range(1000):
        remember(averages, SQUARE, True)
    for _ in range(20):
        remember(averages, SQUARE, False)
    assert recalled(averages, SQUARE) < 0


@pytest.mark.parametrize("was_enough", [True, False])
def test_what_a_square_counts_has_an_end(history: np.uint64, was_enough: bool) -> None:
    averages = of(history, 12)
    seen = set()
    for _ in range(1000):
        remember(averages, SQUARE, was_enough)
        seen.add(int(recalled(averages, SQUARE)))
    assert max(map(abs, seen)) <= 6


def test_sides_and_stages_have_averages_of_their_own_in_all_plies(history: np.uint64) -> None:
    assert of(history, 12) != of(history, 13)
    assert of(history, 12) == of(history, 14)
    assert of(history, 12) != of(history, 28)
    end = history + np.uint64(8 * HISTORY_WORDS)
    assert all(history <= of(history, ply) <= end - np.uint64(8 * 64) for ply in range(64))
