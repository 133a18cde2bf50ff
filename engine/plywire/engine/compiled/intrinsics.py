"""The LLVM operations that kernels need and Numba lacks.

Four families, all of them usable only inside kernels:

* counting and moving bits of a 64-bit word, or of every lane of a vector;
* memory by its address, plainly and atomically;
* the system's clock, and what the processor can do;
* `U64Vector`, a vector of 64-bit words held in SIMD registers. It is made by `u64x4` or `u64x8`,
  knows the operators `+ - * & | ^ ~ << >> == !=` lane by lane (a scalar operand stands for a vector
  of itself; a comparison gives all ones for true and 0 for false), and is taken apart by
  `store_vector`, `or_reduce` and `add_reduce`. LLVM splits it where the machine's registers are
  narrower.

What LLVM leaves undefined is undefined here: a shift by 64 or more, an address that is not
ours.
"""

import operator
import sys
import time
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, register_model

_WORD = ir.IntType(64)
_CACHE_LINE_READ = (0, 3, 1)  # llvm.prefetch: for reading, into every level, the data cache


class U64Vector(types.Type):
    """The Numba type of a vector of unsigned 64-bit words."""

    def __init__(self, lanes: int) -> None:
        """A vector of that many lanes."""
        self.lanes = lanes
        super().__init__(name=f"u64x{lanes}")

    @property
    def llvm(self) -> Any:
        """The LLVM type that holds it."""
        return ir.VectorType(_WORD, self.lanes)


@register_model(U64Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, vector: U64Vector) -> None:
        super().__init__(manager, vector, vector.llvm)  # type: ignore[no-untyped-call]


def intrinsic(function: Callable[..., Any]) -> Any:
    """Numba's decorator of that name, hidden from type checkers, who see too many arguments."""
    return extending.intrinsic(function)


def _llvm_type(kind: Any) -> Any:
    return kind.llvm if isinstance(kind, U64Vector) else _WORD


def _word_or_vector(kind: Any) -> Any:
    return kind if isinstance(kind, U64Vector) else types.uint64


def _suffix(kind: Any) -> str:
    return f"v{kind.lanes}i64" if isinstance(kind, U64Vector) else "i64"


def _call(builder: Any, name: str, result: Any, arguments: Any) -> Any:
    function_type = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    return builder.call(function, arguments)


def _splat(builder: Any, word: Any, lanes: int) -> Any:
    vector = ir.VectorType(_WORD, lanes)
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, word, ir.IntType(32)(0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(first, undefined, order)


# ---- bits ----------------------------------------------------------------------------------------


def _of_bits(operation: str, meaning: str, *flags: Any) -> Callable[..., Any]:
    def typed(typing_context: Any, x: Any) -> Any:
        kind = _word_or_vector(x)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            name = f"llvm.{operation}.{_suffix(kind)}"
            return _call(builder, name, _llvm_type(kind), (*args, *flags))

        return kind(kind), generate

    typed.__doc__ = f"{meaning}, lane by lane for a vector."
    return typed


_ZERO_DEFINED = ir.IntType(1)(0)

popcount = intrinsic(_of_bits("ctpop", "The number of set bits"))
ctz = intrinsic(_of_bits("cttz", "The zero bits below the lowest set one, 64 for 0", _ZERO_DEFINED))
clz = intrinsic(
    _of_bits("ctlz", "The zero bits above the highest set one, 64 for 0", _ZERO_DEFINED)
)


reverse_bits = intrinsic(_of_bits("bitreverse", "The bits in reverse order"))


@intrinsic
def rotate_left(typing_context: Any, x: Any, count: Any) -> Any:
    """The bits moved up by `count` modulo 64, those leaving at the top coming in below.

    Lane by lane for a vector.
    """
    kind = _word_or_vector(x)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x, count = args
        if isinstance(kind, U64Vector):
            count = _splat(builder, count, kind.lanes)
        return _call(builder, f"llvm.fshl.{_suffix(kind)}", _llvm_type(kind), (x, x, count))

    return kind(kind, types.uint64), generate


# ---- memory --------------------------------------------------------------------------------------


def _pointer(builder: Any, address: Any, target: Any) -> Any:
    return builder.inttoptr(address, target.as_pointer())


def _loader(bits: int) -> Callable[..., Any]:
    def typed(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            pointer = _pointer(builder, args[0], ir.IntType(bits))
            value = builder.load(pointer, align=bits // 8)
            return value if bits == 64 else builder.zext(value, _WORD)

        return types.uint64(types.uint64), generate

    typed.__doc__ = f"The {bits}-bit word at an aligned address, as uint64."
    return typed


load8, load16, load64 = (intrinsic(_loader(bits)) for bits in (8, 16, 64))


@intrinsic
def store64(typing_context: Any, address: Any, word: Any) -> Any:
    """Store a word at an aligned address."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, word = args
        builder.store(word, _pointer(builder, address, _WORD), align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@intrinsic
def atomic_load64(typing_context: Any, address: Any) -> Any:
    """The word at an address, read anew each time (monotonic).

    Other threads' stores are seen; LLVM would move a plain load out of a loop.
    """

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load_atomic(_pointer(builder, args[0], _WORD), "monotonic", align=8)

    return types.uint64(types.uint64), generate


@intrinsic
def atomic_store64(typing_context: Any, address: Any, word: Any) -> Any:
    """Store a word at an address in one piece (monotonic)."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, word = args
        builder.store_atomic(word, _pointer(builder, address, _WORD), "monotonic", align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@intrinsic
def stack_words(typing_context: Any, count: Any) -> Any:
    """The address of that many words, a constant, on the stack: their content is undefined.

    They last until the kernel returns.
    """
    if not isinstance(count, types.IntegerLiteral):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        # Not by Numba's alloca_once, which clears the words in every call of the kernel.
        with builder.goto_entry_block():
            words = builder.alloca(ir.ArrayType(_WORD, count.literal_value))
        return builder.ptrtoint(words, _WORD)

    return types.uint64(count), generate


@intrinsic
def prefetch(typing_context: Any, address: Any) -> Any:
    """Ask for the cache line at an address, which will be read soon."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        hints = [ir.IntType(32)(hint) for hint in _CACHE_LINE_READ]
        pointer = _pointer(builder, args[0], ir.IntType(8))
        _call(builder, "llvm.prefetch.p0", ir.VoidType(), [pointer, *hints])
        return context.get_dummy_value()

    return types.void(types.uint64), generate


@intrinsic
def clock_ticks(typing_context: Any, function: Any) -> Any:
    """What the system's monotonic clock says; `function` is the address of what reads it.

    That is `QueryPerformanceCounter` on Windows, elsewhere `clock_gettime`.
    """

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = ir.IntType(32)
        words = cgutils.alloca_once(builder, ir.ArrayType(_WORD, 2))
        address = builder.ptrtoint(words, _WORD)
        arguments = [address]
        if sys.platform != "win32":
            arguments.insert(0, number(time.CLOCK_MONOTONIC))
        kind = ir.FunctionType(number, [argument.type for argument in arguments])
        builder.call(_pointer(builder, args[0], kind), arguments)
        first = builder.load(_pointer(builder, address, _WORD))
        if sys.platform == "win32":
            return first
        second = builder.add(address, _WORD(8))
        nanoseconds = builder.load(_pointer(builder, second, _WORD))
        return builder.add(builder.mul(first, _WORD(1_000_000_000)), nanoseconds)

    return types.uint64(types.uint64), generate


def has_feature(context: Any, feature: str) -> bool:
    """Whether code is being compiled for processors with a feature, by LLVM's name."""
    _, _, features = context.codegen().magic_tuple()
    return f"+{feature}" in features.split(",")


@intrinsic
def has_wide_vectors(typing_context: Any) -> Any:
    """Whether the processor works on vectors of 8 words in one piece and counts their bits.

    Those of Intel do from Ice Lake on, those of AMD from Zen 4 on. It is a constant: of a branch on
    it nothing but the one side is compiled.
    """

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.IntType(1)(has_feature(context, "avx512vpopcntdq"))

    return types.boolean(), generate


# ---- vectors -------------------------------------------------------------------------------------


def _maker(lanes: int) -> Callable[..., Any]:
    def typed(typing_context: Any, *words: Any) -> Any:
        if len(words) not in (1, lanes):
            return None

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            values = [
                context.cast(builder, value, kind, types.uint64)
                for value, kind in zip(cgutils.unpack_tuple(builder, args[0]), words, strict=True)
            ]
            if len(values) == 1:
                return _splat(builder, values[0], lanes)
            vector = ir.Constant(U64Vector(lanes).llvm, ir.Undefined)
            for index, value in enumerate(values):
                vector = builder.insert_element(vector, value, ir.IntType(32)(index))
            return vector

        return U64Vector(lanes)(types.StarArgTuple.from_types(words)), generate

    typed.__doc__ = f"A vector of {lanes} words, the lowest lane first, or of one word repeated."
    return typed


u64x4, u64x8 = (intrinsic(_maker(lanes)) for lanes in (4, 8))


def _vector_loader(lanes: int) -> Callable[..., Any]:
    def typed(typing_context: Any, address: Any) -> Any:
        kind = U64Vector(lanes)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.load(_pointer(builder, args[0], kind.llvm), align=8)

        return kind(types.uint64), generate

    typed.__doc__ = f"The vector of {lanes} words at an address aligned to 8 bytes."
    return typed


load_u64x4, load_u64x8 = (intrinsic(_vector_loader(lanes)) for lanes in (4, 8))


@intrinsic
def store_vector(typing_context: Any, address: Any, vector: Any) -> Any:
    """Store a vector's lanes, the lowest first, at an address aligned to 8 bytes."""
    if not isinstance(vector, U64Vector):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, value = args
        builder.store(value, _pointer(builder, address, value.type), align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, vector), generate


@intrinsic
def store_past_caches(typing_context: Any, address: Any, vector: Any) -> Any:
    """Store a vector at an address aligned to its size, and leave what caches hold where it is."""
    if not isinstance(vector, U64Vector):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, value = args
        pointer = _pointer(builder, address, value.type)
        stored = builder.store(value, pointer, align=8 * value.type.count)
        stored.set_metadata("nontemporal", builder.module.add_metadata([ir.IntType(32)(1)]))
        return context.get_dummy_value()

    return types.void(types.uint64, vector), generate


def _reducer(operation: str, meaning: str) -> Callable[..., Any]:
    def typed(typing_context: Any, vector: Any) -> Any:
        if not isinstance(vector, U64Vector):
            return None

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _call(builder, f"llvm.vector.reduce.{operation}.{_suffix(vector)}", _WORD, args)

        return types.uint64(vector), generate

    typed.__doc__ = meaning
    return typed


max_reduce = intrinsic(_reducer("umax", "The greatest lane of a vector."))
or_reduce = intrinsic(_reducer("or", "The bits set in any lane of a vector."))
add_reduce = intrinsic(_reducer("add", "The sum of a vector's lanes modulo 2**64."))


def _shuffler(lanes: list[int], meaning: str) -> Callable[..., Any]:
    kind = U64Vector(len(lanes))

    def typed(typing_context: Any, first: Any, second: Any) -> Any:
        if first != kind or second != kind:
            return None

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            order = ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes)
            return builder.shuffle_vector(*args, order)

        return kind(kind, kind), generate

    typed.__doc__ = meaning
    return typed


even_lanes = intrinsic(
    _shuffler([0, 8, 2, 10, 4, 12, 6, 14], "The even lanes of two vectors of 8, in turns.")
)
odd_lanes = intrinsic(
    _shuffler([1, 9, 3, 11, 5, 13, 7, 15], "The odd lanes of two vectors of 8, in turns.")
)
even_pairs = intrinsic(
    _shuffler(
        [0, 1, 4, 5, 8, 9, 12, 13], "The even pairs of lanes of one vector of 8, and another."
    )
)
odd_pairs = intrinsic(
    _shuffler(
        [2, 3, 6, 7, 10, 11, 14, 15], "The odd pairs of lanes of one vector of 8, and another."
    )
)


def _define_operator(function: Any, emit: Callable[[Any, Any, Any], Any]) -> None:
    @infer_global(function)
    class Typing(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            vectors = {kind for kind in args if isinstance(kind, U64Vector)}
            others = {kind for kind in args if not isinstance(kind, U64Vector)}
            if len(vectors) != 1 or not all(isinstance(kind, types.Integer) for kind in others):
                return None
            return signature(vectors.pop(), *args)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = [
            value
            if isinstance(kind, U64Vector)
            else _splat(
                builder, context.cast(builder, value, kind, types.uint64), sig.return_type.lanes
            )
            for value, kind in zip(args, sig.args, strict=True)
        ]
        return emit(builder, *values)

    for kinds in ((U64Vector, U64Vector), (U64Vector, types.Integer), (types.Integer, U64Vector)):
        lower_builtin(function, *kinds)(lower)


def _compare(condition: str) -> Callable[[Any, Any, Any], Any]:
    def emit(builder: Any, left: Any, right: Any) -> Any:
        return builder.sext(builder.icmp_unsigned(condition, left, right), left.type)

    return emit


for _functions, _emit in (
    ((operator.add, operator.iadd), ir.IRBuilder.add),
    ((operator.sub, operator.isub), ir.IRBuilder.sub),
    ((operator.mul, operator.imul), ir.IRBuilder.mul),
    ((operator.and_, operator.iand), ir.IRBuilder.and_),
    ((operator.or_, operator.ior), ir.IRBuilder.or_),
    ((operator.xor, operator.ixor), ir.IRBuilder.xor),
    ((operator.lshift, operator.ilshift), ir.IRBuilder.shl),
    ((operator.rshift, operator.irshift), ir.IRBuilder.lshr),
    ((operator.eq,), _compare("==")),
    ((operator.ne,), _compare("!=")),
):
    for _function in _functions:
        _define_operator(_function, _emit)


@infer_global(operator.invert)
class _Invert(AbstractTemplate):
    key = operator.invert

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(args[0], args[0]) if isinstance(args[0], U64Vector) else None


def _lower_invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    all_ones = ir.Constant(args[0].type, [-1] * sig.return_type.lanes)
    return builder.xor(args[0], all_ones)


lower_builtin(operator.invert, U64Vector)(_lower_invert)
