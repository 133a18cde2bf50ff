"""Values by sorted keys, packed in blocks of some thousand keys.

The first key of each block is stored separately, so only needed blocks are unpacked. Each kind of
value is compressed with the best of zlib's strategies: for some kinds, searching for repetitions
makes the result larger.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .keys import Words

#: Maximum number of unpacked blocks that are kept in memory. Each takes about 120 KiB.
KEPT_BLOCKS = 64
#: The number of keys in a block.
BLOCK_KEYS = 12_288

Bytes = NDArray[np.uint8]


class Pieces(NamedTuple):
    """The compressed bytes of all blocks, and the end of each block."""

    ends: NDArray[np.uint32]
    blocks: Bytes

    @classmethod
    def read(cls, archive: Mapping[str, Any], prefix: str) -> Pieces:
        """Read those arrays of a file that have names with this prefix.

        Raises KeyError if an array is missing, ValueError if the arrays do not fit together.
        """
        pieces = cls(*(archive[prefix + name] for name in cls._fields))
        if pieces.ends[-1:].sum() != len(pieces.blocks):
            raise ValueError("the last block ends where the bytes do")
        return pieces

    def content(self, number: int) -> list[bytes]:
        start = int(self.ends[number - 1]) if number else 0
        left = self.blocks[start : self.ends[number]].tobytes()
        content = []
        while left:
            stream = zlib.decompressobj()
            content.append(stream.decompress(left))
            left = stream.unused_data
        return content


class Packed(NamedTuple):
    """The blocks of a file: the first key of each, their bytes, and the number of all keys."""

    firsts: Words
    keys: NDArray[np.int64]
    pieces: Pieces

    @classmethod
    def read(cls, archive: Mapping[str, Any], prefix: str) -> Packed:
        """Read the arrays that have names with this prefix; errors as in `Pieces.read`."""
        pieces = Pieces.read(archive, prefix)
        packed = cls(archive[prefix + "firsts"], archive[prefix + "keys"], pieces)
        if len(packed.firsts) != len(pieces.ends):
            raise ValueError("each block has a first key and an end")
        return packed


class Block(NamedTuple):
    """The unpacked keys of a block, and the bytes of their values."""

    keys: memoryview[int]
    """64 bits each, in ascending order."""
    values: memoryview[int]

    @classmethod
    def of(cls, keys: Words, values: Bytes) -> Block:
        return cls(_view(keys), _view(values))

    def place_of(self, key: int) -> int | None:
        index = bisect_left(self.keys, key)
        return index if index < len(self.keys) and self.keys[index] == key else None


class Blocks:
    """Finds keys and their values."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        # Python searches a memoryview faster than an array.
        self._firsts = _view(packed.firsts)
        self.block = lru_cache(KEPT_BLOCKS)(self._opened)

    def __len__(self) -> int:
        return int(self.packed.keys)

    def number_of(self, key: int) -> int:
        return bisect_right(self._firsts, key) - 1

    def find(self, key: int) -> tuple[Block, int] | None:
        """Return the block that holds a key and the key's index there, None for an unknown key."""
        number = self.number_of(key)
        if number < 0:
            return None
        block = self.block(number)
        index = block.place_of(key)
        return None if index is None else (block, index)

    def arrays(self, number: int) -> tuple[Words, Bytes]:
        """Return the keys of a block, and the bytes of their values."""
        content = b"".join(self.packed.pieces.content(number))
        count = min(BLOCK_KEYS, len(self) - BLOCK_KEYS * number)
        planes = np.frombuffer(content, np.uint8, 8 * count).reshape(8, count)
        steps = np.ascontiguousarray(planes.T).view("<u8")[:, 0]
        keys = self.packed.firsts[number] + np.cumsum(steps, dtype=np.uint64)
        # The values are copied, because a view of them would keep the packed keys in memory, too.
        return keys, np.frombuffer(content, np.uint8, offset=8 * count).copy()

    def _opened(self, number: int) -> Block:
        return Block.of(*self.arrays(number))


def _view(array: Any) -> memoryview[int]:
    """Return the view of an array that Python reads fastest."""
    return memoryview(array)
