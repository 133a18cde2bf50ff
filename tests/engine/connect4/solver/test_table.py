from collections.abc import Iterator

import numpy as np
import pytest

from plywire.engine.connect4.solver.memory import SolverTable
from plywire.engine.connect4.solver.table import BUCKET_BYTES
from tests.kernels import CONNECT4
from tests.support.kernels import Kernels, unsigned

KERNELS = Kernels(CONNECT4)
# Keys of different signatures, all of the first bucket.
FIRST, SECOND, THIRD = (signature << 20 for signature in (5, 6, 7))
CHEAP, DEAR = 3, 1000


@pytest.fixture
def bucket() -> Iterator[int]:
    """The address of an empty bucket."""
    words = np.zeros(BUCKET_BYTES // 8, np.uint64)
    yield words.ctypes.data
    del words


def put(
    bucket: int,
    key: int,
    lower: int,
    upper: int,
    nodes: int,
    *,
    is_near: bool = False,
) -> None:
    KERNELS.store(bucket, key, lower, upper, nodes, is_near)


def bounds(bucket: int, key: int) -> tuple[int, int] | None:
    entry = unsigned(KERNELS.probe(bucket, key))
    return (KERNELS.lower_bound(entry), KERNELS.upper_bound(entry)) if entry else None


def test_bounds_come_back_as_they_were(bucket: int) -> None:
    for lower in range(-32, 33):
        for upper in range(lower, 33):
            put(bucket, FIRST, lower, upper, DEAR)
            assert bounds(bucket, FIRST) == (lower, upper)


def test_a_key_that_was_not_kept_is_not_found(bucket: int) -> None:
    put(bucket, FIRST, -1, 1, DEAR)
    assert bounds(bucket, SECOND) is None


def test_newer_bounds_of_a_position_replace_the_older(bucket: int) -> None:
    put(bucket, FIRST, -5, 5, DEAR)
    put(bucket, SECOND, -4, 4, CHEAP)
    for key in (FIRST, SECOND):
        put(bucket, key, 2, 2, CHEAP)
        assert bounds(bucket, key) == (2, 2)
    assert bounds(bucket, FIRST) == (2, 2)


def test_what_took_longer_to_find_stays(bucket: int) -> None:
    put(bucket, FIRST, -5, 5, DEAR)
    put(bucket, SECOND, -4, 4, CHEAP)
    put(bucket, THIRD, -3, 3, CHEAP)
    assert bounds(bucket, FIRST) == (-5, 5)
    assert bounds(bucket, SECOND) is None
    assert bounds(bucket, THIRD) == (-3, 3)


def test_what_took_as_long_moves_the_older_entry_on(bucket: int) -> None:
    put(bucket, FIRST, -5, 5, CHEAP)
    put(bucket, SECOND, -4, 4, DEAR)
    assert bounds(bucket, SECOND) == (-4, 4)
    assert bounds(bucket, FIRST) == (-5, 5)
    put(bucket, THIRD, -3, 3, DEAR)
    assert bounds(bucket, FIRST) is None


def test_the_near_table_holds_the_latest(bucket: int) -> None:
    for key, nodes in ((FIRST, DEAR), (SECOND, CHEAP), (THIRD, CHEAP)):
        put(bucket, key, -3, 3, nodes, is_near=True)
    assert bounds(bucket, FIRST) is None
    assert bounds(bucket, SECOND) == bounds(bucket, THIRD) == (-3, 3)


def test_keys_choose_buckets_inside_the_table() -> None:
    assert [KERNELS.bucket(4096, 7, key) for key in (0, 1, 7, 8)] == [
        4096,
        4096 + BUCKET_BYTES,
        4096 + 7 * BUCKET_BYTES,
        4096,
    ]


def test_a_table_takes_what_it_is_given() -> None:
    assert SolverTable(1).buckets * BUCKET_BYTES == 1 << 20
    assert SolverTable(7).buckets * BUCKET_BYTES == 7 << 20
    assert SolverTable(2.5).buckets * BUCKET_BYTES == 5 << 19


def test_any_number_of_buckets_is_used_and_no_other() -> None:
    def places(buckets: int, mask: int) -> list[int]:
        addresses = (KERNELS.folded_bucket(0, buckets, mask, key) for key in range(16))
        return [address // BUCKET_BYTES for address in addresses]

    assert places(8, 7) == [*range(8), *range(8)]
    assert places(5, 7) == [0, 1, 2, 3, 4, 0, 1, 2] * 2
    assert places(9, 15) == [*range(9), *range(7)]


@pytest.mark.parametrize(("megabytes", "said"), [(0, r"at least 0\.5 MB"), (1 << 40, "no memory")])
def test_a_table_that_cannot_be_had_is_refused(megabytes: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SolverTable(megabytes)
