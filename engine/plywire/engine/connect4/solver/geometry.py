"""The board size as a compile-time constant, and whether threads share a search.

A `Geometry` carries no data into a kernel: its Numba type holds the width and the height, and each
function below compiles to a constant. So a kernel is compiled once for each board size, with every
shift and mask known, as a C++ template would be; and once more for several threads, so that a
single one loses no time by what only they need.

The layout, here 7x6: a column takes height + 1 bits, the spare one on top kept empty, so that a
line that leaves the board on one side never comes back on the other.

     6 13 20 27 34 41 48   spare
     5 12 19 26 33 40 47   row 5
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42   row 0
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import (
    NativeValue,
    intrinsic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from plywire.engine.compiled.intrinsics import U64Vector

#: Columns that kernels work on at once.
LANES = 8


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board of width x height squares with width * (height + 1) <= 64."""

    width: int
    height: int
    is_shared: bool = False
    """Whether several threads search a position together."""


class GeometryType(types.Type):
    """The Numba type of one board size, for one thread or for several."""

    def __init__(self, width: int, height: int, is_shared: bool) -> None:
        """The type of boards that are width x height, searched by several threads or not."""
        self.width = width
        self.height = height
        self.is_shared = is_shared
        super().__init__(name=f"Geometry({width}x{height}{', shared' if is_shared else ''})")


register_model(GeometryType)(models.OpaqueModel)


@typeof_impl.register(Geometry)
def _typeof(geometry: Geometry, context: Any) -> GeometryType:
    return GeometryType(geometry.width, geometry.height, geometry.is_shared)


@unbox(GeometryType)  # type: ignore[untyped-decorator]
def _unbox(kind: Any, value: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())


def _constant(compute: Callable[[int, int], int], meaning: str, result: Any = types.uint64) -> Any:
    def typed(typing_context: Any, geometry: Any) -> Any:
        if not isinstance(geometry, GeometryType):
            return None
        value = compute(geometry.width, geometry.height)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return ir.Constant(ir.IntType(64), value)

        return result(geometry), generate

    typed.__doc__ = meaning
    return intrinsic(typed)


def _by_lane(compute: Callable[[int, int, int], int], meaning: str) -> Any:
    def typed(typing_context: Any, geometry: Any) -> Any:
        if not isinstance(geometry, GeometryType):
            return None
        kind = U64Vector(LANES)
        words = [compute(geometry.width, geometry.height, lane) for lane in range(LANES)]

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return ir.Constant(kind.llvm, words)

        return kind(geometry), generate

    typed.__doc__ = meaning
    return intrinsic(typed)


def _column(width: int, height: int, column: int) -> int:
    return ((1 << height) - 1) << column * (height + 1) if column < width else 0


def _from_border(width: int, column: int) -> int:
    return max(min(column, width - 1 - column), 0)


def _bottom(width: int, height: int) -> int:
    return sum(1 << column * (height + 1) for column in range(width))


def _own_rows(width: int, height: int) -> int:
    rows = [row for row in range(height) if row % 2 == height % 2]
    return sum(_bottom(width, height) << row for row in rows)


width = _constant(lambda w, h: w, "Columns.")
height = _constant(lambda w, h: h, "Rows, the spare one not counted.")
stride = _constant(lambda w, h: h + 1, "Bits from a square to its right neighbour.")
cells = _constant(lambda w, h: w * h, "Squares, as int64.", types.int64)
bottom = _constant(_bottom, "The squares of row 0.")
full = _constant(lambda w, h: _bottom(w, h) * ((1 << h) - 1), "All squares but the spare row.")
spare = _constant(lambda w, h: _bottom(w, h) << h, "The spare row.")
columns = _by_lane(_column, "In each of eight lanes the squares of a column, from the left.")
from_border = _by_lane(
    lambda w, h, lane: _from_border(w, lane),
    "In each of eight lanes how far a column is from the border, from the left.",
)
from_border_beyond = _by_lane(
    lambda w, h, lane: _from_border(w, LANES + lane),
    "The same of the columns beyond the first eight.",
)
leader_rows = _constant(_own_rows, "The rows a leader gets from a follower: see `proofs.py`.")


def _is_shared(typing_context: Any, geometry: Any) -> Any:
    """Whether several threads search a position together."""
    if not isinstance(geometry, GeometryType):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(ir.IntType(1), int(geometry.is_shared))

    return types.boolean(geometry), generate


is_shared: Any = intrinsic(_is_shared)
