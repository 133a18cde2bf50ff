"""The table of positions with few squares left: two words an entry, two entries a bucket.

    word 0   hash
    word 1   data
                21..16   15..8   7..0
                 work    lower   upper

`work` is the bit length of the number of nodes that were searched to find the bounds; the first
entry of a bucket gives way only to one that cost as much, the second always.

It is each thread's own and so small that it stays in the processor's second-level cache: these are
most of all positions, and cost less than one access to main memory.
"""

import numpy as np

from plywire.engine.compiled.constants import BYTE, NONE, WORD
from plywire.engine.compiled.intrinsics import clz, load64, rotate_left, store64
from plywire.engine.compiled.kernel import inlined, kernel
from plywire.engine.compiled.layout import Address, Score, Word

_SECOND = np.uint64(16)
_BIAS = np.int64(64)  # bounds are stored with this added
_LOWER = np.uint64(8)
_WORK = np.uint64(16)
_WORD_BITS = np.uint64(64)
_BUCKET_SHIFT = np.uint64(5)

BUCKET_BYTES = 32
#: Buckets that fit comfortably in a second-level cache of 1 MiB, and still in one of 512 KiB.
NEAR_BUCKETS = 1 << 14
_LAST_BUCKET = np.uint64(NEAR_BUCKETS - 1)


@inlined
def hash_of(own: Word, other: Word) -> Word:
    """A 64-bit hash of a position, by multiplying with constants of MurmurHash3 and SplitMix64.

    Of vectors, it is one of each lane's position.
    """
    first = (own ^ own >> np.uint64(32)) * np.uint64(0xFF51_AFD7_ED55_8CCD)
    second = (other ^ other >> np.uint64(29)) * np.uint64(0xC4CE_B9FE_1A85_EC53)
    key = first ^ rotate_left(second, np.uint64(32))
    key = (key ^ key >> np.uint64(29)) * np.uint64(0xBF58_476D_1CE4_E5B9)
    return key ^ key >> np.uint64(32)


@kernel
def bucket(table: Address, key: Word) -> Address:
    """The address of the bucket of a key."""
    return table + ((key & _LAST_BUCKET) << _BUCKET_SHIFT)


@kernel
def probe(address: Address, key: Word) -> Word:
    """The data of a key in the bucket at an address, 0 if it is not there."""
    if load64(address) == key:
        return load64(address + WORD)
    if load64(address + _SECOND) == key:
        return load64(address + _SECOND + WORD)
    return NONE


@kernel
def lower_bound(data: Word) -> Score:
    """The lower bound that an entry holds, as int64."""
    return np.int64(data >> _LOWER & BYTE) - _BIAS


@kernel
def upper_bound(data: Word) -> Score:
    """The upper bound that an entry holds, as int64."""
    return np.int64(data & BYTE) - _BIAS


@kernel
def _put(address: Address, key: Word, data: Word) -> None:
    store64(address, key)
    store64(address + WORD, data)


@kernel
def store(address: Address, key: Word, lower: Score, upper: Score, nodes: Word) -> None:
    """Store what is known of a position that took that many nodes, at least 1, to find out."""
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
