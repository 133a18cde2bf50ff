import ctypes

import numpy as np
import pytest

from plywire.engine.search.table import EXACT, LOWER, NO_MOVE, UPPER, TranspositionTable
from tests.kernels import SEARCH
from tests.support.kernels import Kernels, unsigned

KERNELS = Kernels(SEARCH)


class Bucket:
    """The table's kernels, called on the one bucket that holds a key."""

    def __init__(self) -> None:
        self.table = TranspositionTable(1)
        self.key = 0x0123_4567_89AB_CDEF

    @property
    def address(self) -> int:
        address: int = KERNELS.bucket_address(self.table.address, self.table.buckets, self.key)
        return address

    def store(
        self,
        key: int,
        depth: int,
        score: int = 0,
        bound: np.uint64 = EXACT,
        move: int = 5,
        level: int = 0,
    ) -> None:
        KERNELS.store(self.address, key, self.table.age, depth, level, move, score, bound)

    def probe(self, key: int) -> int:
        return unsigned(KERNELS.probe(self.address, key))

    def depth(self, key: int) -> int | None:
        data = self.probe(key)
        return KERNELS.entry_depth(data) if data else None


@pytest.fixture
def bucket() -> Bucket:
    return Bucket()


@pytest.mark.parametrize("score", [0, 1, -1, 6400, -6400, 999_995, -999_995])
@pytest.mark.parametrize("bound", [UPPER, LOWER, EXACT])
def test_what_is_saved_is_found(bucket: Bucket, score: int, bound: np.uint64) -> None:
    bucket.store(42, 60, score, bound, 63, level=4)
    data = bucket.probe(42)
    assert KERNELS.entry_score(data) == score
    assert KERNELS.entry_depth(data) == 60
    assert KERNELS.entry_move(data) == 63
    assert KERNELS.entry_bound(data) == bound
    assert KERNELS.entry_level(data) == 4


def test_a_missing_move_is_told_from_all_squares(bucket: Bucket) -> None:
    bucket.store(42, 1, move=int(NO_MOVE))
    assert KERNELS.entry_move(bucket.probe(42)) == NO_MOVE
    assert NO_MOVE > 64


def test_an_unknown_key_is_not_found(bucket: Bucket) -> None:
    bucket.store(42, 1)
    assert bucket.probe(43) == 0
    assert bucket.probe(0) == 0


def test_an_entry_torn_between_two_writers_is_not_found(bucket: Bucket) -> None:
    bucket.store(42, 7)
    data_word = ctypes.c_uint64.from_address(bucket.address + 8)
    data_word.value ^= 1 << 24
    assert bucket.probe(42) == 0


def test_a_full_bucket_gives_up_its_shallowest_entry(bucket: Bucket) -> None:
    for key, depth in enumerate([9, 3, 7, 8], 1):
        bucket.store(key, depth)
    bucket.store(5, 1)
    assert [bucket.depth(key) for key in range(1, 6)] == [9, None, 7, 8, 1]


def test_deep_entries_of_earlier_searches_give_way_in_the_end(bucket: Bucket) -> None:
    for key in range(1, 5):
        bucket.store(key, 20)
    for search in range(10):
        bucket.table.begin_search()
        for key in range(1, 5):
            bucket.store(100 * (search + 1) + key, 2)
    assert all(bucket.depth(key) is None for key in range(1, 5))


def test_age_wraps_around(bucket: Bucket) -> None:
    for _ in range(255):
        bucket.table.begin_search()
    bucket.store(1, 9)
    bucket.table.begin_search()
    assert bucket.table.age == 0
    for key, depth in [(2, 8), (3, 8), (4, 8), (5, 3)]:
        bucket.store(key, depth)
    assert bucket.depth(1) is None, "one search old: worth 9 - 4 plies, less than the others"


def test_a_much_deeper_bound_stays_but_an_exact_score_replaces_it(bucket: Bucket) -> None:
    bucket.store(1, 20, bound=LOWER)
    bucket.store(1, 5, bound=UPPER)
    assert bucket.depth(1) == 20
    bucket.store(1, 5, bound=EXACT)
    assert bucket.depth(1) == 5


def test_a_position_has_one_entry(bucket: Bucket) -> None:
    for depth in range(1, 5):
        bucket.store(1, depth)
    bucket.store(2, 1)
    bucket.store(3, 1)
    bucket.store(4, 1)
    assert [bucket.depth(key) for key in range(1, 5)] == [4, 1, 1, 1]


def test_buckets_are_cache_lines_inside_the_table() -> None:
    table = TranspositionTable(1)
    assert table.address % 64 == 0
    assert table.buckets * 64 == 1 << 20
    for key in (0, 1 << 63, (1 << 64) - 1):
        address = KERNELS.bucket_address(table.address, table.buckets, key)
        assert address % 64 == 0
        assert table.address <= address < table.address + (1 << 20)


def test_hashfull_counts_this_search_alone(bucket: Bucket) -> None:
    table = bucket.table
    assert table.hashfull() == 0
    for number in range(table.buckets):
        address = table.address + 64 * number
        for key in range(1, 3):
            KERNELS.store(address, key, table.age, 1, 0, 0, 0, EXACT)
    assert table.hashfull() == 500
    table.begin_search()
    assert table.hashfull() == 0


def test_clear_forgets_everything(bucket: Bucket) -> None:
    bucket.table.begin_search()
    bucket.store(1, 5)
    bucket.table.clear()
    assert bucket.probe(1) == 0
    assert bucket.table.age == 0


def test_keys_tell_sides_and_games_apart() -> None:
    words = [0, 1, 2, 3, 1 << 63, (1 << 64) - 1]
    salts = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03]
    keys = {
        unsigned(KERNELS.position_key(salt, own, other))
        for salt in salts
        for own in words
        for other in words
    }
    assert len(keys) == len(salts) * len(words) ** 2
