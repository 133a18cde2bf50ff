"""Eight positions at a time.

Vectors with one direction in each lane are transposed to vectors with one position in each lane.
"""

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, TWO, WORD
from plywire.engine.compiled.intrinsics import (
    ctz,
    even_lanes,
    even_pairs,
    load_u64x8,
    odd_lanes,
    odd_pairs,
    reverse_bits,
    u64x8,
)
from plywire.engine.compiled.kernel import inlined
from plywire.engine.compiled.layout import Address, Vector, Word

from .kernels import INNER_FILES, OthelloBoard

BATCH = np.uint64(8)
#: The size of a vector in bytes.
VECTOR = BATCH * WORD

_FOUR, _SIX = np.uint64(4), np.uint64(6)
_RANK, _FILE, _RISING, _FALLING = np.uint64(1), np.uint64(8), np.uint64(9), np.uint64(7)


@inlined
def both_ways(own: Word, other: Word) -> tuple[Word, Word]:
    """Return boards for `flips_by_direction`; the upper four lanes are reversed."""
    backwards = reverse_bits(u64x8(own, own, other, other, own, own, other, other))
    return even_pairs(u64x8(own), backwards), odd_pairs(u64x8(other), backwards)


@inlined
def flips_by_direction(board: OthelloBoard, own: Word, other: Word, square: Word) -> Vector:
    """Return the opponent's discs that a new disc encloses, one direction in each lane.

    Reversed boards make every direction lead to higher bits. Then adding 1 carries through the
    opponent's discs to the first square that is not theirs.
    """
    ray = load_u64x8(board.rays_both_ways + square * VECTOR)
    end = (other | ~ray) + 1 & own & ray
    return end - 1 & ray & (end != 0)


@inlined
def _two_vectors(address: Address) -> tuple[Word, Word]:
    return load_u64x8(address), load_u64x8(address + VECTOR)


@inlined
def gather_flips(address: Address) -> Vector:
    """Return the flips of eight moves, whose `flips_by_direction` lie at an address."""
    a, b = _two_vectors(address)
    c, d = _two_vectors(address + TWO * VECTOR)
    e, f = _two_vectors(address + _FOUR * VECTOR)
    g, h = _two_vectors(address + _SIX * VECTOR)
    return _gather(a, b, c, d, e, f, g, h)


@inlined
def _gather(
    a: Vector, b: Vector, c: Vector, d: Vector, e: Vector, f: Vector, g: Vector, h: Vector
) -> Vector:
    ab = even_lanes(a, b) | odd_lanes(a, b)
    cd = even_lanes(c, d) | odd_lanes(c, d)
    ef = even_lanes(e, f) | odd_lanes(e, f)
    gh = even_lanes(g, h) | odd_lanes(g, h)
    abcd = even_pairs(ab, cd) | odd_pairs(ab, cd)
    efgh = even_pairs(ef, gh) | odd_pairs(ef, gh)
    return even_pairs(abcd, efgh) | reverse_bits(odd_pairs(abcd, efgh))


@inlined
def _placed(board: OthelloBoard, own: Word, other: Word, moves: Word) -> tuple[Word, Word]:
    """Return the discs that the first move places and flips, by direction, and the other moves."""
    flipped = flips_by_direction(board, own, other, ctz(moves))
    new = u64x8(moves & (NONE - moves), NONE, NONE, NONE, NONE, NONE, NONE, NONE)
    return flipped | new, moves & (moves - ONE)


@inlined
def place_batch(board: OthelloBoard, own: Word, other: Word, moves: Word) -> tuple[Word, Word]:
    """Return a vector of the discs that each of the first eight moves places and flips.

    If there are fewer moves, the other lanes are 0. The second result is the moves that are left.
    """
    own, other = both_ways(own, other)
    a, moves = _placed(board, own, other, moves)
    b, moves = _placed(board, own, other, moves)
    c, moves = _placed(board, own, other, moves)
    d, moves = _placed(board, own, other, moves)
    e, moves = _placed(board, own, other, moves)
    f, moves = _placed(board, own, other, moves)
    g, moves = _placed(board, own, other, moves)
    h, moves = _placed(board, own, other, moves)
    return _gather(a, b, c, d, e, f, g, h), moves


@inlined
def _up(own: Word, inner: Word, step: Word) -> Vector:
    """Return the first square above each run of `inner` discs that begins above an own disc."""
    found = inner & own << step
    found |= inner & found << step
    pairs = inner & inner << step
    found |= pairs & found << step + step
    found |= pairs & found << step + step
    return found << step


@inlined
def _down(own: Word, inner: Word, step: Word) -> Vector:
    found = inner & own >> step
    found |= inner & found >> step
    pairs = inner & inner >> step
    found |= pairs & found >> step + step
    found |= pairs & found >> step + step
    return found >> step


@inlined
def batch_mobility(own: Word, other: Word) -> Vector:
    """Return the `mobility` of eight positions."""
    inner = other & INNER_FILES
    # Towards higher squares of the rank, one addition carries through a whole run of discs.
    found = inner + (inner & own << _RANK) & ~inner
    found |= _down(own, inner, _RANK)
    found |= _up(own, other, _FILE) | _down(own, other, _FILE)
    found |= _up(own, inner, _RISING) | _down(own, inner, _RISING)
    found |= _up(own, inner, _FALLING) | _down(own, inner, _FALLING)
    return found & ~(own | other)
