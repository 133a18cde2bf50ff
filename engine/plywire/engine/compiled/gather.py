"""Adding up bytes of a table, many at a time.

The vector units of some processors gather: they load a word for each lane of a register, each from
an address of its own. Where that is quicker than one load after another, it is done here.
"""

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from .intrinsics import has_feature, intrinsic

_BIT, _BYTE, _HALF, _INT, _WORD = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
_LANES = 16
#: A feature of the processors that gather quickly, from Intel's Sapphire Rapids on. Older ones of
#: Intel were slowed down for safety's sake ("Downfall"), those of AMD do it in microcode.
_QUICK = "avx512fp16"


def bytes_adder(offsets: Sequence[int]) -> Callable[..., Any]:
    """An intrinsic that adds up signed bytes of a table, one for each offset, to an int64.

    There are 16 offsets or a multiple. The intrinsic takes the address of the table, and the one,
    aligned to 8 bytes, of as many 16-bit words: a byte is so far behind its offset as its word
    says. Three more bytes must follow the table's last.
    """

    def typed(typing_context: Any, table: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            add_up = _gathered if has_feature(context, _QUICK) else _loaded
            table, words = args
            return add_up(builder, table, words, offsets)

        return types.int64(types.uint64, types.uint64), generate

    typed.__doc__ = f"The sum of {len(offsets)} signed bytes, which as many 16-bit words choose."
    made: Callable[..., Any] = intrinsic(typed)
    return made


def _loaded(builder: Any, table: Any, words: Any, offsets: Sequence[int]) -> Any:
    found = []
    for number, offset in enumerate(offsets):
        word = _load(builder, builder.add(words, _WORD(2 * number)), _HALF, 2)
        place = builder.add(builder.zext(word, _WORD), builder.add(table, _WORD(offset)))
        found.append(builder.sext(_load(builder, place, _BYTE, 1), _WORD))
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
        chosen = builder.zext(_load(builder, address, ir.VectorType(_HALF, _LANES), 8), ints)
        part = ir.Constant(ints, list(offsets[first : first + _LANES]))
        places = builder.zext(builder.add(chosen, part, flags=["nuw", "nsw"]), longs)
        pointers = builder.gep(base, [places], source_etype=_BYTE)
        pointers.type = ir.VectorType(base.type, _LANES)  # llvmlite takes them for a single one
        arguments = [pointers, _INT(1), all_lanes, nothing]
        found = _call(builder, "llvm.masked.gather.v16i32.v16p0", ints, arguments)
        total = builder.add(total, builder.ashr(builder.shl(found, above), above))
    return builder.sext(_call(builder, "llvm.vector.reduce.add.v16i32", _INT, [total]), _WORD)


def _load(builder: Any, address: Any, kind: Any, align: int) -> Any:
    return builder.load(builder.inttoptr(address, kind.as_pointer()), align=align)


def _call(builder: Any, name: str, result: Any, arguments: Sequence[Any]) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)
