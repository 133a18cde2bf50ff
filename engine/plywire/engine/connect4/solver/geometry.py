"""The board size as a compile-time constant, and whether threads share a search.

A `Geometry` carries no data into a kernel: each function below is a constant there. So machine code
is made once for each board size, with every shift and mask known, as by a C++ template. It is made
once more for several threads, so that a single thread loses no time by what only several need.

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

from dataclasses import dataclass

from plywire.engine.compiled.constant import Constant, Open, constant

#: Columns that kernels work on at once.
LANES = 8


@dataclass(frozen=True, slots=True)
class Geometry(Open):
    """A board of width x height squares with width * (height + 1) <= 64."""

    width: int
    height: int
    is_shared: bool = False
    """Whether several threads search a position together."""


@constant("uint64")
def width(geometry: Geometry) -> int:
    """Columns."""
    return geometry.width


@constant("uint64")
def height(geometry: Geometry) -> int:
    """Rows, the spare one not counted."""
    return geometry.height


@constant("uint64")
def stride(geometry: Geometry) -> int:
    """Bits from a square to its right neighbour."""
    return geometry.height + 1


@constant("int64")
def cells(geometry: Geometry) -> int:
    """Squares."""
    return geometry.width * geometry.height


@constant("uint64")
def bottom(geometry: Geometry) -> int:
    """The squares of row 0."""
    return _bottom(geometry)


@constant("uint64")
def full(geometry: Geometry) -> int:
    """All squares but the spare row."""
    return _bottom(geometry) * ((1 << geometry.height) - 1)


@constant("uint64")
def spare(geometry: Geometry) -> int:
    """The spare row."""
    return _bottom(geometry) << geometry.height


@constant("uint64")
def leader_rows(geometry: Geometry) -> int:
    """The rows a leader gets from a follower: see `proofs.py`."""
    rows = range(geometry.height % 2, geometry.height, 2)
    return sum(_bottom(geometry) << row for row in rows)


@constant("vector")
def columns(geometry: Geometry) -> tuple[int, ...]:
    """In each of eight lanes the squares of a column, from the left."""
    column = (1 << geometry.height) - 1
    return tuple(
        column << lane * (geometry.height + 1) if lane < geometry.width else 0
        for lane in range(LANES)
    )


@constant("vector")
def from_border(geometry: Geometry) -> tuple[int, ...]:
    """In each of eight lanes how far a column is from the border, from the left."""
    return tuple(_from_border(geometry, lane) for lane in range(LANES))


@constant("vector")
def from_border_beyond(geometry: Geometry) -> tuple[int, ...]:
    """The same of the columns beyond the first eight."""
    return tuple(_from_border(geometry, LANES + lane) for lane in range(LANES))


@constant("flag")
def is_shared(geometry: Geometry) -> bool:
    """Whether several threads search a position together."""
    return geometry.is_shared


#: All of them.
CONSTANTS: tuple[Constant[Geometry], ...] = (
    width,
    height,
    stride,
    cells,
    bottom,
    full,
    spare,
    leader_rows,
    columns,
    from_border,
    from_border_beyond,
    is_shared,
)


def _bottom(geometry: Geometry) -> int:
    return sum(1 << column * (geometry.height + 1) for column in range(geometry.width))


def _from_border(geometry: Geometry, column: int) -> int:
    return max(min(column, geometry.width - 1 - column), 0)
