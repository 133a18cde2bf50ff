"""Each intrinsic by itself; what is not a single word is written to an address."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plywire.engine.compiled.constants import NONE, ONE, THREE, WORD
from plywire.engine.compiled.intrinsics import (
    add_reduce,
    atomic_load64,
    atomic_store64,
    clock_ticks,
    clz,
    ctz,
    even_lanes,
    even_pairs,
    load8,
    load16,
    load64,
    load_float,
    load_u64x4,
    load_u64x8,
    odd_lanes,
    odd_pairs,
    or_reduce,
    popcount,
    prefetch,
    reverse_bits,
    rotate_left,
    stack_words,
    store64,
    store_float,
    store_vector,
    u64x4,
    u64x8,
)
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.program import UINT64, Entry
from plywire.engine.compiled.target import has_wide_vectors

#: Bytes of vectors.
_FOUR, _EIGHT = np.uint64(32), np.uint64(64)


# ---- bits ----------------------------------------------------------------------------------------


@kernel
def bits(word: Any, count: Any, target: Any) -> Any:
    store64(target, popcount(word))
    store64(target + np.uint64(8), ctz(word))
    store64(target + np.uint64(16), clz(word))
    store64(target + np.uint64(24), reverse_bits(word))
    store64(target + np.uint64(32), rotate_left(word, count))


@kernel
def _write_bits(vector: Any, target: Any, size: Any) -> Any:
    for result in (popcount(vector), ctz(vector), clz(vector), reverse_bits(vector)):
        store_vector(target, result)
        target += size
    store_vector(target, rotate_left(vector, np.uint64(69)))


@kernel
def bits4(source: Any, target: Any) -> Any:
    _write_bits(load_u64x4(source), target, _FOUR)


@kernel
def bits8(source: Any, target: Any) -> Any:
    _write_bits(load_u64x8(source), target, _EIGHT)


@kernel
def lanes_in_one_piece() -> Any:
    return 8 if has_wide_vectors() else 4


# ---- memory --------------------------------------------------------------------------------------


@kernel
def memory_of_each_width(place: Any, word: Any, target: Any) -> Any:
    store64(place, word)
    store64(target, load8(place))
    store64(target + np.uint64(8), load16(place))
    store64(target + np.uint64(16), load64(place))
    prefetch(place)


@kernel
def add_floats(first: Any, second: Any, target: Any) -> Any:
    store_float(target, load_float(first) + load_float(second))


@kernel
def two_words_on_the_stack(word: Any, target: Any) -> Any:
    first, second = stack_words(1), stack_words(1)
    store64(first, word)
    store64(second, ~word)
    store64(target, load64(first))
    store64(target + WORD, load64(second))


@kernel
def a_word_of_many_on_the_stack(place: Any) -> Any:
    many = stack_words(1000)
    store64(many + (load64(place) << THREE), np.uint64(7))
    return load64(many + (load64(place + WORD) << THREE))


@kernel
def atomics(place: Any, word: Any) -> Any:
    atomic_store64(place, word)
    return atomic_load64(place)


@kernel
def wait_for(flag: Any) -> Any:
    rounds = NONE
    while atomic_load64(flag) == NONE:
        rounds += ONE
    return rounds


@kernel
def read_clock(function: Any) -> Any:
    return clock_ticks(function)


# ---- vectors -------------------------------------------------------------------------------------


@kernel
def make(a: Any, b: Any, c: Any, d: Any, target: Any) -> Any:
    store_vector(target, u64x4(a, b, c, d))
    store_vector(target + np.uint64(32), u64x8(a, b, c, d, 4, 3, 2, 1))
    store_vector(target + np.uint64(96), u64x4(a))
    store_vector(target + np.uint64(128), u64x8(b))


@kernel
def _take_apart(vector: Any, target: Any) -> Any:
    store64(target, or_reduce(vector))
    store64(target + WORD, add_reduce(vector))


@kernel
def take_apart4(source: Any, target: Any) -> Any:
    _take_apart(load_u64x4(source), target)


@kernel
def take_apart8(source: Any, target: Any) -> Any:
    _take_apart(load_u64x8(source), target)


@kernel
def write_shuffles(left: Any, right: Any, target: Any) -> Any:
    a, b = load_u64x8(left), load_u64x8(right)
    for result in (even_lanes(a, b), odd_lanes(a, b), even_pairs(a, b), odd_pairs(a, b)):
        store_vector(target, result)
        target += _EIGHT


@kernel
def _write_operations(left: Any, right: Any, target: Any, size: Any) -> Any:
    for result in (
        left + right,
        left - right,
        left & right,
        left | right,
        left ^ right,
        left == right,
        left != right,
    ):
        store_vector(target, result)
        target += size


@kernel
def _operate(a: Any, b: Any, word: Any, target: Any, size: Any) -> Any:
    _write_operations(a, b, target, size)
    _write_operations(a, word, target + np.uint64(7) * size, size)
    _write_operations(word, b, target + np.uint64(14) * size, size)


@kernel
def operate4(left: Any, right: Any, word: Any, target: Any) -> Any:
    _operate(load_u64x4(left), load_u64x4(right), word, target, _FOUR)


@kernel
def operate8(left: Any, right: Any, word: Any, target: Any) -> Any:
    _operate(load_u64x8(left), load_u64x8(right), word, target, _EIGHT)


@kernel
def _write_shifts(vector: Any, counts: Any, target: Any, size: Any) -> Any:
    for result in (vector << counts, vector >> counts, vector >> 3, ~vector):
        store_vector(target, result)
        target += size


@kernel
def shift4(source: Any, counts: Any, target: Any) -> Any:
    _write_shifts(load_u64x4(source), load_u64x4(counts), target, _FOUR)


@kernel
def shift8(source: Any, counts: Any, target: Any) -> Any:
    _write_shifts(load_u64x8(source), load_u64x8(counts), target, _EIGHT)


@kernel
def in_place(word: Any, target: Any) -> Any:
    vector = u64x4(word)
    vector += 1
    vector -= 3
    vector |= 4
    vector ^= 9
    vector &= 0xFFFF
    vector <<= 5
    vector >>= 2
    store_vector(target, vector)


def entries() -> Mapping[str, Entry]:
    return {
        "bits": Entry(bits, *[UINT64] * 3),
        "bits4": Entry(bits4, UINT64, UINT64),
        "bits8": Entry(bits8, UINT64, UINT64),
        "lanes_in_one_piece": Entry(lanes_in_one_piece),
        "memory_of_each_width": Entry(memory_of_each_width, *[UINT64] * 3),
        "add_floats": Entry(add_floats, *[UINT64] * 3),
        "two_words_on_the_stack": Entry(two_words_on_the_stack, UINT64, UINT64),
        "a_word_of_many_on_the_stack": Entry(a_word_of_many_on_the_stack, UINT64),
        "atomics": Entry(atomics, UINT64, UINT64),
        "wait_for": Entry(wait_for, UINT64),
        "read_clock": Entry(read_clock, UINT64),
        "make": Entry(make, *[UINT64] * 5),
        "take_apart4": Entry(take_apart4, UINT64, UINT64),
        "take_apart8": Entry(take_apart8, UINT64, UINT64),
        "write_shuffles": Entry(write_shuffles, *[UINT64] * 3),
        "operate4": Entry(operate4, *[UINT64] * 4),
        "operate8": Entry(operate8, *[UINT64] * 4),
        "shift4": Entry(shift4, *[UINT64] * 3),
        "shift8": Entry(shift8, *[UINT64] * 3),
        "in_place": Entry(in_place, UINT64, UINT64),
    }
