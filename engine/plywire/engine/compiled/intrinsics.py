"""The LLVM operations that kernels need and Python lacks. They work only in kernels.

The functions here have no body: `building` generates their LLVM code. Operations on bits work on a
word or on each lane of a vector.

A vector has the operators `+ - * & | ^ ~ << >> == !=`, lane by lane. A scalar operand stands for a
vector of equal lanes. A comparison gives all ones for true and 0 for false. LLVM splits vectors
that are wider than the registers. Undefined cases of LLVM stay undefined, for example a shift by 64
or more.
"""

from typing import Any, NoReturn

from .layout import Address, Vector, Word


def _only_in_kernels() -> NoReturn:
    raise NotImplementedError("this operation exists only inside kernels")


# ---- bits ----------------------------------------------------------------------------------------


def popcount(x: Word) -> Word:
    """Return the number of set bits."""
    _only_in_kernels()


def ctz(x: Word) -> Word:
    """Return the number of zero bits below the lowest set bit, 64 for 0."""
    _only_in_kernels()


def clz(x: Word) -> Word:
    """Return the number of zero bits above the highest set bit, 64 for 0."""
    _only_in_kernels()


def reverse_bits(x: Word) -> Word:
    """Return the bits in reverse order."""
    _only_in_kernels()


def rotate_left(x: Word, count: Word) -> Word:
    """Rotate the bits up by `count` modulo 64."""
    _only_in_kernels()


# ---- memory --------------------------------------------------------------------------------------


def load8(address: Address) -> Word:
    """Return the byte at an address, as uint64."""
    _only_in_kernels()


def load16(address: Address) -> Word:
    """Return the 16-bit word at an aligned address, as uint64."""
    _only_in_kernels()


def load64(address: Address) -> Word:
    """Return the 64-bit word at an aligned address, as uint64."""
    _only_in_kernels()


def store64(address: Address, word: Word) -> None:
    """Store a 64-bit word at an aligned address."""
    _only_in_kernels()


def load_float(address: Address) -> Any:
    """Return the float32 at an aligned address."""
    _only_in_kernels()


def store_float(address: Address, number: Any) -> None:
    """Store a float32 at an aligned address."""
    _only_in_kernels()


def atomic_load64(address: Address) -> Word:
    """Return the word at an address (monotonic); LLVM would move a plain load out of a loop."""
    _only_in_kernels()


def atomic_store64(address: Address, word: Word) -> None:
    """Store a word in one piece (monotonic)."""
    _only_in_kernels()


def stack_words(count: Word) -> Address:
    """Return the address of `count` undefined words; they live until the kernel returns."""
    _only_in_kernels()


def prefetch(address: Address) -> None:
    """Ask the processor to load the cache line at an address into its caches."""
    _only_in_kernels()


# ---- the system ----------------------------------------------------------------------------------


def clock_ticks(function: Address) -> Word:
    """Return the monotonic time in ticks; `function` is the address of the clock function."""
    _only_in_kernels()


# ---- vectors -------------------------------------------------------------------------------------


def u64x4(*words: Word) -> Vector:
    """Return a vector of 4 words, the lowest lane first; a single word fills all lanes."""
    _only_in_kernels()


def u64x8(*words: Word) -> Vector:
    """Return a vector of 8 words, the lowest lane first; a single word fills all lanes."""
    _only_in_kernels()


def load_u64x4(address: Address) -> Vector:
    """Return the vector of 4 words at an address aligned to 8 bytes."""
    _only_in_kernels()


def load_u64x8(address: Address) -> Vector:
    """Return the vector of 8 words at an address aligned to 8 bytes."""
    _only_in_kernels()


def store_vector(address: Address, vector: Vector) -> None:
    """Store a vector's lanes, the lowest first, at an address aligned to 8 bytes."""
    _only_in_kernels()


def store_past_caches(address: Address, vector: Vector) -> None:
    """Store a vector, bypassing the caches; the address is aligned to the vector's size."""
    _only_in_kernels()


def max_reduce(vector: Vector) -> Word:
    """Return the largest lane."""
    _only_in_kernels()


def or_reduce(vector: Vector) -> Word:
    """Return the bits that are set in any lane."""
    _only_in_kernels()


def add_reduce(vector: Vector) -> Word:
    """Return the sum of the lanes modulo 2**64."""
    _only_in_kernels()


def even_lanes(first: Vector, second: Vector) -> Vector:
    """Return lane 0 of both vectors of 8, then lane 2 of both, then lanes 4 and 6."""
    _only_in_kernels()


def odd_lanes(first: Vector, second: Vector) -> Vector:
    """Return lane 1 of both vectors of 8, then lane 3 of both, then lanes 5 and 7."""
    _only_in_kernels()


def even_pairs(first: Vector, second: Vector) -> Vector:
    """Return lanes 0, 1, 4 and 5 of the first vector of 8, then those of the second."""
    _only_in_kernels()


def odd_pairs(first: Vector, second: Vector) -> Vector:
    """Return lanes 2, 3, 6 and 7 of the first vector of 8, then those of the second."""
    _only_in_kernels()
