"""Eight positions at a time: what moves flip, and where there are moves.

A vector whose lanes are the directions is handy for one move, one whose lanes are positions for
what follows. Between the two stands a transposition, which eight moves share.
"""

from typing import Any

import numpy as np

from plywire.engine.compiled.constants import TWO, WORD
from plywire.engine.compiled.intrinsics import (
    even_lanes,
    even_pairs,
    join,
    load_u64x4,
    load_u64x8,
    odd_lanes,
    odd_pairs,
    reverse_bits,
    u64x4,
)
from plywire.engine.compiled.kernel import inlined

from .kernels import INNER_FILES

#: Positions of a batch.
BATCH = np.uint64(8)
#: Bytes of a vector.
VECTOR = BATCH * WORD

_FOUR, _SIX = np.uint64(4), np.uint64(6)
_LAST_SQUARE = np.uint64(63)
_RANK, _FILE, _RISING, _FALLING = np.uint64(1), np.uint64(8), np.uint64(9), np.uint64(7)


@inlined
def both_ways(word: Any) -> Any:
    """A board as `flips_by_direction` takes it: as it is in four lanes, and reversed in four."""
    return join(u64x4(word), u64x4(reverse_bits(word)))


@inlined
def flips_by_direction(board: Any, own: Any, other: Any, square: Any) -> Any:
    """The other's discs that a new disc encloses, a lane for each direction.

    In the upper four lanes all boards are reversed, so that every direction leads to higher bits:
    there, adding one carries through the other's discs to the first square that is not theirs.
    """
    up = load_u64x4(board.rays + square * VECTOR)
    down = load_u64x4(board.rays + (_LAST_SQUARE - square) * VECTOR)
    ray = join(up, down)
    run = other | ~ray
    past = run + 1
    return run & ~past & ray & (past & own & ray != 0)


@inlined
def _two_vectors(address: Any) -> Any:
    return load_u64x8(address), load_u64x8(address + VECTOR)


@inlined
def gather_flips(address: Any) -> Any:
    """What each of eight moves flips, of what `flips_by_direction` told for them.

    That is stored at the address, one vector after the other.
    """
    a, b = _two_vectors(address)
    c, d = _two_vectors(address + TWO * VECTOR)
    e, f = _two_vectors(address + _FOUR * VECTOR)
    g, h = _two_vectors(address + _SIX * VECTOR)
    ab = even_lanes(a, b) | odd_lanes(a, b)
    cd = even_lanes(c, d) | odd_lanes(c, d)
    ef = even_lanes(e, f) | odd_lanes(e, f)
    gh = even_lanes(g, h) | odd_lanes(g, h)
    abcd = even_pairs(ab, cd) | odd_pairs(ab, cd)
    efgh = even_pairs(ef, gh) | odd_pairs(ef, gh)
    return even_pairs(abcd, efgh) | reverse_bits(odd_pairs(abcd, efgh))


@inlined
def _up(own: Any, inner: Any, step: Any) -> Any:
    """The squares just above runs of the inner discs that begin above an own one."""
    found = inner & own << step
    found |= inner & found << step
    pairs = inner & inner << step
    found |= pairs & found << step + step
    found |= pairs & found << step + step
    return found << step


@inlined
def _down(own: Any, inner: Any, step: Any) -> Any:
    found = inner & own >> step
    found |= inner & found >> step
    pairs = inner & inner >> step
    found |= pairs & found >> step + step
    found |= pairs & found >> step + step
    return found >> step


@inlined
def batch_mobility(own: Any, other: Any) -> Any:
    """`mobility` of eight positions."""
    inner = other & INNER_FILES
    # Along the rank, an addition carries through the whole run.
    found = inner + (inner & own << _RANK) & ~inner
    found |= _down(own, inner, _RANK)
    found |= _up(own, other, _FILE) | _down(own, other, _FILE)
    found |= _up(own, inner, _RISING) | _down(own, inner, _RISING)
    found |= _up(own, inner, _FALLING) | _down(own, inner, _FALLING)
    return found & ~(own | other)
