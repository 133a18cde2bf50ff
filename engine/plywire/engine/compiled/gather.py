"""Adding bytes of a table, many at a time on processors that gather fast."""

from collections.abc import Sequence
from typing import Any


class BytesAdder:
    """An operation of kernels that adds signed bytes of a table, one byte for each offset.

    In a kernel, it takes two addresses and returns an int64. The first is the address of the table;
    three readable bytes must follow the table. The second, aligned to 8 bytes, is the address of a
    16-bit word for each offset. A byte's position in the table is its offset plus its word.
    """

    def __init__(self, offsets: Sequence[int]) -> None:
        """The number of offsets is a multiple of 16."""
        self.offsets = tuple(offsets)

    def __call__(self, table: Any, words: Any) -> Any:
        raise NotImplementedError("this operation exists only inside kernels")
