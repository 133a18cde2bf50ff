"""The opening book: the exact scores of all positions with few stones.

A position and its mirror image are stored once, under the smaller of their keys. The file is a
NumPy archive: blocks of some thousand positions, sorted by key and compressed one by one, with the
first key of each. So a book is opened at once, however large, and of its blocks only those are
unpacked that are asked for.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.archive import reading
from plywire.engine.connect4.rules import Connect4, Connect4Position

_BLOCK = 4096
#: Unpacked blocks that are kept, each of 36 KiB.
_KEPT_BLOCKS = 64
_SCORE_BIAS = 64


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
    """Exact scores of all positions of one board size with at most `plies` stones.

    Those in which a stone wins at once are not stored: they are told at a glance.
    """

    def __init__(
        self,
        game: Connect4,
        plies: int,
        firsts: NDArray[np.uint64],
        ends: NDArray[np.uint32],
        blocks: NDArray[np.uint8],
        count: int,
    ) -> None:
        """A book of packed blocks: the first key of each, and where in the bytes each ends."""
        self.game = game
        self.plies = plies
        self._count = count
        self._firsts, self._ends, self._blocks = firsts, ends, blocks
        # Python finds its way in this quicker than in an array.
        self._sorted_firsts = _view(firsts)
        self._block = lru_cache(_KEPT_BLOCKS)(self._unpacked)

    @classmethod
    def of(
        cls, game: Connect4, plies: int, keys: NDArray[np.uint64], scores: NDArray[np.int8]
    ) -> Book:
        """The book of the scores that belong to sorted keys."""
        starts = range(0, len(keys), _BLOCK)
        packed = [_packed(keys[at : at + _BLOCK], scores[at : at + _BLOCK]) for at in starts]
        ends = np.cumsum([len(block) for block in packed]).astype(np.uint32)
        blocks = np.frombuffer(b"".join(packed), np.uint8)
        return cls(game, plies, keys[::_BLOCK], ends, blocks, len(keys))

    def __len__(self) -> int:
        """How many positions are stored."""
        return self._count

    def get(self, position: Connect4Position) -> int | None:
        """The score of a position in which the game goes on, None if the book does not know it."""
        stones = (position.own | position.other).bit_count()
        if stones > self.plies:
            return None
        key = book_key(position)
        number = bisect_right(self._sorted_firsts, key) - 1
        if number >= 0:
            keys, scores = self._block(number)
            index = bisect_left(keys, key)
            if index < len(keys) and keys[index] == key:
                return scores[index]
        if any(position.game.has_four(position.own | 1 << move) for move in position.moves()):
            return score_of_win_at_once(position.game, stones)
        return None

    def _unpacked(self, number: int) -> tuple[memoryview[int], memoryview[int]]:
        """The keys and the scores of a block."""
        start = int(self._ends[number - 1]) if number else 0
        content = zlib.decompress(_view(self._blocks[start : self._ends[number]]))
        count = len(content) // 9
        planes = np.frombuffer(content, np.uint8, 8 * count).reshape(8, count)
        steps = np.ascontiguousarray(planes.T).view("<u8")[:, 0]
        scores = np.frombuffer(content, np.uint8, offset=8 * count).astype(np.int8) - _SCORE_BIAS
        return _view(self._firsts[number] + np.cumsum(steps, dtype=np.uint64)), _view(scores)

    def save(self, path: Path) -> None:
        """Write the file."""
        with path.open("wb") as file:
            np.savez(
                file,
                size=np.array([self.game.width, self.game.height, self.plies, self._count]),
                firsts=self._firsts,
                ends=self._ends,
                blocks=self._blocks,
            )

    @classmethod
    def load(cls, file: IO[bytes] | Path) -> Book:
        """Read a file.

        Raises OSError if it cannot be read, ValueError if it is no book or damaged.
        """
        with reading(file, "an opening book") as archive:
            width, height, plies, count = map(int, archive["size"])
            firsts, ends, blocks = archive["firsts"], archive["ends"], archive["blocks"]
            if len(firsts) != len(ends) or ends[-1] != len(blocks):
                raise ValueError("each block has a first key and an end")
            return cls(Connect4(width, height), plies, firsts, ends, blocks, count)


def score_of_win_at_once(game: Connect4, stones: int) -> int:
    """The score of a position with that many stones in which the next completes a four."""
    return (game.width * game.height + 1 - stones) // 2


def _packed(keys: NDArray[np.uint64], scores: NDArray[np.int8]) -> bytes:
    """A block: the steps from key to key, first the lowest bytes of all, and the scores."""
    steps = np.diff(keys, prepend=keys[:1]).astype("<u8")
    planes = np.ascontiguousarray(steps[:, np.newaxis].view(np.uint8).T)
    biased = (scores + np.int16(_SCORE_BIAS)).astype(np.uint8)
    return zlib.compress(planes.tobytes() + biased.tobytes(), 9)


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
