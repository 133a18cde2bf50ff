"""Values by sorted keys, packed in blocks.

A block holds some thousand keys, compressed with what belongs to them, and lies where its first key
tells. So a file of blocks is opened at once, however large, and of its blocks only those are
unpacked that are asked for.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_BLOCK = 12_288
#: Unpacked blocks that are kept, each of some 120 KiB.
_KEPT_BLOCKS = 64

Words = NDArray[np.uint64]
#: Makes the values of keys of their bytes: an array of as many for each kind of value.
Unpack = Callable[[Words, NDArray[np.uint8]], tuple[NDArray[Any], ...]]


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


class _Block(NamedTuple):
    keys: memoryview[int]
    values: tuple[memoryview[int], ...]


class Blocks:
    """Finds the values of keys."""

    def __init__(self, packed: Packed, unpack: Unpack) -> None:
        """Of packed blocks whose values that function unpacks."""
        self.packed = packed
        self._unpack = unpack
        # Python finds its way in this quicker than in an array.
        self._firsts = _view(packed.firsts)
        self._block = lru_cache(_KEPT_BLOCKS)(self._opened)

    def __len__(self) -> int:
        """How many keys there are."""
        return int(self.packed.keys)

    def get(self, key: int) -> tuple[int, ...] | None:
        """The values of a key, None if it is not there."""
        number = bisect_right(self._firsts, key) - 1
        if number >= 0:
            block = self._block(number)
            index = bisect_left(block.keys, key)
            if index < len(block.keys) and block.keys[index] == key:
                return tuple(values[index] for values in block.values)
        return None

    def content(self) -> tuple[NDArray[Any], ...]:
        """All keys, and the arrays of their values."""
        blocks = [self._arrays(number) for number in range(len(self._firsts))]
        if not blocks:
            nothing = np.zeros(0, np.uint64)
            return nothing, *self._unpack(nothing, np.zeros(0, np.uint8))
        return tuple(np.concatenate(arrays) for arrays in zip(*blocks, strict=True))

    def _opened(self, number: int) -> _Block:
        keys, *values = self._arrays(number)
        return _Block(_view(keys), tuple(map(_view, values)))

    def _arrays(self, number: int) -> tuple[NDArray[Any], ...]:
        ends = self.packed.ends
        start = int(ends[number - 1]) if number else 0
        content = zlib.decompress(_view(self.packed.blocks[start : ends[number]]))
        count = min(_BLOCK, len(self) - _BLOCK * number)
        planes = np.frombuffer(content, np.uint8, 8 * count).reshape(8, count)
        steps = np.ascontiguousarray(planes.T).view("<u8")[:, 0]
        keys = self.packed.firsts[number] + np.cumsum(steps, dtype=np.uint64)
        return keys, *self._unpack(keys, np.frombuffer(content, np.uint8, offset=8 * count))


def _view(array: Any) -> memoryview[int]:
    return memoryview(array)
