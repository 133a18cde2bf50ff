"""Adding up bytes of a table, many at a time.

The vector units of some processors gather: they load a word for each lane of a register, each from
an address of its own. Kernels gather on processors on which that is quicker than single loads.
"""

from collections.abc import Sequence
from typing import Any


class BytesAdder:
    """An operation of kernels that adds up signed bytes of a table, one for each offset.

    In a kernel it takes two addresses and returns an int64. The first is that of the table, after
    which three more bytes must follow. The second, aligned to 8 bytes, is that of a 16-bit word for
    each offset. A byte's place in the table is the sum of its offset and its word.
    """

    def __init__(self, offsets: Sequence[int]) -> None:
        """Add up one byte for each offset; their number is a multiple of 16."""
        self.offsets = tuple(offsets)

    def __call__(self, table: Any, words: Any) -> Any:
        """Exists only inside kernels."""
        raise NotImplementedError("this operation exists only inside kernels")
