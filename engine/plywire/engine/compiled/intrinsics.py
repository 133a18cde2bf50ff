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


def _only_in_kernels() -> NoReturn:
    raise NotImplementedError("this operation exists only inside kernels")


# ---- bits ----------------------------------------------------------------------------------------


def popcount(x: Any) -> Any:
    """The number of set bits, lane by lane for a vector."""
    _only_in_kernels()


def ctz(x: Any) -> Any:
    """The zero bits below the lowest set one, 64 for 0, lane by lane for a vector."""
    _only_in_kernels()


def clz(x: Any) -> Any:
    """The zero bits above the highest set one, 64 for 0, lane by lane for a vector."""
    _only_in_kernels()


def reverse_bits(x: Any) -> Any:
    """The bits in reverse order, lane by lane for a vector."""
    _only_in_kernels()


def rotate_left(x: Any, count: Any) -> Any:
    """The bits moved up by `count` modulo 64, those leaving at the top coming in below.

    Lane by lane for a vector.
    """
    _only_in_kernels()


# ---- memory --------------------------------------------------------------------------------------


def load8(address: Any) -> Any:
    """The byte at an address, as uint64."""
    _only_in_kernels()


def load16(address: Any) -> Any:
    """The 16-bit word at an aligned address, as uint64."""
    _only_in_kernels()


def load64(address: Any) -> Any:
    """The 64-bit word at an aligned address, as uint64."""
    _only_in_kernels()


def store64(address: Any, word: Any) -> Any:
    """Store a word at an aligned address."""
    _only_in_kernels()


def load_float(address: Any) -> Any:
    """The number of 32 bits, a float32, at an aligned address."""
    _only_in_kernels()


def store_float(address: Any, number: Any) -> Any:
    """Store a float32 at an aligned address."""
    _only_in_kernels()


def atomic_load64(address: Any) -> Any:
    """The word at an address, read again each time (monotonic).

    Other threads' stores are seen; LLVM would move a plain load out of a loop.
    """
    _only_in_kernels()


def atomic_store64(address: Any, word: Any) -> Any:
    """Store a word at an address in one piece (monotonic)."""
    _only_in_kernels()


def stack_words(count: Any) -> Any:
    """The address of that many words, a constant, on the stack: their content is undefined.

    They last until the kernel returns.
    """
    _only_in_kernels()


def prefetch(address: Any) -> Any:
    """Ask for the cache line at an address, which will be read soon."""
    _only_in_kernels()


# ---- the system ----------------------------------------------------------------------------------


def clock_ticks(function: Any) -> Any:
    """The time of the system's monotonic clock; `function` is the address of what reads it.

    That is `QueryPerformanceCounter` on Windows, elsewhere `clock_gettime`.
    """
    _only_in_kernels()


# ---- vectors -------------------------------------------------------------------------------------


def u64x4(*words: Any) -> Any:
    """A vector of 4 words, the lowest lane first, or of one word repeated."""
    _only_in_kernels()


def u64x8(*words: Any) -> Any:
    """A vector of 8 words, the lowest lane first, or of one word repeated."""
    _only_in_kernels()


def load_u64x4(address: Any) -> Any:
    """The vector of 4 words at an address aligned to 8 bytes."""
    _only_in_kernels()


def load_u64x8(address: Any) -> Any:
    """The vector of 8 words at an address aligned to 8 bytes."""
    _only_in_kernels()


def store_vector(address: Any, vector: Any) -> Any:
    """Store a vector's lanes, the lowest first, at an address aligned to 8 bytes."""
    _only_in_kernels()


def store_past_caches(address: Any, vector: Any) -> Any:
    """Store a vector at an address aligned to its size, and leave what caches hold where it is."""
    _only_in_kernels()


def max_reduce(vector: Any) -> Any:
    """The greatest lane of a vector."""
    _only_in_kernels()


def or_reduce(vector: Any) -> Any:
    """The bits set in any lane of a vector."""
    _only_in_kernels()


def add_reduce(vector: Any) -> Any:
    """The sum of a vector's lanes modulo 2**64."""
    _only_in_kernels()


def even_lanes(first: Any, second: Any) -> Any:
    """The even lanes of two vectors of 8, in turns."""
    _only_in_kernels()


def odd_lanes(first: Any, second: Any) -> Any:
    """The odd lanes of two vectors of 8, in turns."""
    _only_in_kernels()


def even_pairs(first: Any, second: Any) -> Any:
    """The even pairs of lanes of one vector of 8, and those of another."""
    _only_in_kernels()


def odd_pairs(first: Any, second: Any) -> Any:
    """The odd pairs of lanes of one vector of 8, and those of another."""
    _only_in_kernels()
