"""The solver's transposition table: one 64-bit word an entry, two entries a bucket.

    63          20 19    14 13     7 6      0
    | signature   | work   | lower  | upper  |

An entry is one word, so threads share the table without locks: no entry can be half another's.
The signature with the bucket's index makes up the hash of the position. `work` is the bit length of
the number of nodes that were searched to find the bounds; the first entry of a bucket gives way
only to one that cost as much, the second always.

Positions with few squares left go to a small part of the table that stays in the processor's
second-level cache. They are most of all positions, cost less than one access to main memory, and
their transpositions come soon or never: there a bucket holds the latest two, whatever they cost.
"""

import numpy as np

from plywire.engine.compiled.constants import NONE
from plywire.engine.compiled.intrinsics import clz, load64, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Flag, Score, Word

_BIAS = np.int64(64)  # bounds are stored with this added, in 7 bits
_BOUND = np.uint64(0x7F)
_LOWER = np.uint64(7)
_WORK = np.uint64(14)
_SIGNATURE = np.uint64(20)
_WORK_MASK = np.uint64(0x3F)
_WORD_BITS = np.uint64(64)
_SECOND = np.uint64(8)
_BUCKET_SHIFT = np.uint64(4)

BUCKET_BYTES = 16
#: Buckets that fit comfortably in a second-level cache of 512 KiB or more.
NEAR_BUCKETS = 1 << 14
#: Each of several threads keeps more, because it does not see what the others find out about such
#: positions. The buckets take 1 MiB, and stay in the second-level cache or in the third.
SHARED_NEAR_BUCKETS = 1 << 16


@kernel
def bucket(table: Address, mask: Word, key: Word) -> Address:
    """The address of the bucket of a key, in a table of mask + 1 buckets."""
    return table + ((key & mask) << _BUCKET_SHIFT)


@kernel
def folded_bucket(table: Address, buckets: Word, mask: Word, key: Word) -> Address:
    """The address of the bucket of a key, in a table of any number of buckets.

    `mask` + 1 is the least power of two that is not less than this number. An index beyond the
    table counts from its beginning again.
    """
    index = key & mask
    return table + (min(index, index - buckets) << _BUCKET_SHIFT)  # less than 0 is very large


@kernel
def probe(address: Address, key: Word) -> Word:
    """The entry of a key in the bucket at an address, 0 if it is not there."""
    signature = key >> _SIGNATURE
    entry = load64(address)
    if entry >> _SIGNATURE == signature:
        return entry
    entry = load64(address + _SECOND)
    if entry >> _SIGNATURE == signature:
        return entry
    return NONE


@kernel
def lower_bound(entry: Address) -> Score:
    """The lower bound that an entry holds, as int64."""
    return np.int64(entry >> _LOWER & _BOUND) - _BIAS


@kernel
def upper_bound(entry: Address) -> Score:
    """The upper bound that an entry holds, as int64."""
    return np.int64(entry & _BOUND) - _BIAS


@kernel
def store(
    address: Address, key: Word, lower: Score, upper: Score, nodes: Word, is_near: Flag
) -> None:
    """Store the bounds of a position that took that many nodes, at least 1, to find."""
    signature = key >> _SIGNATURE
    work = _WORD_BITS - clz(nodes)
    entry = signature << _SIGNATURE | work << _WORK
    entry |= np.uint64(lower + _BIAS) << _LOWER | np.uint64(upper + _BIAS)
    first = load64(address)
    if first >> _SIGNATURE == signature:
        store64(address, entry)
    elif load64(address + _SECOND) >> _SIGNATURE == signature:
        store64(address + _SECOND, entry)
    elif is_near or work >= (first >> _WORK & _WORK_MASK):
        store64(address + _SECOND, first)
        store64(address, entry)
    else:
        store64(address + _SECOND, entry)
