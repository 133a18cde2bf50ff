"""What a node makes of the table's entry."""

import numpy as np
import pytest

from plywire.engine.search.table import EXACT, LOWER, UPPER, TranspositionTable
from tests.kernels import OTHELLO, SEARCH
from tests.support.kernels import Kernels

TABLE = Kernels(SEARCH)
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
    key = 42
    bucket = TABLE.bucket_address(table.address, table.buckets, key)
    TABLE.store(bucket, key, 0, 6, 1, 5, score, bound)
    assert Kernels(OTHELLO).expected(TABLE.probe(bucket, key), ESTIMATE) == value
