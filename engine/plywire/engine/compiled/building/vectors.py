"""Lowerings of vectors: creation, loads, stores, reductions and operators."""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from plywire.engine.compiled import intrinsics

from .lowering import WORD, U64Vector, call, load_at, lowers, pointer, splat, suffix


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
                return splat(builder, values[0], lanes)
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
            return load_at(builder, args[0], kind.llvm, 8)

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
        builder.store(value, pointer(builder, address, value.type), align=8)
        return context.get_dummy_value()

    return types.void(types.uint64, vector), generate


@lowers(intrinsics.store_past_caches)
def _store_past_caches(typing_context: Any, address: Any, vector: Any) -> Any:
    if not isinstance(vector, U64Vector):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address, value = args
        place = pointer(builder, address, value.type)
        stored = builder.store(value, place, align=8 * value.type.count)
        stored.set_metadata("nontemporal", builder.module.add_metadata([ir.IntType(32)(1)]))
        return context.get_dummy_value()

    return types.void(types.uint64, vector), generate


def _reducer(operation: str) -> Callable[..., Any]:
    def typed(typing_context: Any, vector: Any) -> Any:
        if not isinstance(vector, U64Vector):
            return None

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return call(builder, f"llvm.vector.reduce.{operation}.{suffix(vector)}", WORD, args)

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
            else splat(
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
