"""Each intrinsic against plain Python integers."""

import functools
import operator
import threading
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.engine.compiled.intrinsics import even_lanes, or_reduce, u64x4, u64x8
from plywire.engine.compiled.kernel import Kernel, kernel
from plywire.engine.compiled.native import ir_of
from plywire.engine.compiled.target import host
from plywire.engine.search.stop import CLOCK, ticks
from tests.kernels import INTRINSICS
from tests.support.kernels import Kernels, unsigned, written

KERNELS = Kernels(INTRINSICS)
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


def array(values: list[int]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.array(values, dtype=np.uint64)


def address(memory: np.ndarray[Any, Any]) -> int:
    return memory.ctypes.data


# ---- bits ----------------------------------------------------------------------------------------


@given(words, st.integers(0, 200))
def test_bits_of_a_word(word: int, count: int) -> None:
    turn = count % 64
    rotated = (word << turn | word >> (64 - turn)) & ALL
    assert written(5, KERNELS.bits, word, count) == (
        word.bit_count(),
        python_ctz(word),
        python_clz(word),
        python_reverse(word),
        rotated,
    )


@given(vectors)
def test_bits_of_a_vector(lanes: list[int]) -> None:
    source, target = array(lanes), array([0] * 5 * len(lanes))
    kernel_of = {4: KERNELS.bits4, 8: KERNELS.bits8}[len(lanes)]
    kernel_of(address(source), address(target))
    functions = int.bit_count, python_ctz, python_clz, python_reverse, rotate_by_five
    expected = [function(word) for function in functions for word in lanes]
    assert target.tolist() == expected


def test_wide_vectors_are_those_that_code_is_compiled_for() -> None:
    assert KERNELS.lanes_in_one_piece() == (8 if host().has("avx512vpopcntdq") else 4)


# ---- memory --------------------------------------------------------------------------------------


@given(words)
def test_words_on_the_stack_keep_apart(word: int) -> None:
    assert written(2, KERNELS.two_words_on_the_stack, word) == (word, ALL ^ word)


def test_words_on_the_stack_are_not_cleared_first() -> None:
    KERNELS.a_word_of_many_on_the_stack(address(array([3, 3])))
    module = llvm.parse_bitcode(ir_of(INTRINSICS).bitcode)
    code = str(module.get_function("a_word_of_many_on_the_stack"))
    assert "alloca [1000 x i64]" in code
    assert "memset" not in code
    assert "store [1000 x i64]" not in code


@given(words)
def test_each_width_reads_its_own_bytes(word: int) -> None:
    memory = array([ALL] * 2)
    read = written(3, KERNELS.memory_of_each_width, address(memory), word)
    assert read == tuple(word & (1 << width) - 1 for width in (8, 16, 64))
    assert memory.tolist() == [word, ALL]


@given(st.floats(width=32), st.floats(width=32))
def test_numbers_of_32_bits(first: float, second: float) -> None:
    memory = np.array([first, second, 1, 2], np.float32)
    start = address(memory)
    KERNELS.add_floats(start, start + 4, start + 8)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(memory[2], memory[0] + memory[1])
    assert memory[3] == 2


@given(words)
def test_atomic_store_and_load(word: int) -> None:
    memory = array([1, 2])
    assert unsigned(KERNELS.atomics(address(memory), word)) == word
    assert memory.tolist() == [word, 2]


def test_a_loop_sees_what_another_thread_stores() -> None:
    memory = array([1])
    KERNELS.wait_for(address(memory))
    memory[0] = 0
    waiting = threading.Thread(target=KERNELS.wait_for, args=(address(memory),), daemon=True)
    waiting.start()
    memory[0] = 1
    waiting.join(timeout=30)
    assert not waiting.is_alive()


def test_kernels_read_the_clock_that_python_reads() -> None:
    before = ticks()
    read = KERNELS.read_clock(CLOCK)
    assert before <= read <= ticks()


# ---- vectors -------------------------------------------------------------------------------------


@given(words, words, words, words)
def test_vectors_of_words(a: int, b: int, c: int, d: int) -> None:
    target = array([0] * 24)
    KERNELS.make(a, b, c, d, address(target))
    assert target.tolist() == [a, b, c, d, a, b, c, d, 4, 3, 2, 1, *[a] * 4, *[b] * 8]


@given(vectors)
def test_words_of_vectors(lanes: list[int]) -> None:
    kernel_of = {4: KERNELS.take_apart4, 8: KERNELS.take_apart8}[len(lanes)]
    source = array(lanes)
    expected = functools.reduce(operator.or_, lanes), sum(lanes) & ALL
    assert written(2, kernel_of, address(source)) == expected


def test_shuffles() -> None:
    memory = array([*range(8)]), array([*range(10, 18)]), array([0] * 32)
    KERNELS.write_shuffles(*map(address, memory))
    assert memory[2].reshape(4, 8).tolist() == [
        [0, 10, 2, 12, 4, 14, 6, 16],
        [1, 11, 3, 13, 5, 15, 7, 17],
        [0, 1, 4, 5, 10, 11, 14, 15],
        [2, 3, 6, 7, 12, 13, 16, 17],
    ]


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
    kernel_of = {4: KERNELS.operate4, 8: KERNELS.operate8}[count]
    left_at, right_at, target = map(address, memory)
    kernel_of(left_at, right_at, word, target)
    pairs = ((left, right), (left, [word] * count), ([word] * count, right))
    expected = [
        operation(a, b) & ALL
        for first, second in pairs
        for operation in OPERATIONS
        for a, b in zip(first, second, strict=True)
    ]
    assert memory[2].tolist() == expected


@given(vectors, st.lists(st.integers(0, 63), min_size=8, max_size=8))
def test_shifts_and_inversion(lanes: list[int], counts: list[int]) -> None:
    counts = counts[: len(lanes)]
    memory = array(lanes), array(counts), array([0] * len(lanes) * 4)
    kernel_of = {4: KERNELS.shift4, 8: KERNELS.shift8}[len(lanes)]
    kernel_of(*map(address, memory))
    left = [word << count & ALL for word, count in zip(lanes, counts, strict=True)]
    right = [word >> count for word, count in zip(lanes, counts, strict=True)]
    by_three = [word >> 3 for word in lanes]
    inverted = [ALL ^ word for word in lanes]
    assert memory[2].tolist() == [*left, *right, *by_three, *inverted]


@given(words)
def test_assignments_in_place(word: int) -> None:
    target = array([0] * 4)
    KERNELS.in_place(word, address(target))
    assert target.tolist() == [((((word - 2 & ALL) | 4) ^ 9) & 0xFFFF) << 5 >> 2] * 4


# ---- what Numba refuses --------------------------------------------------------------------------


@kernel
def wrong_length() -> Any:
    return u64x4(1, 2, 3)


@kernel
def mixed_lengths(word: Any) -> Any:
    return u64x4(word) + u64x8(word)


@kernel
def shuffle_of_four(word: Any) -> Any:
    return or_reduce(even_lanes(u64x4(word), u64x4(word)))


@pytest.mark.parametrize("refused", [wrong_length, mixed_lengths, shuffle_of_four])
def test_what_makes_no_sense_does_not_compile(refused: Kernel) -> None:
    from numba.core.errors import TypingError

    from plywire.engine.compiled.building.frontend import compiled

    words = [np.uint64(1)] * refused.function.__code__.co_argcount
    with pytest.raises(TypingError):
        compiled(refused)(*words)
