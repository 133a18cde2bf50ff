"""The board size as a compile-time constant, and whether threads share a search.

Each function below is a constant in kernels. So each board size has its own machine code, with all
shifts and masks known, as with a C++ template. Shared searches have their own code as well, so that
a single thread does not pay for sharing.

In the layout, here 7x6, a column has height + 1 bits. The spare bit on top stays empty, so lines
cannot wrap from one column to the next.

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

#: The number of lanes in a vector, one for each column.
LANES = 8


@dataclass(frozen=True, slots=True)
class Geometry(Open):
    """A board of width x height squares with width * (height + 1) <= 64."""

    width: int
    height: int
    is_shared: bool = False


@constant("uint64")
def width(geometry: Geometry) -> int:
    """Return the number of columns."""
    return geometry.width


@constant("uint64")
def height(geometry: Geometry) -> int:
    """Return the number of rows, without the spare row."""
    return geometry.height


@constant("uint64")
def stride(geometry: Geometry) -> int:
    """Return the distance in bits between a square and its right neighbour."""
    return geometry.height + 1


@constant("int64")
def cells(geometry: Geometry) -> int:
    """Return the number of squares."""
    return geometry.width * geometry.height


@constant("uint64")
def bottom(geometry: Geometry) -> int:
    """Return the squares of row 0."""
    return _bottom(geometry)


@constant("uint64")
def full(geometry: Geometry) -> int:
    """Return all squares except the spare row."""
    return _bottom(geometry) * ((1 << geometry.height) - 1)


@constant("uint64")
def spare(geometry: Geometry) -> int:
    """Return the squares of the spare row."""
    return _bottom(geometry) << geometry.height


@constant("uint64")
def leader_rows(geometry: Geometry) -> int:
    """Return the rows that a leader gets from a follower; see `proofs.py`."""
    rows = range(geometry.height % 2, geometry.height, 2)
    return sum(_bottom(geometry) << row for row in rows)


@constant("vector")
def columns(geometry: Geometry) -> tuple[int, ...]:
    """Return the squares of the first eight columns, one column in each lane."""
    column = (1 << geometry.height) - 1
    return tuple(
        column << lane * (geometry.height + 1) if lane < geometry.width else 0
        for lane in range(LANES)
    )


@constant("vector")
def from_border(geometry: Geometry) -> tuple[int, ...]:
    """Return the distances of the first eight columns from the border."""
    return tuple(_from_border(geometry, lane) for lane in range(LANES))


@constant("vector")
def from_border_beyond(geometry: Geometry) -> tuple[int, ...]:
    """Return the distances of the columns after the first eight from the border."""
    return tuple(_from_border(geometry, LANES + lane) for lane in range(LANES))


@constant("flag")
def is_shared(geometry: Geometry) -> bool:
    """Return whether several threads search a position together."""
    return geometry.is_shared


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
