"""The solver's transposition table: an entry is a 64-bit word, a bucket has two entries.

    63          20 19    14 13     7 6      0
    | signature   | work   | lower  | upper  |

Because an entry is one word, threads share the table without locks. The signature and the bucket's
index make up the hash. `work` is the bit length of the number of nodes searched for the bounds. If
a new entry has at least the work of the first, it becomes the first, and the first becomes the
second. Otherwise the new entry replaces the second.

Positions with few empty squares, the majority, have a near table, which stays in the second-level
cache. Each costs less than one access to main memory, and transposes soon or never. So a near
bucket holds the latest two entries.
"""

import numpy as np

from plywire.engine.compiled.constants import NONE
from plywire.engine.compiled.intrinsics import clz, load64, store64
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Flag, Score, Word

#: Added to a bound, so that it fits into 7 bits without a sign.
_BIAS = np.int64(64)
_BOUND = np.uint64(0x7F)
_LOWER = np.uint64(7)
_WORK = np.uint64(14)
_SIGNATURE = np.uint64(20)
_WORK_MASK = np.uint64(0x3F)
_WORD_BITS = np.uint64(64)
_SECOND = np.uint64(8)
_BUCKET_SHIFT = np.uint64(4)

BUCKET_BYTES = 16
#: Number of buckets of a near table if one thread searches. They take 256 KiB, which fits easily
#: into a second-level cache of 512 KiB.
NEAR_BUCKETS = 1 << 14
#: Number of buckets of each thread's near table if several threads search. They take 1 MiB, because
#: no thread sees the near results of others.
SHARED_NEAR_BUCKETS = 1 << 16


@kernel
def bucket(table: Address, mask: Word, key: Word) -> Address:
    """Return the address of a key's bucket in a table of mask + 1 buckets."""
    return table + ((key & mask) << _BUCKET_SHIFT)


@kernel
def folded_bucket(table: Address, buckets: Word, mask: Word, key: Word) -> Address:
    """Return the address of a key's bucket among `buckets`; larger indices wrap to the start."""
    index = key & mask
    # If `index` is below `buckets`, the difference wraps to a very large unsigned number.
    return table + (min(index, index - buckets) << _BUCKET_SHIFT)


@kernel
def probe(address: Address, key: Word) -> Word:
    """Return the entry of a key in a bucket, 0 if there is none."""
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
    """Return an entry's lower bound, as int64."""
    return np.int64(entry >> _LOWER & _BOUND) - _BIAS


@kernel
def upper_bound(entry: Address) -> Score:
    """Return an entry's upper bound, as int64."""
    return np.int64(entry & _BOUND) - _BIAS


@kernel
def store(
    address: Address, key: Word, lower: Score, upper: Score, nodes: Word, is_near: Flag
) -> None:
    """Store the bounds of a position; the search for them took `nodes` nodes, at least 1."""
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
