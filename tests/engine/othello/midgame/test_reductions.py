"""Which children are searched less deep at first, and by how much."""

import numpy as np
import pytest

from plywire.engine.othello.confidence import CERTAIN, CONFIDENCES
from plywire.engine.othello.midgame.reductions import reduction


def reduced(depth: int, confidence: int, *, is_to_end: bool, searched: int) -> int:
    """By how many plies."""
    level = CONFIDENCES.index(confidence)
    return int(reduction(np.int64(depth), np.int64(level), is_to_end, np.int64(searched)))


@pytest.mark.parametrize(
    ("depth", "searched", "plies"),
    [(4, 5, 0), (5, 1, 0), (5, 2, 2), (9, 30, 2), (10, 1, 0), (10, 2, 4), (40, 9, 4)],
)
def test_late_children_of_deep_nodes_are_searched_less_deep(
    depth: int, searched: int, plies: int
) -> None:
    for confidence in CONFIDENCES[:CERTAIN]:
        assert reduced(depth, confidence, is_to_end=False, searched=searched) == plies


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_searches_to_the_end_keep_their_depth(confidence: int) -> None:
    assert reduced(30, confidence, is_to_end=True, searched=9) == 0


def test_nothing_is_left_out_where_a_search_must_be_right() -> None:
    assert reduced(30, 100, is_to_end=False, searched=9) == 0
