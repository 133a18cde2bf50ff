"""The transposition table: the results of earlier visits to a position.

A bucket is a cache line of four entries; an entry has two words:

    word 0   key xor data
    word 1   data
                 bits 51..49   48..41   40..39   38..32   31..24   23..0
                      level    age      bound    move     depth    score + 2^23

`move` is a square or `NO_MOVE`; `bound` is 0 in an empty entry. `level` is how sure the search was
of cuts that rest on estimates; searches without such cuts store 0.

Threads share the table without locks. If two threads each wrote one word of an entry, the words do
not give the key, and the entry is not found. The source is R. Hyatt and T. Mann, "A lock-less
transposition table implementation for parallel search", ICGA Journal 25(1), 2002.
"""

import numpy as np

from plywire.engine.compiled.constants import WORD
from plywire.engine.compiled.intrinsics import atomic_load64, atomic_store64, load64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Ply, Score, Word

from .context import CONTEXT
from .hash_table import HashTable

#: Kinds of bounds: the true score is at most, at least or exactly the stored one.
UPPER, LOWER, EXACT = np.uint64(1), np.uint64(2), np.uint64(3)
NO_MOVE = np.uint64(127)

_ENTRIES = 4
_ENTRY_BYTES = np.uint64(16)
BUCKET_BYTES = 64
_SCORE_BIAS = 1 << 23
_SCORE_MASK = np.uint64((1 << 24) - 1)
_DEPTH = np.uint64(24)
_DEPTH_MASK = np.uint64(0xFF)
_MOVE = np.uint64(32)
_MOVE_MASK = np.uint64(0x7F)
_BOUND = np.uint64(39)
_BOUND_MASK = np.uint64(3)
_AGE = np.uint64(41)
AGE_MASK = np.uint64(0xFF)
_LEVEL = np.uint64(49)
#: The worth of an entry falls by this many plies with each later search.
_AGE_PLIES = 4
#: A new bound replaces the old one of the same position and search, unless the old one is more than
#: this many plies deeper.
_DEEPER = 3
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFF_FFFF)

_SAMPLED_BUCKETS = 250


class TranspositionTable(HashTable):
    """A hash table that knows the age of its entries."""

    def __init__(self, megabytes: float) -> None:
        super().__init__(megabytes, BUCKET_BYTES)
        self.age = 0
        """The number of searches, modulo 256."""

    def begin_search(self) -> None:
        """Make all entries one search older."""
        self.forget_busy()
        self.age = (self.age + 1) & int(AGE_MASK)

    def clear(self) -> None:
        super().clear()
        self.age = 0

    def hashfull(self) -> int:
        """Return how full the table is of this search's entries, in thousandths, from a sample."""
        sample = self._words[: _SAMPLED_BUCKETS * BUCKET_BYTES // 8]
        data = sample[1::2]
        used = (data >> _BOUND & _BOUND_MASK != 0) & (data >> _AGE & AGE_MASK == self.age)
        return int(np.count_nonzero(used))


@kernel
def position_key(salt: Word, own: Word, other: Word) -> Word:
    """Return a 64-bit hash of a position; `salt` differs between games and board sizes.

    The constants are those of MurmurHash3 and SplitMix64. Positions that differ in only one word
    have different keys.
    """
    key = (own ^ salt) * np.uint64(0xFF51_AFD7_ED55_8CCD)
    key = (key ^ (key >> np.uint64(32))) * np.uint64(0xC4CE_B9FE_1A85_EC53)
    key = ((key ^ (key >> np.uint64(29))) + other) * np.uint64(0xBF58_476D_1CE4_E5B9)
    key = (key ^ (key >> np.uint64(32))) * np.uint64(0x94D0_49BB_1331_11EB)
    return key ^ (key >> np.uint64(31))


@kernel
def bucket_address(table: Address, buckets: Word, key: Word) -> Address:
    """Return the address of a key's bucket; keys use any number of buckets evenly."""
    return table + (((key >> _HALF) * buckets) >> _HALF) * np.uint64(BUCKET_BYTES)


@kernel
def bucket_of(context: Address, key: Word) -> Address:
    """Return the address of a key's bucket in the table of a context."""
    return bucket_address(load64(context + CONTEXT.table), load64(context + CONTEXT.buckets), key)


@kernel
def probe(bucket: Address, key: Word) -> Word:
    """Return the data of a key in a bucket, 0 if there is none."""
    for index in range(_ENTRIES):
        entry = bucket + np.uint64(index) * _ENTRY_BYTES
        data = atomic_load64(entry + WORD)
        if atomic_load64(entry) ^ data == key:
            return data
    return np.uint64(0)


@kernel
def entry_score(data: Word) -> Score:
    """Return the stored score (int64)."""
    return np.int64(data & _SCORE_MASK) - _SCORE_BIAS


@kernel
def entry_depth(data: Word) -> Ply:
    """Return the depth of the search in plies (int64)."""
    return np.int64((data >> _DEPTH) & _DEPTH_MASK)


@kernel
def entry_move(data: Word) -> Word:
    """Return the square of the best move, or NO_MOVE."""
    return (data >> _MOVE) & _MOVE_MASK


@kernel
def entry_bound(data: Word) -> Word:
    """Return UPPER, LOWER or EXACT; 0 if the entry is empty."""
    return (data >> _BOUND) & _BOUND_MASK


@kernel
def entry_level(data: Word) -> Ply:
    """Return the level (int64); see the head of the module."""
    return np.int64(data >> _LEVEL)


@kernel
def store(
    bucket: Address,
    key: Word,
    age: Word,
    depth: Ply,
    level: Ply,
    move: Word,
    score: Score,
    bound: Word,
) -> None:
    """Store a result in the position's entry; without one, replace the entry of least worth.

    Worth is the depth minus some plies for each later search. A much deeper bound of the same
    position and search stays.
    """
    victim = bucket
    least = np.int64(1 << 30)
    for index in range(_ENTRIES):
        entry = bucket + np.uint64(index) * _ENTRY_BYTES
        data = atomic_load64(entry + WORD)
        searches_ago = (age - (data >> _AGE)) & AGE_MASK
        if entry_bound(data) == np.uint64(0):
            worth = np.int64(-(1 << 29))
        else:
            worth = entry_depth(data) - np.int64(searches_ago) * _AGE_PLIES
            if atomic_load64(entry) ^ data == key:
                deeper = entry_depth(data) > depth + _DEEPER
                if deeper and bound != EXACT and searches_ago == np.uint64(0):
                    return
                victim = entry
                break
        if worth < least:
            least = worth
            victim = entry
    word = np.uint64(score + _SCORE_BIAS) | (np.uint64(depth) << _DEPTH) | (move << _MOVE)
    word |= (bound << _BOUND) | (age << _AGE) | (np.uint64(level) << _LEVEL)
    atomic_store64(victim, key ^ word)
    atomic_store64(victim + WORD, word)
