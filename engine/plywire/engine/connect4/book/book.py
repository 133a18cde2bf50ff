"""The opening book: the exact scores of all positions with few stones.

The positions with the most stones are those of the *last ply*. For these, the book may also hold a
move, because it has no scores of the positions that follow. The move keeps the value: a win stays a
win, a draw stays a draw.

Beyond the last ply, the book may hold positions that are hard to search:

* With one stone more, the book has the score or only its sign. If a move takes long to find, the
  book has the move as well.
* With up to four stones more, the book has positions that follow a book move and a reply.

A position and its mirror image are stored once, under the smaller of their keys. The file is a
NumPy archive of blocks; see `blocks.py` and `next_ply.py`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywire.engine.archive import reading
from plywire.engine.connect4.rules import Connect4, Connect4Position

from .before import is_won_at_once, positions_before
from .blocks import Blocks, Bytes, Packed, Pieces
from .keys import Words, book_key, keys_of, stones_of
from .next_ply import SCORE_BIAS, NextPly

#: Number of plies after a book's last ply. The book may hold some positions of these plies.
PLIES_BEYOND = 4
#: Stands for the score of a position that is won in an unknown number of moves.
WON = 127


class Parts(NamedTuple):
    """The packed parts of a file."""

    scores: Packed
    """The scores of all positions up to the last ply, and the columns of moves at that ply."""
    next_ply: Pieces | None
    """The scores and columns of positions with one stone more; older files have none."""
    next_keys: int
    """The number of positions in `next_ply`."""
    hard: Packed
    """The columns of all other positions beyond the last ply; negative for drawn positions."""
    examined: tuple[int, ...]
    """For each ply beyond the last, the key up to which all hard positions are in the book."""
    scored: int


class Book:
    """Exact scores of all positions of one board size with at most `plies` stones.

    Positions in which a stone wins at once are not stored.
    """

    def __init__(self, game: Connect4, plies: int, parts: Parts) -> None:
        self.game = game
        self.plies = plies
        self.parts = parts
        self.scores = Blocks(parts.scores)
        self.hard = Blocks(parts.hard)
        self.next_ply = (
            None if parts.next_ply is None else NextPly(game, plies, self.scores, parts.next_ply)
        )

    def __len__(self) -> int:
        return len(self.scores) + len(self.hard) + self.parts.next_keys

    def get(self, position: Connect4Position) -> int | None:
        """Return the score of a position that is not over, None if it is beyond the last ply."""
        stones = (position.own | position.other).bit_count()
        if stones > self.plies:
            return None
        if found := self.scores.find(book_key(position)):
            block, index = found
            return block.values[index] - SCORE_BIAS
        return score_of_win_at_once(position.game, stones) if is_won_at_once(position) else None

    def get_beyond(self, position: Connect4Position) -> int | None:
        """Return the score of a position beyond the last ply, None if unknown.

        `WON` is returned if only the sign is known and the position is won.
        """
        return self._beyond(position, book_key(position))[0]

    def move(self, position: Connect4Position) -> int | None:
        """Return a move that keeps the value of a position, None if the book has no move for it."""
        return self.entry(position)[1]

    def entry(self, position: Connect4Position) -> tuple[int | None, int | None]:
        """Return the score of a position (or `WON`) and a move; each is None if unknown."""
        key, image = keys_of(position)
        least = min(key, image)
        stones = (position.own | position.other).bit_count()
        if stones > self.plies:
            score, column = self._beyond(position, least)
        else:
            score = self.get(position)
            column = self._column(least) if stones == self.plies else 0
        if column == 0:
            return score, None
        if image < key:
            column = self.game.width + 1 - column
        stride = self.game.height + 1
        return score, next(move for move in position.moves() if move // stride == column - 1)

    def _column(self, key: int) -> int:
        """Return the column of a move at the last ply, counted from 1; 0 if no move is known."""
        found = self.scores.find(key)
        if found is None:
            return 0
        block, index = found
        _, columns = self.scores_and_columns(np.asarray(block.keys), np.asarray(block.values))
        return int(columns[index])

    def _beyond(self, position: Connect4Position, key: int) -> tuple[int | None, int]:
        """Return the score and column of a position beyond the last ply; None and 0 if not held."""
        stones_more = (position.own | position.other).bit_count() - self.plies
        next_ply = self.next_ply if stones_more == 1 else None
        if next_ply is not None and (held := next_ply.find(position, key)):
            return held
        if 1 <= stones_more <= PLIES_BEYOND and (found := self.hard.find(key)):
            block, index = found
            column = block.values.cast("b")[index]
            return (WON if column > 0 else 0), abs(column)
        return None, 0

    def at_least(self, position: Connect4Position) -> int | None:
        """Return a lower bound of the score of a position one ply beyond the book, None if unknown.

        The player who moved last chose this move in a previous position. The known score of such a
        position is an upper bound of what the move is worth to that player.
        """
        if (position.own | position.other).bit_count() != self.plies + 1:
            return None
        scores = map(self.get, positions_before(position))
        return max((-score for score in scores if score is not None), default=None)

    def scores_and_columns(self, keys: Words, values: Bytes) -> tuple[NDArray[np.int8], Bytes]:
        scores = values[: len(keys)].astype(np.int8) - SCORE_BIAS
        columns = np.zeros(len(keys), np.uint8)
        known = values[len(keys) :]
        if known.size:  # without moves, blocks end with the scores
            columns[can_have_move(self.game, self.plies, keys, scores)] = known
        return scores, columns

    @classmethod
    def load(cls, file: IO[bytes] | Path) -> Book:
        """Read a file; raise OSError if it is unreadable, ValueError if it is no book."""
        with reading(file, "an opening book") as archive:
            width, height, plies = map(int, archive["size"])
            # Older files lack some or all of these keys; a missing key is 0.
            examined = np.zeros(PLIES_BEYOND, np.uint64)
            examined[: archive["examined"].size] = archive["examined"]
            has_next = "next_keys" in archive
            parts = Parts(
                Packed.read(archive, ""),
                Pieces.read(archive, "next_") if has_next else None,
                int(archive["next_keys"]) if has_next else 0,
                Packed.read(archive, "hard_"),
                tuple(map(int, examined)),
                int(archive["scored"]) if has_next else 0,
            )
            return cls(Connect4(width, height), plies, parts)


def score_of_win_at_once(game: Connect4, stones: int) -> int:
    """Return the score of a position with `stones` stones in which the next one wins."""
    return (game.width * game.height + 1 - stones) // 2


def can_have_move(
    game: Connect4, plies: int, keys: Words, scores: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Return which positions can have a move in a book: those of the last ply that are not lost."""
    is_last: NDArray[np.bool_] = np.bitwise_count(stones_of(game, keys)) == plies
    return is_last & (scores >= 0) & (plies < game.width * game.height)


@cache
def shipped_book(width: int, height: int) -> Book | None:
    """Return the book that the package ships for a board size, None if there is none."""
    file = resources.files(__package__) / f"book-{width}x{height}.npz"
    if not file.is_file():
        return None
    with file.open("rb") as opened:
        return Book.load(opened)
