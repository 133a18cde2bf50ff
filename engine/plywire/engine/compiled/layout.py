"""Memory that kernels use, with named fields, like a struct in C.

A layout is a NamedTuple class with one field for each word. `layout` returns the tuple of their
offsets in bytes. A kernel reads the field `nodes` by `load64(context + CONTEXT.nodes)`.
"""

from typing import Any, TypeVar

_Fields = TypeVar("_Fields", bound=tuple[Any, ...])

#: Names of types, for readers only: Numba infers the types of values in kernels. `Word` and
#: `Address` are uint64; `Score` and `Ply` are int64.
Word = Any
Address = Any
Score = Any
Ply = Any
Flag = Any
#: A value of a game's board class; see `contract.py`.
Board = Any
#: A SIMD vector of words; kernels that take a `Word` may take vectors, too.
Vector = Any


def layout(fields: type[_Fields], start: int = 0, step: int = 8) -> _Fields:
    """Return the offsets of the fields: the first is `start`, and they are `step` bytes apart."""
    # NumPy is imported only here, because the rules of games must work without it.
    import numpy as np

    count = len(fields._fields)  # type: ignore[attr-defined]
    offsets = [np.uint64(start + step * number) for number in range(count)]
    return fields(*offsets)  # type: ignore[arg-type]
