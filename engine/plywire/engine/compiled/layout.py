"""Memory that kernels work on, with named fields, like a struct of C.

A layout is a NamedTuple class with a field for each word; the annotation says what the word holds.
`layout` makes the tuple of their offsets in bytes. A kernel reads a field, here `nodes`, by
`load64(context + CONTEXT.nodes)`.
"""

from typing import Any, TypeVar

_Fields = TypeVar("_Fields", bound=tuple[Any, ...])

#: What a value is in kernels, where Numba finds the type: a word of 64 bits without a sign, or the
#: address of memory; a score or a number of plies, with a sign.
Word = Any
Address = Any
Score = Any
Ply = Any
Flag = Any
#: The NamedTuple of a game that `contract.py` describes.
Board = Any
#: Words in the lanes of a register; a kernel that takes a `Word` may take these as well.
Vector = Any


def layout(fields: type[_Fields], start: int = 0, step: int = 8) -> _Fields:
    """The offsets of fields that follow each other from `start`, `step` bytes apart."""
    import numpy as np  # games that only know the rules have no need of it

    count = len(fields._fields)  # type: ignore[attr-defined]
    offsets = [np.uint64(start + step * number) for number in range(count)]
    return fields(*offsets)  # type: ignore[arg-type]
