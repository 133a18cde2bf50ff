"""The opening book: the exact scores of all positions with few stones.

With as many stones as the book goes, it may have a move as well: nobody tells there what the moves
are worth. It keeps the value, that is, does not make a draw or a loss of a win, nor a loss of a
draw.

A position and its mirror image are stored once, under the smaller of their keys. The file is a
NumPy archive: blocks of some thousand positions, sorted by key and compressed one by one, with the
first key of each. So a book is opened at once, however large, and of its blocks only those are
unpacked that are asked for.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywire.engine.archive import reading
from plywire.engine.connect4.rules import Connect4, Connect4Position

_BLOCK = 4096
#: Unpacked blocks that are kept, each of 40 KiB.
_KEPT_BLOCKS = 64
_SCORE_BIAS = 64


Words = NDArray[np.uint64]


def book_key(position: Connect4Position) -> int:
    """A number that a position shares with its mirror image and with nothing else.

    The player's stones added to all stones leave, in each column, a number of stride bits that says
    how many stones there are and whose (John Tromp).
    """
    return min(_keys(position))


def _keys(position: Connect4Position) -> tuple[int, int]:
    """The position's own key and that of its mirror image."""
    stride = position.game.height + 1
    key = position.own + (position.own | position.other)
    column = (1 << stride) - 1
    image, rest = 0, key
    for _ in range(position.game.width):
        image = image << stride | rest & column
        rest >>= stride
    return key, image


def stones_of(game: Connect4, keys: Words) -> Words:
    """All stones of the positions that have those keys.

    With 1 added to each column of a key, its highest bit stands on the first empty square.
    """
    full = np.uint64(game.full)
    reached = keys + np.uint64(game.bottom)
    for _ in range(game.height):
        reached |= reached >> np.uint64(1) & full
    return reached >> np.uint64(1) & full


class _Block(NamedTuple):
    """An unpacked block: for each position its key, its score, and a column from 1, or 0."""

    keys: memoryview[int]
    scores: memoryview[int]
    columns: memoryview[int]


class Book:
    """Exact scores of all positions of one board size with at most `plies` stones.

    Those in which a stone wins at once are not stored: they are told at a glance.
    """

    def __init__(
        self,
        game: Connect4,
        plies: int,
        firsts: Words,
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
        cls,
        game: Connect4,
        plies: int,
        keys: Words,
        scores: NDArray[np.int8],
        columns: NDArray[np.uint8] | None = None,
    ) -> Book:
        """The book of the scores that belong to sorted keys.

        `columns` are, counted from 1, those of moves that keep the value, in the positions that
        have the keys and not in their mirror images. Of them count those of the last ply where the
        game is not lost; 0 is a move that is not known.
        """
        nothing = np.zeros(0, np.uint8)
        packed = []
        for start in range(0, len(keys), _BLOCK):
            part = slice(start, start + _BLOCK)
            known = nothing
            if columns is not None:
                known = columns[part][can_have_move(game, plies, keys[part], scores[part])]
            packed.append(_packed(keys[part], scores[part], known))
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
        found = self._find(book_key(position))
        if found is not None:
            block, index = found
            return block.scores[index]
        if any(position.game.has_four(position.own | 1 << move) for move in position.moves()):
            return score_of_win_at_once(position.game, stones)
        return None

    def move(self, position: Connect4Position) -> int | None:
        """A move that keeps the value of a position, None if the book has none for it."""
        if (position.own | position.other).bit_count() != self.plies:
            return None
        key, image = _keys(position)
        found = self._find(min(key, image))
        column = 0 if found is None else found[0].columns[found[1]]
        if column == 0:
            return None
        if image < key:
            column = self.game.width + 1 - column
        stride = self.game.height + 1
        return next(move for move in position.moves() if move // stride == column - 1)

    def at_least(self, position: Connect4Position) -> int | None:
        """A lower bound of the score of a position with one stone more than the book goes.

        The other side can have come to it from any position that lacks one of the topmost stones,
        if it is its own; none of these is worth less to that side than this move. None if the book
        knows none.
        """
        taken = position.own | position.other
        if taken.bit_count() != self.plies + 1:
            return None
        stride = self.game.height + 1
        tops = (taken + self.game.bottom & ~taken) >> 1 & position.other
        known = []
        for column in range(self.game.width):
            top = tops & (1 << stride) - 1 << stride * column
            if top:
                before = replace(
                    position, own=position.other ^ top, other=position.own, turn=1 - position.turn
                )
                score = self.get(before)
                if score is not None:
                    known.append(-score)
        return max(known, default=None)

    def content(self) -> tuple[Words, NDArray[np.int8], NDArray[np.uint8]]:
        """The keys, scores and columns of all positions, as `of` takes them."""
        blocks = [self._unpacked(number) for number in range(len(self._firsts))]
        keys, scores, columns = (
            np.concatenate([np.asarray(plane) for plane in planes])
            for planes in zip(*blocks, strict=True)
        )
        return keys, scores, columns

    def _find(self, key: int) -> tuple[_Block, int] | None:
        """The block that holds a key, and where in it."""
        number = bisect_right(self._sorted_firsts, key) - 1
        if number >= 0:
            block = self._block(number)
            index = bisect_left(block.keys, key)
            if index < len(block.keys) and block.keys[index] == key:
                return block, index
        return None

    def _unpacked(self, number: int) -> _Block:
        start = int(self._ends[number - 1]) if number else 0
        content = zlib.decompress(_view(self._blocks[start : self._ends[number]]))
        count = min(_BLOCK, self._count - _BLOCK * number)
        planes = np.frombuffer(content, np.uint8, 8 * count).reshape(8, count)
        steps = np.ascontiguousarray(planes.T).view("<u8")[:, 0]
        keys = self._firsts[number] + np.cumsum(steps, dtype=np.uint64)
        biased = np.frombuffer(content, np.uint8, count, 8 * count)
        scores = biased.astype(np.int8) - _SCORE_BIAS
        columns = np.zeros(count, np.uint8)
        known = np.frombuffer(content, np.uint8, offset=9 * count)
        if known.size:  # a book without moves ends its blocks with the scores
            columns[can_have_move(self.game, self.plies, keys, scores)] = known
        return _Block(_view(keys), _view(scores), _view(columns))

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


def can_have_move(
    game: Connect4, plies: int, keys: Words, scores: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Which positions have a move where it is known: those of the last ply that are not lost."""
    is_last: NDArray[np.bool_] = np.bitwise_count(stones_of(game, keys)) == plies
    return is_last & (scores >= 0) & (plies < game.width * game.height)


def _packed(keys: Words, scores: NDArray[np.int8], columns: NDArray[np.uint8]) -> bytes:
    """A block: the steps from key to key, first the lowest bytes of all, scores and columns."""
    steps = np.diff(keys, prepend=keys[:1]).astype("<u8")
    planes = np.ascontiguousarray(steps[:, np.newaxis].view(np.uint8).T)
    biased = (scores + np.int16(_SCORE_BIAS)).astype(np.uint8)
    return zlib.compress(planes.tobytes() + biased.tobytes() + columns.tobytes(), 9)


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
