"""Stable discs, which no play can flip any more, and the bound that they give.

A table that `tools/edges.py` computes has the stable discs of the edges. Elsewhere, a disc is
stable if it is safe on each of its four lines. A line is safe if it is full, or if a
neighbour on it is a stable disc of the same colour. This rule is repeated until it adds nothing.
"""

import numpy as np

from plywire.engine.compiled.constants import BYTE
from plywire.engine.compiled.intrinsics import load8, load64, or_reduce, popcount, u64x4
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.layout import Address, Score, Word
from plywire.engine.othello.lookups import FILE, FILE_TO_BYTE, TOP_BYTE
from plywire.engine.othello.memory import OTHELLO

_BYTE_TO_FILE = np.uint64(0x0002_0408_1020_4081)
_LOW_SEVEN = np.uint64(0x7F)
_FILE_A = np.uint64(0)
_FILE_H = np.uint64(7)
_SEVENTH = np.uint64(7)
_EIGHT = np.uint64(8)
_INNER = np.uint64(0x007E_7E7E_7E7E_7E00)


@kernel
def full_lines(taken: Word) -> Word:
    """Return the taken squares on full lines, one direction a lane.

    Squares outside the board count as taken.
    """
    one = u64x4(1, 8, 9, 7)
    two = u64x4(2, 16, 18, 14)
    four = u64x4(4, 32, 36, 28)
    up = u64x4(taken)
    up &= up >> one | u64x4(
        0x8080_8080_8080_8080, 0xFF00_0000_0000_0000, 0xFF80_8080_8080_8080, 0xFF01_0101_0101_0101
    )
    up &= up >> two | u64x4(
        0xC0C0_C0C0_C0C0_C0C0, 0xFFFF_0000_0000_0000, 0xFFFF_C0C0_C0C0_C0C0, 0xFFFF_0303_0303_0303
    )
    up &= up >> four | u64x4(
        0xF0F0_F0F0_F0F0_F0F0, 0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_F0F0_F0F0, 0xFFFF_FFFF_0F0F_0F0F
    )
    down = u64x4(taken)
    down &= down << one | u64x4(
        0x0101_0101_0101_0101, 0x0000_0000_0000_00FF, 0x0101_0101_0101_01FF, 0x8080_8080_8080_80FF
    )
    down &= down << two | u64x4(
        0x0303_0303_0303_0303, 0x0000_0000_0000_FFFF, 0x0303_0303_0303_FFFF, 0xC0C0_C0C0_C0C0_FFFF
    )
    down &= down << four | u64x4(
        0x0F0F_0F0F_0F0F_0F0F, 0x0000_0000_FFFF_FFFF, 0x0F0F_0F0F_FFFF_FFFF, 0xF0F0_F0F0_FFFF_FFFF
    )
    return up & down


@kernel
def _on_rank(edges: Address, own: Word, other: Word, shift: Word) -> Word:
    own = own >> shift & BYTE
    other = other >> shift & BYTE
    return load8(edges + (own << _EIGHT | other)) << shift


@kernel
def _on_file(edges: Address, own: Word, other: Word, file: Word) -> Word:
    own = ((own >> file & FILE) * FILE_TO_BYTE) >> TOP_BYTE
    other = ((other >> file & FILE) * FILE_TO_BYTE) >> TOP_BYTE
    stable = load8(edges + (own << _EIGHT | other))
    # The multiplication spreads seven bits without overlap. The eighth bit is placed separately.
    scattered = ((stable & _LOW_SEVEN) * _BYTE_TO_FILE) & FILE
    return (scattered | stable >> _SEVENTH << TOP_BYTE) << file


@kernel
def stable_discs(context: Address, own: Word, other: Word) -> Word:
    """Return own discs that can never be flipped; some are missed."""
    edges = load64(context + OTHELLO.edges)
    stable = _on_rank(edges, own, other, np.uint64(0)) | _on_rank(edges, own, other, TOP_BYTE)
    stable |= _on_file(edges, own, other, _FILE_A) | _on_file(edges, own, other, _FILE_H)
    full = full_lines(own | other)
    inner = own & _INNER
    stable |= inner & ~or_reduce(~full)
    step = u64x4(1, 8, 9, 7)
    before = np.uint64(0)
    while stable != before:
        before = stable
        exposed = ~(full | stable << step | stable >> step)
        stable |= inner & ~or_reduce(exposed)
    return stable


@kernel
def stability_bound(context: Address, own: Word, other: Word, alpha: Score) -> Score:
    """Return an upper bound from the opponent's stable discs; if this is above alpha, return 64."""
    if np.int64(64) - np.int64(2) * np.int64(popcount(other)) > alpha:
        return np.int64(64)
    bound = np.int64(64) - np.int64(2) * np.int64(popcount(stable_discs(context, other, own)))
    return bound if bound <= alpha else np.int64(64)
