"""The LLVM operations that kernels need and Python lacks.

Four families, all of them usable only inside kernels:

* counting and moving bits of a 64-bit word, or of every lane of a vector;
* memory by its address, plainly and atomically;
* the system's clock;
* vectors of 64-bit words held in SIMD registers. A vector is made by `u64x4` or `u64x8`, knows the
  operators `+ - * & | ^ ~ << >> == !=` lane by lane, and is taken apart by `store_vector`,
  `or_reduce` and `add_reduce`. A scalar operand stands for a vector of itself; a comparison gives
  all ones for true and 0 for false. LLVM splits a vector where the registers are narrower.

The functions here have no body: lowerings in `building` say what LLVM does in their place.
LLVM's undefined cases stay undefined: a shift by 64 or more, an address that is not ours.
"""

from typing import Any, NoReturn

from .layout import Address, Vector, Word


def _only_in_kernels() -> NoReturn:
    raise NotImplementedError("this operation exists only inside kernels")


# ---- bits ----------------------------------------------------------------------------------------


def popcount(x: Word) -> Word:
    """The number of set bits, lane by lane for a vector."""
    _only_in_kernels()


def ctz(x: Word) -> Word:
    """The zero bits below the lowest set one, 64 for 0, lane by lane for a vector."""
    _only_in_kernels()


def clz(x: Word) -> Word:
    """The zero bits above the highest set one, 64 for 0, lane by lane for a vector."""
    _only_in_kernels()


def reverse_bits(x: Word) -> Word:
    """The bits in reverse order, lane by lane for a vector."""
    _only_in_kernels()


def rotate_left(x: Word, count: Word) -> Word:
    """The bits moved up by `count` modulo 64, those leaving at the top coming in below.

    Lane by lane for a vector.
    """
    _only_in_kernels()


# ---- memory --------------------------------------------------------------------------------------


def load8(address: Address) -> Word:
    """The byte at an address, as uint64."""
    _only_in_kernels()


def load16(address: Address) -> Word:
    """The 16-bit word at an aligned address, as uint64."""
    _only_in_kernels()


def load64(address: Address) -> Word:
    """The 64-bit word at an aligned address, as uint64."""
    _only_in_kernels()


def store64(address: Address, word: Word) -> None:
    """Store a word at an aligned address."""
    _only_in_kernels()


def load_float(address: Address) -> Any:
    """The number of 32 bits, a float32, at an aligned address."""
    _only_in_kernels()


def store_float(address: Address, number: Any) -> None:
    """Store a float32 at an aligned address."""
    _only_in_kernels()


def atomic_load64(address: Address) -> Word:
    """The word at an address, read again each time (monotonic).

    Other threads' stores are seen; LLVM would move a plain load out of a loop.
    """
    _only_in_kernels()


def atomic_store64(address: Address, word: Word) -> None:
    """Store a word at an address in one piece (monotonic)."""
    _only_in_kernels()


def stack_words(count: Word) -> Address:
    """The address of that many words, a constant, on the stack: their content is undefined.

    They last until the kernel returns.
    """
    _only_in_kernels()


def prefetch(address: Address) -> None:
    """Ask for the cache line at an address, which will be read soon."""
    _only_in_kernels()


# ---- the system ----------------------------------------------------------------------------------


def clock_ticks(function: Address) -> Word:
    """The time of the system's monotonic clock; `function` is the address of what reads it.

    That is `QueryPerformanceCounter` on Windows, elsewhere `clock_gettime`.
    """
    _only_in_kernels()


# ---- vectors -------------------------------------------------------------------------------------


def u64x4(*words: Word) -> Vector:
    """A vector of 4 words, the lowest lane first, or of one word repeated."""
    _only_in_kernels()


def u64x8(*words: Word) -> Vector:
    """A vector of 8 words, the lowest lane first, or of one word repeated."""
    _only_in_kernels()


def load_u64x4(address: Address) -> Vector:
    """The vector of 4 words at an address aligned to 8 bytes."""
    _only_in_kernels()


def load_u64x8(address: Address) -> Vector:
    """The vector of 8 words at an address aligned to 8 bytes."""
    _only_in_kernels()


def store_vector(address: Address, vector: Vector) -> None:
    """Store a vector's lanes, the lowest first, at an address aligned to 8 bytes."""
    _only_in_kernels()


def store_past_caches(address: Address, vector: Vector) -> None:
    """Store a vector at an address aligned to its size, and leave what caches hold where it is."""
    _only_in_kernels()


def max_reduce(vector: Vector) -> Word:
    """The greatest lane of a vector."""
    _only_in_kernels()


def or_reduce(vector: Vector) -> Word:
    """The bits set in any lane of a vector."""
    _only_in_kernels()


def add_reduce(vector: Vector) -> Word:
    """The sum of a vector's lanes modulo 2**64."""
    _only_in_kernels()


def even_lanes(first: Vector, second: Vector) -> Vector:
    """The even lanes of two vectors of 8, in turns."""
    _only_in_kernels()


def odd_lanes(first: Vector, second: Vector) -> Vector:
    """The odd lanes of two vectors of 8, in turns."""
    _only_in_kernels()


def even_pairs(first: Vector, second: Vector) -> Vector:
    """The even pairs of lanes of one vector of 8, and those of another."""
    _only_in_kernels()


def odd_pairs(first: Vector, second: Vector) -> Vector:
    """The odd pairs of lanes of one vector of 8, and those of another."""
    _only_in_kernels()
