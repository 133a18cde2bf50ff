"""Lowerings of the operations of `compiled/intrinsics.py` on words, memory and the clock."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from plywire.engine.compiled import intrinsics, target

from .constant import target_constant
from .lowering import WORD, U64Vector, call, load_at, lowers, pointer, splat, suffix

#: Arguments of llvm.prefetch: load data, not code, for reading, into all levels of the cache.
_CACHE_LINE_READ = (0, 3, 1)

# ---- bits ----------------------------------------------------------------------------------------


def _llvm_type(kind: Any) -> Any:
    return kind.llvm if isinstance(kind, U64Vector) else WORD


def _word_or_vector(kind: Any) -> Any:
    return kind if isinstance(kind, U64Vector) else types.uint64


def _of_bits(operation: str, *flags: Any) -> Callable[..., Any]:
    def typed(typing_context: Any, x: Any) -> Any:
        kind = _word_or_vector(x)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            name = f"llvm.{operation}.{suffix(kind)}"
            return call(builder, name, _llvm_type(kind), (*args, *flags))

        return kind(kind), generate

    return typed


_ZERO_DEFINED = ir.IntType(1)(0)

lowers(intrinsics.popcount)(_of_bits("ctpop"))
lowers(intrinsics.ctz)(_of_bits("cttz", _ZERO_DEFINED))
lowers(intrinsics.clz)(_of_bits("ctlz", _ZERO_DEFINED))
lowers(intrinsics.reverse_bits)(_of_bits("bitreverse"))


@lowers(intrinsics.rotate_left)
def _rotate_left(typing_context: Any, x: Any, count: Any) -> Any:
    kind = _word_or_vector(x)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x, count = args
        if isinstance(kind, U64Vector):
            count = splat(builder, count, kind.lanes)
        return call(builder, f"llvm.fshl.{suffix(kind)}", _llvm_type(kind), (x, x, count))

    return kind(kind, types.uint64), generate


# ---- memory --------------------------------------------------------------------------------------


def _loader(bits: int) -> Callable[..., Any]:
    def typed(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = load_at(builder, args[0], ir.IntType(bits), bits // 8)
            return value if bits == 64 else builder.zext(value, WORD)

        return types.uint64(types.uint64), generate

    return typed


lowers(intrinsics.load8)(_loader(8))
lowers(intrinsics.load16)(_loader(16))
lowers(intrinsics.load64)(_loader(64))


@lowers(intrinsics.store64)
def _store64(typing_context: Any, address: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, word = args
        builder.store(word, pointer(builder, address, WORD), align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@lowers(intrinsics.load_float)
def _load_float(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return load_at(builder, args[0], ir.FloatType(), 4)

    return types.float32(types.uint64), generate


@lowers(intrinsics.store_float)
def _store_float(typing_context: Any, address: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, number = args
        builder.store(number, pointer(builder, address, ir.FloatType()), align=4)
        return context.get_dummy_value()

    return types.void(types.uint64, types.float32), generate


@lowers(intrinsics.atomic_load64)
def _atomic_load64(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load_atomic(pointer(builder, args[0], WORD), "monotonic", align=8)

    return types.uint64(types.uint64), generate


@lowers(intrinsics.atomic_store64)
def _atomic_store64(typing_context: Any, address: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, word = args
        builder.store_atomic(word, pointer(builder, address, WORD), "monotonic", align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@lowers(intrinsics.stack_words)
def _stack_words(typing_context: Any, count: Any) -> Any:
    if not isinstance(count, types.IntegerLiteral):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        # Numba's alloca_once would clear the words in every call of the kernel.
        with builder.goto_entry_block():
            words = builder.alloca(ir.ArrayType(WORD, count.literal_value))
        return builder.ptrtoint(words, WORD)

    return types.uint64(count), generate


@lowers(intrinsics.prefetch)
def _prefetch(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        hints = [ir.IntType(32)(hint) for hint in _CACHE_LINE_READ]
        line = pointer(builder, args[0], ir.IntType(8))
        call(builder, "llvm.prefetch.p0", ir.VoidType(), [line, *hints])
        return context.get_dummy_value()

    return types.void(types.uint64), generate


# ---- the system ----------------------------------------------------------------------------------


@lowers(intrinsics.clock_ticks)
def _clock_ticks(typing_context: Any, function: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = ir.IntType(32)
        address = cgutils.alloca_once(builder, ir.ArrayType(WORD, 2))
        first, second = (cgutils.gep(builder, address, 0, index) for index in range(2))
        ticks = cgutils.alloca_once(builder, WORD)
        with builder.if_else(target_constant(builder, target.is_windows)) as (windows, others):
            with windows:
                kind = ir.FunctionType(number, [address.type])
                builder.call(pointer(builder, args[0], kind), [address])
                builder.store(builder.load(first), ticks)
            with others:
                clock = builder.trunc(target_constant(builder, target.clock_number), number)
                kind = ir.FunctionType(number, [number, address.type])
                builder.call(pointer(builder, args[0], kind), [clock, address])
                seconds = builder.mul(builder.load(first), WORD(1_000_000_000))
                builder.store(builder.add(seconds, builder.load(second)), ticks)
        return builder.load(ticks)

    return types.uint64(types.uint64), generate
