"""The opening book: the exact scores of all positions with few stones.

A position and its mirror image are stored once, under the smaller of their keys. The file is a
NumPy archive: the differences of the sorted keys and the scores, compressed.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.rules import Connect4, Connect4Position

_SCORE_BIAS = 64
#: What reading an archive raises where bytes of it are wrong.
_DAMAGED = (
    BadZipFile,
    EOFError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


def book_key(position: Connect4Position) -> int:
    """A number that a position shares with its mirror image and with nothing else.

    The player's stones added to all stones leave, in each column, a number of stride bits that says
    how many stones there are and whose (John Tromp).
    """
    stride = position.game.height + 1
    key = position.own + (position.own | position.other)
    column = (1 << stride) - 1
    image, rest = 0, key
    for _ in range(position.game.width):
        image = image << stride | rest & column
        rest >>= stride
    return min(key, image)


class Book:
    """Exact scores of all positions of one board size with at most `plies` stones."""

    def __init__(
        self, game: Connect4, plies: int, keys: NDArray[np.uint64], scores: NDArray[np.int8]
    ) -> None:
        """A book of the scores that belong to sorted keys."""
        self.game = game
        self.plies = plies
        # Python finds its way in these quicker than in arrays.
        self._keys = _view(keys)
        self._scores = _view(scores)

    def __len__(self) -> int:
        """How many positions the book holds."""
        return len(self._keys)

    def get(self, position: Connect4Position) -> int | None:
        """The score of a position, None if the book does not hold it."""
        if (position.own | position.other).bit_count() > self.plies:
            return None
        key = book_key(position)
        index = bisect_left(self._keys, key)
        if index == len(self._keys) or self._keys[index] != key:
            return None
        return self._scores[index]

    def save(self, path: Path) -> None:
        """Write the file."""
        keys = np.asarray(self._keys, np.uint64)
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                size=np.array([self.game.width, self.game.height, self.plies], np.int8),
                steps=np.diff(keys, prepend=np.uint64(0)),
                scores=(np.asarray(self._scores) + _SCORE_BIAS).astype(np.uint8),
            )

    @classmethod
    def load(cls, file: IO[bytes] | Path) -> Book:
        """Read a file.

        Raises OSError if it cannot be read, ValueError if it is no book or damaged.
        """
        if isinstance(file, Path):
            with file.open("rb") as opened:  # NumPy forgets to close what it cannot read
                return cls.load(opened)
        try:
            with np.load(file, allow_pickle=False) as archive:
                width, height, plies = map(int, archive["size"])
                keys = np.cumsum(archive["steps"], dtype=np.uint64)
                scores = (archive["scores"].astype(np.int16) - _SCORE_BIAS).astype(np.int8)
            if keys.shape != scores.shape:
                raise ValueError("as many scores as positions are needed")
            return cls(Connect4(width, height), plies, keys, scores)
        except _DAMAGED as error:
            raise ValueError("not an opening book, or a damaged one") from error


def _view(array: Any) -> memoryview[int]:
    return memoryview(array)


@cache
def shipped_book(width: int, height: int) -> Book | None:
    """The book that comes with the package, None if there is none of that size."""
    file = resources.files(__package__) / f"book-{width}x{height}.npz"
    if not file.is_file():
        return None
    with file.open("rb") as opened:
        return Book.load(opened)
