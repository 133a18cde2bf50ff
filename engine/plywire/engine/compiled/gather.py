"""Adding up bytes of a table, many at a time.

The vector units of some processors gather: they load a word for each lane of a register, each from
an address of its own. Where that is quicker than one load after another, it is done here.
"""

from collections.abc import Sequence
from typing import Any


class BytesAdder:
    """An operation of kernels that adds up signed bytes of a table, one for each offset.

    In a kernel it takes the address of the table, and the one, aligned to 8 bytes, of as many
    16-bit words as there are offsets, and returns an int64: a byte is so far behind its offset as
    its word says. Three more bytes must follow the table's last.
    """

    def __init__(self, offsets: Sequence[int]) -> None:
        """Add up a byte behind each of these offsets, which are 16 or a multiple."""
        self.offsets = tuple(offsets)

    def __call__(self, table: Any, words: Any) -> Any:
        """Exists only inside kernels."""
        raise NotImplementedError("this operation exists only inside kernels")
