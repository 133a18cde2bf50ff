"""The lowering of `compiled/gather.py`: one instruction where that is quick, else single loads."""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from plywire.engine.compiled import target
from plywire.engine.compiled.gather import BytesAdder

from .constant import target_constant
from .internals import pointers_at
from .lowering import WORD, call, function_type, load_at, pointer

_BIT, _BYTE, _HALF, _INT = (ir.IntType(bits) for bits in (1, 8, 16, 32))
_LANES = 16


def type_bytes_adder(adder: BytesAdder) -> types.Function:
    """Return the Numba type of an adder."""

    def typed(typing_context: Any, table: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            table, words = args
            total = cgutils.alloca_once(builder, WORD)
            is_quick = target_constant(builder, target.has_quick_gather)
            with builder.if_else(is_quick) as (gathering, loading):
                with gathering:
                    builder.store(_gathered(builder, table, words, adder.offsets), total)
                with loading:
                    builder.store(_loaded(builder, table, words, adder.offsets), total)
            return builder.load(total)

        return types.int64(types.uint64, types.uint64), generate

    return function_type(adder, typed, "bytes_adder")


def _loaded(builder: Any, table: Any, words: Any, offsets: Sequence[int]) -> Any:
    found = []
    for number, offset in enumerate(offsets):
        word = load_at(builder, builder.add(words, WORD(2 * number)), _HALF, 2)
        place = builder.add(builder.zext(word, WORD), builder.add(table, WORD(offset)))
        found.append(builder.sext(load_at(builder, place, _BYTE, 1), WORD))
    return _sum(builder, found)


def _sum(builder: Any, values: Sequence[Any]) -> Any:
    """Add values in pairs, then the sums in pairs, so that few additions wait for each other."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    return builder.add(_sum(builder, values[:half]), _sum(builder, values[half:]))


def _gathered(builder: Any, table: Any, words: Any, offsets: Sequence[int]) -> Any:
    ints, longs = (ir.VectorType(kind, _LANES) for kind in (_INT, WORD))
    base = pointer(builder, table, _BYTE)
    all_lanes = ir.Constant(ir.VectorType(_BIT, _LANES), [1] * _LANES)
    nothing, above = (ir.Constant(ints, [value] * _LANES) for value in (0, 24))
    total = nothing
    for first in range(0, len(offsets), _LANES):
        address = builder.add(words, WORD(2 * first))
        chosen = builder.zext(load_at(builder, address, ir.VectorType(_HALF, _LANES), 8), ints)
        part = ir.Constant(ints, list(offsets[first : first + _LANES]))
        places = builder.zext(builder.add(chosen, part, flags=["nuw", "nsw"]), longs)
        pointers = pointers_at(builder, base, places, _BYTE)
        arguments = [pointers, _INT(1), all_lanes, nothing]
        found = call(builder, "llvm.masked.gather.v16i32.v16p0", ints, arguments)
        total = builder.add(total, builder.ashr(builder.shl(found, above), above))
    return builder.sext(call(builder, "llvm.vector.reduce.add.v16i32", _INT, [total]), WORD)
