"""Values by sorted keys, packed in blocks.

A block holds some thousand keys, compressed with what belongs to them, and lies where its first key
tells. So a file of blocks is opened at once, however large, and of its blocks only those are
unpacked that are asked for.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_BLOCK = 12_288
#: Unpacked blocks that are kept, each of some 120 KiB.
_KEPT_BLOCKS = 64

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]


class Packed(NamedTuple):
    """What a file holds: each block's first key, where it ends among the bytes, and these."""

    firsts: Words
    ends: NDArray[np.uint32]
    blocks: NDArray[np.uint8]
    keys: NDArray[np.int64]
    """How many keys there are."""

    @classmethod
    def of(cls, keys: Words, values: Callable[[slice], bytes]) -> Packed:
        """Pack sorted keys with the bytes of the values of those in a slice."""
        blocks = []
        for start in range(0, len(keys), _BLOCK):
            part = slice(start, start + _BLOCK)
            # The lowest bytes of all steps from key to key, then the next ones: so they repeat.
            steps = np.diff(keys[part], prepend=keys[start]).astype("<u8")
            planes = np.ascontiguousarray(steps[:, np.newaxis].view(np.uint8).T)
            blocks.append(zlib.compress(planes.tobytes() + values(part), 9))
        return cls(
            keys[::_BLOCK],
            np.cumsum([len(block) for block in blocks]).astype(np.uint32),
            np.frombuffer(b"".join(blocks), np.uint8),
            np.array(len(keys), np.int64),
        )

    @classmethod
    def read(cls, archive: Mapping[str, Any], prefix: str) -> Packed:
        """From the arrays of a file whose names begin so.

        Raises KeyError if one lacks, ValueError if they do not belong together.
        """
        packed = cls(*(archive[prefix + name] for name in cls._fields))
        if len(packed.firsts) != len(packed.ends) or packed.ends[-1:].sum() != len(packed.blocks):
            raise ValueError("each block has a first key and an end")
        return packed

    def named(self, prefix: str) -> dict[str, NDArray[Any]]:
        """The arrays by their names in a file."""
        return {prefix + name: array for name, array in self._asdict().items()}


class Block(NamedTuple):
    """Unpacked keys, and the bytes of their values."""

    keys: memoryview[int]
    """Of 64 bits, in order."""
    values: memoryview[int]


class Blocks:
    """Finds keys and their values."""

    def __init__(self, packed: Packed) -> None:
        """Of packed blocks."""
        self.packed = packed
        # Python finds its way in this quicker than in an array.
        self._firsts = _view(packed.firsts)
        self._block = lru_cache(_KEPT_BLOCKS)(self._opened)

    def __len__(self) -> int:
        """How many keys there are."""
        return int(self.packed.keys)

    def find(self, key: int) -> tuple[Block, int] | None:
        """The block that holds a key, and the key's number in it; None if it is not there."""
        number = bisect_right(self._firsts, key) - 1
        if number >= 0:
            block = self._block(number)
            index = bisect_left(block.keys, key)
            if index < len(block.keys) and block.keys[index] == key:
                return block, index
        return None

    def content(self) -> Iterator[tuple[Words, Bytes]]:
        """The keys of each block, and the bytes of their values; at least one block."""
        yield np.zeros(0, np.uint64), np.zeros(0, np.uint8)
        yield from map(self._arrays, range(len(self._firsts)))

    def _opened(self, number: int) -> Block:
        return Block(*map(_view, self._arrays(number)))

    def _arrays(self, number: int) -> tuple[Words, Bytes]:
        ends = self.packed.ends
        start = int(ends[number - 1]) if number else 0
        content = zlib.decompress(_view(self.packed.blocks[start : ends[number]]))
        count = min(_BLOCK, len(self) - _BLOCK * number)
        planes = np.frombuffer(content, np.uint8, 8 * count).reshape(8, count)
        steps = np.ascontiguousarray(planes.T).view("<u8")[:, 0]
        keys = self.packed.firsts[number] + np.cumsum(steps, dtype=np.uint64)
        # A copy, which does not keep the packed keys in memory.
        return keys, np.frombuffer(content, np.uint8, offset=8 * count).copy()


def _view(array: Any) -> memoryview[int]:
    return memoryview(array)
