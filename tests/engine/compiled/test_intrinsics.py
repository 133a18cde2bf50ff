"""Each intrinsic against plain Python integers."""

import functools
import operator
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.errors import TypingError

from plywire.engine.compiled.building.frontend import compiled
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
    store_vector,
    u64x4,
    u64x8,
)
from plywire.engine.compiled.kernel import kernel
from plywire.engine.compiled.target import has_wide_vectors
from plywire.engine.search.stop import CLOCK, ticks

ALL = 0xFFFF_FFFF_FFFF_FFFF

#: Random words rarely have long runs of zeros or ones; single bits and their neighbours do.
words = st.one_of(
    st.integers(0, ALL),
    st.integers(0, 63).map(lambda bit: 1 << bit),
    st.integers(0, 64).map(lambda bits: (1 << bits) - 1),
    st.integers(0, 64).map(lambda bits: ALL ^ (1 << bits) - 1),
)
vectors = st.sampled_from([4, 8]).flatmap(
    lambda lanes: st.lists(words, min_size=lanes, max_size=lanes)
)


def python_ctz(word: int) -> int:
    return (word & -word).bit_length() - 1 if word else 64


def python_clz(word: int) -> int:
    return 64 - word.bit_length()


def rotate_by_five(word: int) -> int:
    return (word << 5 | word >> 59) & ALL


def python_reverse(word: int) -> int:
    return int(f"{word:064b}"[::-1], 2)


def u64(word: int) -> np.uint64:
    return np.uint64(word)


def array(values: list[int]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.array(values, dtype=np.uint64)


def address(memory: np.ndarray[Any, Any]) -> np.uint64:
    return np.uint64(memory.ctypes.data)


# ---- bits ----------------------------------------------------------------------------------------


@kernel
def bits(word: Any, count: Any) -> Any:
    return popcount(word), ctz(word), clz(word), reverse_bits(word), rotate_left(word, count)


@given(words, st.integers(0, 200))
def test_bits_of_a_word(word: int, count: int) -> None:
    turn = count % 64
    rotated = (word << turn | word >> (64 - turn)) & ALL
    assert bits(u64(word), u64(count)) == (
        word.bit_count(),
        python_ctz(word),
        python_clz(word),
        python_reverse(word),
        rotated,
    )


@kernel
def write_bits(vector: Any, target: Any, size: Any) -> None:
    for result in (popcount(vector), ctz(vector), clz(vector), reverse_bits(vector)):
        store_vector(target, result)
        target += size
    store_vector(target, rotate_left(vector, np.uint64(69)))


@kernel
def bits4(source: Any, target: Any) -> None:
    write_bits(load_u64x4(source), target, np.uint64(32))


@kernel
def bits8(source: Any, target: Any) -> None:
    write_bits(load_u64x8(source), target, np.uint64(64))


@given(vectors)
def test_bits_of_a_vector(lanes: list[int]) -> None:
    source, target = array(lanes), array([0] * 5 * len(lanes))
    (bits4 if len(lanes) == 4 else bits8)(address(source), address(target))
    functions = int.bit_count, python_ctz, python_clz, python_reverse, rotate_by_five
    expected = [function(word) for function in functions for word in lanes]
    assert target.tolist() == expected


@kernel
def lanes_in_one_piece() -> Any:
    return 8 if has_wide_vectors() else 4


def test_wide_vectors_are_those_that_code_is_compiled_for() -> None:
    _, _, features = compiled(lanes_in_one_piece).targetctx.codegen().magic_tuple()
    assert lanes_in_one_piece() == (8 if "+avx512vpopcntdq" in features else 4)


# ---- memory --------------------------------------------------------------------------------------


@kernel
def memory_of_each_width(place: Any, word: Any) -> Any:
    store64(place, word)
    read = load8(place), load16(place), load64(place)
    prefetch(place)
    return read


@kernel
def two_words_on_the_stack(word: Any) -> Any:
    first, second = stack_words(1), stack_words(1)
    store64(first, word)
    store64(second, ~word)
    return load64(first), load64(second)


@given(words)
def test_words_on_the_stack_keep_apart(word: int) -> None:
    assert two_words_on_the_stack(u64(word)) == (word, ALL ^ word)


@kernel
def a_word_of_many_on_the_stack(place: Any) -> Any:
    many = stack_words(1000)
    store64(many + (load64(place) << np.uint64(3)), np.uint64(7))
    return load64(many + (load64(place + np.uint64(8)) << np.uint64(3)))


def test_words_on_the_stack_are_not_cleared_first() -> None:
    dispatcher = compiled(a_word_of_many_on_the_stack)
    dispatcher(address(array([3, 3])))
    (code,) = dispatcher.inspect_llvm().values()
    assert "alloca [1000 x i64]" in code
    assert "memset" not in code
    assert "store [1000 x i64]" not in code


@given(words)
def test_each_width_reads_its_own_bytes(word: int) -> None:
    memory = array([ALL] * 2)
    read = memory_of_each_width(address(memory), u64(word))
    assert read == tuple(word & (1 << width) - 1 for width in (8, 16, 64))
    assert memory.tolist() == [word, ALL]


@kernel
def atomics(place: Any, word: Any) -> Any:
    atomic_store64(place, word)
    return atomic_load64(place)


@given(words)
def test_atomic_store_and_load(word: int) -> None:
    memory = array([1, 2])
    assert atomics(address(memory), u64(word)) == word
    assert memory.tolist() == [word, 2]


@kernel
def wait_for(flag: Any) -> Any:
    rounds = np.uint64(0)
    while atomic_load64(flag) == np.uint64(0):
        rounds += np.uint64(1)
    return rounds


def test_a_loop_sees_what_another_thread_stores() -> None:
    memory = array([1])
    wait_for(address(memory))
    memory[0] = 0
    waiting = threading.Thread(target=wait_for, args=(address(memory),), daemon=True)
    waiting.start()
    memory[0] = 1
    waiting.join(timeout=30)
    assert not waiting.is_alive()


@kernel
def read_clock(function: Any) -> Any:
    return clock_ticks(function)


def test_kernels_read_the_clock_that_python_reads() -> None:
    before = ticks()
    read = int(read_clock(np.uint64(CLOCK)))
    assert before <= read <= ticks()


# ---- vectors -------------------------------------------------------------------------------------


@kernel
def make(a: Any, b: Any, c: Any, d: Any, target: Any) -> None:
    store_vector(target, u64x4(a, b, c, d))
    store_vector(target + np.uint64(32), u64x8(a, b, c, d, 4, 3, 2, 1))
    store_vector(target + np.uint64(96), u64x4(a))
    store_vector(target + np.uint64(128), u64x8(b))


@given(words, words, words, words)
def test_vectors_of_words(a: int, b: int, c: int, d: int) -> None:
    target = array([0] * 24)
    make(u64(a), u64(b), u64(c), u64(d), address(target))
    assert target.tolist() == [a, b, c, d, a, b, c, d, 4, 3, 2, 1, *[a] * 4, *[b] * 8]


@kernel
def take_apart4(source: Any) -> Any:
    vector = load_u64x4(source)
    return or_reduce(vector), add_reduce(vector)


@kernel
def take_apart8(source: Any) -> Any:
    vector = load_u64x8(source)
    return or_reduce(vector), add_reduce(vector)


@given(vectors)
def test_words_of_vectors(lanes: list[int]) -> None:
    kernel_of = {4: take_apart4, 8: take_apart8}[len(lanes)]
    source = array(lanes)
    expected = functools.reduce(operator.or_, lanes), sum(lanes) & ALL
    assert kernel_of(address(source)) == expected


@kernel
def write_shuffles(left: Any, right: Any, target: Any, size: Any) -> None:
    a, b = load_u64x8(left), load_u64x8(right)
    for result in (even_lanes(a, b), odd_lanes(a, b), even_pairs(a, b), odd_pairs(a, b)):
        store_vector(target, result)
        target += size


def test_shuffles() -> None:
    memory = array([*range(8)]), array([*range(10, 18)]), array([0] * 32)
    write_shuffles(*map(address, memory), np.uint64(64))
    assert memory[2].reshape(4, 8).tolist() == [
        [0, 10, 2, 12, 4, 14, 6, 16],
        [1, 11, 3, 13, 5, 15, 7, 17],
        [0, 1, 4, 5, 10, 11, 14, 15],
        [2, 3, 6, 7, 12, 13, 16, 17],
    ]


@kernel
def write_operations(left: Any, right: Any, target: Any, size: Any) -> None:
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
def operate4(left: Any, right: Any, word: Any, target: Any) -> None:
    size = np.uint64(32)
    a, b = load_u64x4(left), load_u64x4(right)
    write_operations(a, b, target, size)
    write_operations(a, word, target + np.uint64(7) * size, size)
    write_operations(word, b, target + np.uint64(14) * size, size)


@kernel
def operate8(left: Any, right: Any, word: Any, target: Any) -> None:
    size = np.uint64(64)
    a, b = load_u64x8(left), load_u64x8(right)
    write_operations(a, b, target, size)
    write_operations(a, word, target + np.uint64(7) * size, size)
    write_operations(word, b, target + np.uint64(14) * size, size)


def all_ones_if(condition: bool) -> int:
    return ALL if condition else 0


OPERATIONS: list[Callable[[int, int], int]] = [
    operator.add,
    operator.sub,
    operator.and_,
    operator.or_,
    operator.xor,
    lambda a, b: all_ones_if(a == b),
    lambda a, b: all_ones_if(a != b),
]


@given(st.data(), vectors, words)
def test_operators(data: st.DataObject, left: list[int], word: int) -> None:
    # Lanes that equal each other or the word are what comparisons are about.
    right = [data.draw(st.sampled_from([a, word, a ^ 1])) for a in left]
    count = len(left)
    memory = array(left), array(right), array([0] * count * 21)
    kernel_of = {4: operate4, 8: operate8}[count]
    left_at, right_at, target = map(address, memory)
    kernel_of(left_at, right_at, u64(word), target)
    pairs = ((left, right), (left, [word] * count), ([word] * count, right))
    expected = [
        operation(a, b) & ALL
        for first, second in pairs
        for operation in OPERATIONS
        for a, b in zip(first, second, strict=True)
    ]
    assert memory[2].tolist() == expected


@kernel
def write_shifts(vector: Any, counts: Any, target: Any, size: Any) -> None:
    for result in (vector << counts, vector >> counts, vector >> 3, ~vector):
        store_vector(target, result)
        target += size


@kernel
def shift4(source: Any, counts: Any, target: Any) -> None:
    write_shifts(load_u64x4(source), load_u64x4(counts), target, np.uint64(32))


@kernel
def shift8(source: Any, counts: Any, target: Any) -> None:
    write_shifts(load_u64x8(source), load_u64x8(counts), target, np.uint64(64))


@given(vectors, st.lists(st.integers(0, 63), min_size=8, max_size=8))
def test_shifts_and_inversion(lanes: list[int], counts: list[int]) -> None:
    counts = counts[: len(lanes)]
    memory = array(lanes), array(counts), array([0] * len(lanes) * 4)
    kernel_of = {4: shift4, 8: shift8}[len(lanes)]
    kernel_of(*map(address, memory))
    left = [word << count & ALL for word, count in zip(lanes, counts, strict=True)]
    right = [word >> count for word, count in zip(lanes, counts, strict=True)]
    by_three = [word >> 3 for word in lanes]
    inverted = [ALL ^ word for word in lanes]
    assert memory[2].tolist() == [*left, *right, *by_three, *inverted]


@kernel
def in_place(word: Any, target: Any) -> None:
    vector = u64x4(word)
    vector += 1
    vector -= 3
    vector |= 4
    vector ^= 9
    vector &= 0xFFFF
    vector <<= 5
    vector >>= 2
    store_vector(target, vector)


@given(words)
def test_assignments_in_place(word: int) -> None:
    target = array([0] * 4)
    in_place(u64(word), address(target))
    assert target.tolist() == [((((word - 2 & ALL) | 4) ^ 9) & 0xFFFF) << 5 >> 2] * 4


@kernel
def wrong_length() -> Any:
    return u64x4(1, 2, 3)


@kernel
def mixed_lengths(word: Any) -> Any:
    return u64x4(word) + u64x8(word)


@kernel
def shuffle_of_four(word: Any) -> Any:
    return or_reduce(even_lanes(u64x4(word), u64x4(word)))


def test_what_makes_no_sense_does_not_compile() -> None:
    with pytest.raises(TypingError):
        wrong_length()
    with pytest.raises(TypingError):
        mixed_lengths(u64(1))
    with pytest.raises(TypingError):
        shuffle_of_four(u64(1))
