"""The near table, for positions with few empty squares: two words an entry, two entries a bucket.

    word 0   hash
    word 1   data
                21..16   15..8   7..0
                 work    lower   upper

`work` is the bit length of the number of nodes searched for the bounds. If a new entry has at least
the work of the first, it becomes the first, and the first becomes the second. Otherwise the new
entry replaces the second.

Each thread has its own table, in the second-level cache. Most positions have few empty squares, and
each costs less than one access to main memory.
"""

import numpy as np

from plywire.engine.compiled.constants import BYTE, NONE, WORD
from plywire.engine.compiled.intrinsics import clz, load64, rotate_left, store64
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Score, Word

_SECOND = np.uint64(16)
#: Added to a bound when it is stored, so that it is not negative.
_BIAS = np.int64(64)
_LOWER = np.uint64(8)
_WORK = np.uint64(16)
_WORD_BITS = np.uint64(64)
_BUCKET_SHIFT = np.uint64(5)

BUCKET_BYTES = 32
#: The number of buckets. They take 512 KiB: they fit easily into a second-level cache of 1 MiB, and
#: just into one of 512 KiB.
NEAR_BUCKETS = 1 << 14
_LAST_BUCKET = np.uint64(NEAR_BUCKETS - 1)


@inlined
def hash_of(own: Word, other: Word) -> Word:
    """Return a hash of each position, with constants of MurmurHash3 and SplitMix64."""
    first = (own ^ own >> np.uint64(32)) * np.uint64(0xFF51_AFD7_ED55_8CCD)
    second = (other ^ other >> np.uint64(29)) * np.uint64(0xC4CE_B9FE_1A85_EC53)
    key = first ^ rotate_left(second, np.uint64(32))
    key = (key ^ key >> np.uint64(29)) * np.uint64(0xBF58_476D_1CE4_E5B9)
    return key ^ key >> np.uint64(32)


@kernel
def bucket(table: Address, key: Word) -> Address:
    """Return the address of a key's bucket."""
    return table + ((key & _LAST_BUCKET) << _BUCKET_SHIFT)


@kernel
def probe(address: Address, key: Word) -> Word:
    """Return the data of a key in a bucket, 0 if there is none."""
    if load64(address) == key:
        return load64(address + WORD)
    if load64(address + _SECOND) == key:
        return load64(address + _SECOND + WORD)
    return NONE


@kernel
def lower_bound(data: Word) -> Score:
    """Return an entry's lower bound, as int64."""
    return np.int64(data >> _LOWER & BYTE) - _BIAS


@kernel
def upper_bound(data: Word) -> Score:
    """Return an entry's upper bound, as int64."""
    return np.int64(data & BYTE) - _BIAS


@kernel
def _put(address: Address, key: Word, data: Word) -> None:
    store64(address, key)
    store64(address + WORD, data)


@kernel
def store(address: Address, key: Word, lower: Score, upper: Score, nodes: Word) -> None:
    """Store the bounds of a position; the search for them took `nodes` nodes, at least 1."""
    work = _WORD_BITS - clz(nodes)
    data = work << _WORK | np.uint64(lower + _BIAS) << _LOWER | np.uint64(upper + _BIAS)
    first_key = load64(address)
    first = load64(address + WORD)
    if first_key == key:
        _put(address, key, data)
        return
    if load64(address + _SECOND) == key or work < first >> _WORK:
        _put(address + _SECOND, key, data)
        return
    _put(address + _SECOND, first_key, first)
    _put(address, key, data)
