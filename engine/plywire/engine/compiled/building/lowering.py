"""What LLVM is to do for each operation of `intrinsics.py`, in the words of Numba.

A *lowering* is a function that, given Numba's types of the arguments, returns the signature and a
function that builds the instructions; `lowers` makes it known.

What differs between processors and systems, and between board sizes, is left open in the IR: it is
read from an external constant (`constant_of`), to which `native.py` gives its value when it makes
machine code. A kernel that Numba compiles for this process alone gets the values at once.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import (
    AbstractTemplate,
    infer,
    infer_global,
    make_intrinsic_template,
    signature,
)
from numba.extending import NativeValue, lower_builtin, register_model, typeof_impl, unbox

from plywire.engine.compiled import intrinsics, target
from plywire.engine.compiled.constant import Constant, Kind, Open, Value
from plywire.engine.compiled.gather import BytesAdder

_WORD = ir.IntType(64)
_CACHE_LINE_READ = (0, 3, 1)  # llvm.prefetch: for reading, into every level, the data cache


class Leaving:
    """What is left open in the IR that is being made."""

    is_open = False
    """Whether the constants of the target are."""


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


def lowers(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make the decorated lowering what a function without a body is compiled to."""

    def decorate(lowering: Callable[..., Any]) -> Callable[..., Any]:
        template = make_intrinsic_template(function, lowering, function.__name__)
        infer(template)
        infer_global(function, types.Function(template))
        return lowering

    return decorate


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


def _of_bits(operation: str, *flags: Any) -> Callable[..., Any]:
    def typed(typing_context: Any, x: Any) -> Any:
        kind = _word_or_vector(x)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            name = f"llvm.{operation}.{_suffix(kind)}"
            return _call(builder, name, _llvm_type(kind), (*args, *flags))

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

    return typed


lowers(intrinsics.load8)(_loader(8))
lowers(intrinsics.load16)(_loader(16))
lowers(intrinsics.load64)(_loader(64))


@lowers(intrinsics.store64)
def _store64(typing_context: Any, address: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, word = args
        builder.store(word, _pointer(builder, address, _WORD), align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@lowers(intrinsics.load_float)
def _load_float(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_pointer(builder, args[0], ir.FloatType()), align=4)

    return types.float32(types.uint64), generate


@lowers(intrinsics.store_float)
def _store_float(typing_context: Any, address: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, number = args
        builder.store(number, _pointer(builder, address, ir.FloatType()), align=4)
        return context.get_dummy_value()

    return types.void(types.uint64, types.float32), generate


@lowers(intrinsics.atomic_load64)
def _atomic_load64(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load_atomic(_pointer(builder, args[0], _WORD), "monotonic", align=8)

    return types.uint64(types.uint64), generate


@lowers(intrinsics.atomic_store64)
def _atomic_store64(typing_context: Any, address: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, word = args
        builder.store_atomic(word, _pointer(builder, address, _WORD), "monotonic", align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@lowers(intrinsics.stack_words)
def _stack_words(typing_context: Any, count: Any) -> Any:
    if not isinstance(count, types.IntegerLiteral):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        # Not by Numba's alloca_once, which clears the words in every call of the kernel.
        with builder.goto_entry_block():
            words = builder.alloca(ir.ArrayType(_WORD, count.literal_value))
        return builder.ptrtoint(words, _WORD)

    return types.uint64(count), generate


@lowers(intrinsics.prefetch)
def _prefetch(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        hints = [ir.IntType(32)(hint) for hint in _CACHE_LINE_READ]
        pointer = _pointer(builder, args[0], ir.IntType(8))
        _call(builder, "llvm.prefetch.p0", ir.VoidType(), [pointer, *hints])
        return context.get_dummy_value()

    return types.void(types.uint64), generate


# ---- constants -----------------------------------------------------------------------------------


class OpenType(types.Type):
    """The Numba type of a value that kernels know by its constants alone; carries no data."""

    def __init__(self, value: Open | type[Open]) -> None:
        """The type of one value, or of whichever of a class will be chosen later."""
        self.value = value
        super().__init__(name=f"Open({value!r})")


register_model(OpenType)(models.OpaqueModel)


@typeof_impl.register(Open)
def _typeof_open(value: Open, context: Any) -> OpenType:
    return OpenType(value)


@unbox(OpenType)  # type: ignore[untyped-decorator]
def _unbox_open(kind: Any, value: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())


_TYPES: dict[Kind, Any] = {
    "uint64": types.uint64,
    "int64": types.int64,
    "flag": types.boolean,
    "vector": U64Vector(8),
}


def _constant(builder: Any, constant: Constant[Any], value: Value | None) -> Any:
    """A constant with that value, or with one that is chosen when machine code is made."""
    kind = U64Vector(8).llvm if constant.kind == "vector" else _WORD
    if value is not None:
        found = ir.Constant(kind, list(value) if isinstance(value, Sequence) else int(value))
    else:
        name = f"plywire.{constant.name}"
        variable = builder.module.globals.get(name)
        if variable is None:
            variable = ir.GlobalVariable(builder.module, kind, name)
            variable.global_constant = True
            variable.linkage = "external"
        found = builder.load(variable)
    return builder.trunc(found, ir.IntType(1)) if constant.kind == "flag" else found


def _target_constant(builder: Any, constant: Constant[Any]) -> Any:
    value = None if Leaving.is_open else constant(target.host())
    return _constant(builder, constant, value)


def type_constant(constant: Constant[Any]) -> types.Function:
    """The Numba type of a constant as a function in kernels."""

    result = _TYPES[constant.kind]

    def of_target(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _target_constant(builder, constant)

        return result(), generate

    def of_value(typing_context: Any, value: Any) -> Any:
        if not isinstance(value, OpenType):
            return None
        is_chosen = isinstance(value.value, Open)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _constant(builder, constant, constant(value.value) if is_chosen else None)

        return result(value), generate

    typed = of_target if constant in target.CONSTANTS else of_value
    template = make_intrinsic_template(constant, typed, constant.name)
    infer(template)
    return types.Function(template)


# ---- the system ----------------------------------------------------------------------------------


@lowers(intrinsics.clock_ticks)
def _clock_ticks(typing_context: Any, function: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = ir.IntType(32)
        address = cgutils.alloca_once(builder, ir.ArrayType(_WORD, 2))
        first, second = (cgutils.gep(builder, address, 0, index) for index in range(2))
        ticks = cgutils.alloca_once(builder, _WORD)
        with builder.if_else(_target_constant(builder, target.is_windows)) as (windows, others):
            with windows:
                kind = ir.FunctionType(number, [address.type])
                builder.call(_pointer(builder, args[0], kind), [address])
                builder.store(builder.load(first), ticks)
            with others:
                clock = builder.trunc(_target_constant(builder, target.clock_number), number)
                kind = ir.FunctionType(number, [number, address.type])
                builder.call(_pointer(builder, args[0], kind), [clock, address])
                seconds = builder.mul(builder.load(first), _WORD(1_000_000_000))
                builder.store(builder.add(seconds, builder.load(second)), ticks)
        return builder.load(ticks)

    return types.uint64(types.uint64), generate


# ---- gathering -----------------------------------------------------------------------------------

_BIT, _BYTE, _HALF, _INT = (ir.IntType(bits) for bits in (1, 8, 16, 32))
_LANES = 16


def type_bytes_adder(adder: BytesAdder) -> types.Function:
    """The Numba type of such an operation."""

    def typed(typing_context: Any, table: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            table, words = args
            total = cgutils.alloca_once(builder, _WORD)
            is_quick = _target_constant(builder, target.has_quick_gather)
            with builder.if_else(is_quick) as (gathering, loading):
                with gathering:
                    builder.store(_gathered(builder, table, words, adder.offsets), total)
                with loading:
                    builder.store(_loaded(builder, table, words, adder.offsets), total)
            return builder.load(total)

        return types.int64(types.uint64, types.uint64), generate

    template = make_intrinsic_template(adder, typed, "bytes_adder")
    infer(template)
    return types.Function(template)


def _loaded(builder: Any, table: Any, words: Any, offsets: Sequence[int]) -> Any:
    found = []
    for number, offset in enumerate(offsets):
        word = _load_at(builder, builder.add(words, _WORD(2 * number)), _HALF, 2)
        place = builder.add(builder.zext(word, _WORD), builder.add(table, _WORD(offset)))
        found.append(builder.sext(_load_at(builder, place, _BYTE, 1), _WORD))
    return _sum(builder, found)


def _sum(builder: Any, values: Sequence[Any]) -> Any:
    """As a tree, so that additions need not wait for each other."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    return builder.add(_sum(builder, values[:half]), _sum(builder, values[half:]))


def _gathered(builder: Any, table: Any, words: Any, offsets: Sequence[int]) -> Any:
    """Gathers 32-bit words, of which the bytes are the lowest."""
    ints, longs = (ir.VectorType(kind, _LANES) for kind in (_INT, _WORD))
    base = builder.inttoptr(table, _BYTE.as_pointer())
    all_lanes = ir.Constant(ir.VectorType(_BIT, _LANES), [1] * _LANES)
    nothing, above = (ir.Constant(ints, [value] * _LANES) for value in (0, 24))
    total = nothing
    for first in range(0, len(offsets), _LANES):
        address = builder.add(words, _WORD(2 * first))
        chosen = builder.zext(_load_at(builder, address, ir.VectorType(_HALF, _LANES), 8), ints)
        part = ir.Constant(ints, list(offsets[first : first + _LANES]))
        places = builder.zext(builder.add(chosen, part, flags=["nuw", "nsw"]), longs)
        pointers = builder.gep(base, [places], source_etype=_BYTE)
        pointers.type = ir.VectorType(base.type, _LANES)  # llvmlite takes them for a single one
        arguments = [pointers, _INT(1), all_lanes, nothing]
        found = _call(builder, "llvm.masked.gather.v16i32.v16p0", ints, arguments)
        total = builder.add(total, builder.ashr(builder.shl(found, above), above))
    return builder.sext(_call(builder, "llvm.vector.reduce.add.v16i32", _INT, [total]), _WORD)


def _load_at(builder: Any, address: Any, kind: Any, align: int) -> Any:
    return builder.load(builder.inttoptr(address, kind.as_pointer()), align=align)


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

    return typed


lowers(intrinsics.u64x4)(_maker(4))
lowers(intrinsics.u64x8)(_maker(8))


def _vector_loader(lanes: int) -> Callable[..., Any]:
    def typed(typing_context: Any, address: Any) -> Any:
        kind = U64Vector(lanes)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.load(_pointer(builder, args[0], kind.llvm), align=8)

        return kind(types.uint64), generate

    return typed


lowers(intrinsics.load_u64x4)(_vector_loader(4))
lowers(intrinsics.load_u64x8)(_vector_loader(8))


@lowers(intrinsics.store_vector)
def _store_vector(typing_context: Any, address: Any, vector: Any) -> Any:
    if not isinstance(vector, U64Vector):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, value = args
        builder.store(value, _pointer(builder, address, value.type), align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, vector), generate


@lowers(intrinsics.store_past_caches)
def _store_past_caches(typing_context: Any, address: Any, vector: Any) -> Any:
    if not isinstance(vector, U64Vector):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, value = args
        pointer = _pointer(builder, address, value.type)
        stored = builder.store(value, pointer, align=8 * value.type.count)
        stored.set_metadata("nontemporal", builder.module.add_metadata([ir.IntType(32)(1)]))
        return context.get_dummy_value()

    return types.void(types.uint64, vector), generate


def _reducer(operation: str) -> Callable[..., Any]:
    def typed(typing_context: Any, vector: Any) -> Any:
        if not isinstance(vector, U64Vector):
            return None

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _call(builder, f"llvm.vector.reduce.{operation}.{_suffix(vector)}", _WORD, args)

        return types.uint64(vector), generate

    return typed


lowers(intrinsics.max_reduce)(_reducer("umax"))
lowers(intrinsics.or_reduce)(_reducer("or"))
lowers(intrinsics.add_reduce)(_reducer("add"))


def _shuffler(*lanes: int) -> Callable[..., Any]:
    kind = U64Vector(len(lanes))

    def typed(typing_context: Any, first: Any, second: Any) -> Any:
        if first != kind or second != kind:
            return None

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            order = ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), list(lanes))
            return builder.shuffle_vector(*args, order)

        return kind(kind, kind), generate

    return typed


lowers(intrinsics.even_lanes)(_shuffler(0, 8, 2, 10, 4, 12, 6, 14))
lowers(intrinsics.odd_lanes)(_shuffler(1, 9, 3, 11, 5, 13, 7, 15))
lowers(intrinsics.even_pairs)(_shuffler(0, 1, 4, 5, 8, 9, 12, 13))
lowers(intrinsics.odd_pairs)(_shuffler(2, 3, 6, 7, 10, 11, 14, 15))


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
