"""The opening book: the exact scores of all positions with few stones.

With as many stones as the book goes, it may have a move as well: nobody tells there what the moves
are worth. It keeps the value, that is, does not make a draw or a loss of a win, nor a loss of a
draw. Of positions with one stone more, those may be held that are hard to search, unless they are
lost, each with a move and the sign of its score; so may hard ones that follow the book's moves and
a reply, with up to four stones more.

A position and its mirror image are stored once, under the smaller of their keys. The file is a
NumPy archive of two sets of blocks, see `blocks.py`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywire.engine.archive import reading
from plywire.engine.connect4.rules import Connect4, Connect4Position

from .blocks import Blocks, Bytes, Packed, Words

_SCORE_BIAS = 64
#: A key beyond all others.
ALL_KEYS = (1 << 64) - 1
#: Hard positions are held that have up to so many stones more than a book goes.
HARD_PLIES = 4


def book_key(position: Connect4Position) -> int:
    """A number that a position shares with its mirror image and with nothing else.

    The player's stones added to all stones leave, in each column, a number of stride bits that says
    how many stones there are and whose (John Tromp).
    """
    return min(keys_of(position))


def keys_of(position: Connect4Position) -> tuple[int, int]:
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


def sides_of(game: Connect4, keys: Words) -> tuple[Words, Words]:
    """The stones of the side to move, and of the other, in the positions that have those keys."""
    taken = stones_of(game, keys)
    own = keys - taken
    return own, taken ^ own


class Hard(NamedTuple):
    """Positions with a few stones more than a book goes that are hard to search and not lost."""

    keys: Words
    """In order."""
    columns: NDArray[np.int8]
    """Counted from 1, those of winning moves, or less those of moves that draw, where none wins."""
    examined: tuple[int, ...]
    """For one stone more, two and so on: below this key, all that the book can hold are there."""

    @classmethod
    def none(cls) -> Hard:
        """Before any is found."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.int8), (0,) * HARD_PLIES)

    def and_(self, keys: Words, columns: NDArray[np.int8], beyond: int, examined: int) -> Hard:
        """With more, of that many stones beyond the book's end, which are examined up to a key."""
        all_keys = np.concatenate((self.keys, keys))
        order = np.argsort(all_keys)
        up_to = list(self.examined)
        up_to[beyond - 1] = examined
        return Hard(all_keys[order], np.concatenate((self.columns, columns))[order], tuple(up_to))


class Book:
    """Exact scores of all positions of one board size with at most `plies` stones.

    Those in which a stone wins at once are not stored: they are told at a glance.
    """

    def __init__(
        self, game: Connect4, plies: int, scores: Packed, hard: Packed, examined: tuple[int, ...]
    ) -> None:
        """A book of packed scores and columns, and of packed columns of hard positions."""
        self.game = game
        self.plies = plies
        self._examined = examined
        self._scores = Blocks(scores)
        self._hard = Blocks(hard)

    @classmethod
    def of(
        cls,
        game: Connect4,
        plies: int,
        keys: Words,
        scores: NDArray[np.int8],
        columns: NDArray[np.uint8] | None = None,
        hard: Hard | None = None,
    ) -> Book:
        """The book of the scores that belong to sorted keys.

        `columns` are, counted from 1, those of moves that keep the value, in the positions that
        have the keys and not in their mirror images. Of them count those of the last ply where the
        game is not lost; 0 is a move that is not known.
        """
        biased = (scores + np.int16(_SCORE_BIAS)).astype(np.uint8)

        def values(part: slice) -> bytes:
            told = biased[part].tobytes()
            if columns is not None:
                where = can_have_move(game, plies, keys[part], scores[part])
                told += columns[part][where].tobytes()
            return told

        hard = hard or Hard.none()
        packed_hard = Packed.of(hard.keys, lambda part: hard.columns[part].tobytes())
        return cls(game, plies, Packed.of(keys, values), packed_hard, hard.examined)

    def __len__(self) -> int:
        """How many positions are stored."""
        return len(self._scores) + len(self._hard)

    def get(self, position: Connect4Position) -> int | None:
        """The score of a position in which the game goes on, None if the book does not know it."""
        stones = (position.own | position.other).bit_count()
        if stones > self.plies:
            return None
        if found := self._scores.find(book_key(position)):
            block, index = found
            return block.values[index] - _SCORE_BIAS
        if any(position.game.has_four(position.own | 1 << move) for move in position.moves()):
            return score_of_win_at_once(position.game, stones)
        return None

    def sign(self, position: Connect4Position) -> int | None:
        """Of a hard position, 1 if it is won, 0 if drawn; None if the book does not hold it."""
        column = self._hard_column(position, book_key(position))
        return None if column == 0 else int(column > 0)

    def move(self, position: Connect4Position) -> int | None:
        """A move that keeps the value of a position, None if the book has none for it."""
        key, image = keys_of(position)
        column = self._column(position, min(key, image))
        if column == 0:
            return None
        if image < key:
            column = self.game.width + 1 - column
        stride = self.game.height + 1
        return next(move for move in position.moves() if move // stride == column - 1)

    def _column(self, position: Connect4Position, key: int) -> int:
        """Counted from 1, the column of a move in the position of that key, 0 if none is known."""
        stones = (position.own | position.other).bit_count()
        if stones == self.plies and (found := self._scores.find(key)):
            block, index = found
            _, columns = self._scores_and_columns(np.asarray(block.keys), np.asarray(block.values))
            return int(columns[index])
        return abs(self._hard_column(position, key))

    def _hard_column(self, position: Connect4Position, key: int) -> int:
        """The column in the position of that key as `Hard` has it, 0 if it is not there."""
        beyond = (position.own | position.other).bit_count() - self.plies
        if 1 <= beyond <= HARD_PLIES and (found := self._hard.find(key)):
            block, index = found
            return block.values.cast("b")[index]
        return 0

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
        """The keys, scores and columns of all positions but the hard ones, as `of` takes them."""
        keys, scores, columns = zip(
            *(
                (keys, *self._scores_and_columns(keys, values))
                for keys, values in self._scores.content()
            ),
            strict=True,
        )
        return np.concatenate(keys), np.concatenate(scores), np.concatenate(columns)

    def hard(self) -> Hard:
        """The hard positions."""
        keys, columns = map(np.concatenate, zip(*self._hard.content(), strict=True))
        return Hard(keys, columns.view(np.int8), self._examined)

    def _scores_and_columns(self, keys: Words, values: Bytes) -> tuple[NDArray[np.int8], Bytes]:
        """The scores and columns of the positions of a block."""
        scores = values[: len(keys)].astype(np.int8) - _SCORE_BIAS
        columns = np.zeros(len(keys), np.uint8)
        known = values[len(keys) :]
        if known.size:  # a book without moves ends its blocks with the scores
            columns[can_have_move(self.game, self.plies, keys, scores)] = known
        return scores, columns

    def save(self, path: Path) -> None:
        """Write the file."""
        with path.open("wb") as file:
            arrays = {
                "size": np.array([self.game.width, self.game.height, self.plies]),
                "examined": np.array(self._examined, np.uint64),
                **self._scores.packed.named(""),
                **self._hard.packed.named("hard_"),
            }
            np.savez(file, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, file: IO[bytes] | Path) -> Book:
        """Read a file.

        Raises OSError if it cannot be read, ValueError if it is no book or damaged.
        """
        with reading(file, "an opening book") as archive:
            width, height, plies = map(int, archive["size"])
            scores, hard = Packed.read(archive, ""), Packed.read(archive, "hard_")
            # A file of before there were hard positions with more than one stone more has one key.
            examined = np.zeros(HARD_PLIES, np.uint64)
            examined[: archive["examined"].size] = archive["examined"]
            return cls(Connect4(width, height), plies, scores, hard, tuple(map(int, examined)))


def score_of_win_at_once(game: Connect4, stones: int) -> int:
    """The score of a position with that many stones in which the next completes a four."""
    return (game.width * game.height + 1 - stones) // 2


def can_have_move(
    game: Connect4, plies: int, keys: Words, scores: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Which positions have a move where it is known: those of the last ply that are not lost."""
    is_last: NDArray[np.bool_] = np.bitwise_count(stones_of(game, keys)) == plies
    return is_last & (scores >= 0) & (plies < game.width * game.height)


@cache
def shipped_book(width: int, height: int) -> Book | None:
    """The book that comes with the package, None if there is none of that size."""
    file = resources.files(__package__) / f"book-{width}x{height}.npz"
    if not file.is_file():
        return None
    with file.open("rb") as opened:
        return Book.load(opened)
