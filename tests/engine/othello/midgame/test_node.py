"""What a node makes of the table's entry."""

import numpy as np
import pytest

from plywire.engine.othello.midgame.node import expected
from plywire.engine.search import table as tt
from plywire.engine.search.table import EXACT, LOWER, UPPER, TranspositionTable

U = np.uint64
ESTIMATE = 150


@pytest.mark.parametrize(
    ("bound", "score", "value"),
    [
        (LOWER, 400, 400),
        (LOWER, -400, ESTIMATE),
        (UPPER, 400, ESTIMATE),
        (UPPER, -400, -400),
        (EXACT, 400, 400),
        (EXACT, -400, -400),
        (LOWER, ESTIMATE, ESTIMATE),
    ],
)
def test_a_value_is_expected_to_be_the_estimate_within_the_bound_that_is_known(
    bound: np.uint64, score: int, value: int
) -> None:
    table = TranspositionTable(1)
    key = U(42)
    bucket = tt.bucket_address(U(table.address), U(table.buckets), key)
    tt.store(bucket, key, U(0), 6, 1, U(5), score, bound)
    assert expected(tt.probe(bucket, key), np.int64(ESTIMATE)) == value
