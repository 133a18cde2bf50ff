"""The opening book: values of positions early in the game, stored once for all eight symmetries.

The value of a position is that of its best move, even if the move leads out of the book. So the
book knows whether its own moves are good enough. It has no values of other moves.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from plywire.engine.analysis import AnalysisLine, EngineScore
from plywire.engine.archive import reading
from plywire.engine.othello.rules import Othello, OthelloPosition

from .symmetry import canonical

if TYPE_CHECKING:
    from random import Random

#: The book plays moves that are worth at most this much less than the best one, in hundredths of a
#: disc.
MARGIN = 100

_GAME = Othello()

Key = tuple[int, int]
"""The two words of the least image of a position."""


def key(position: OthelloPosition) -> Key:
    """Return the key of a position, which only its images share."""
    return canonical(position.own, position.other)


def plies(key: Key) -> int:
    """Return the number of discs that were placed to reach a position."""
    return sum(word.bit_count() for word in key) - 4


def position_of(key: Key) -> OthelloPosition:
    """Return the position of a key, with the player to move after a game without passes."""
    return OthelloPosition(_GAME, *key, plies(key) % 2)


START = key(_GAME.start())


class _Packed(Mapping[Key, int]):
    """Values by sorted keys, in a tenth of the memory of a dict."""

    def __init__(self, own: array[int], other: array[int], values: array[int]) -> None:
        self._own = own
        self._other = other
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Key]:
        return zip(self._own, self._other, strict=True)

    def __getitem__(self, key: Key) -> int:
        place = bisect_left(range(len(self)), key, key=self._key)
        if place == len(self) or self._key(place) != key:
            raise KeyError(key)
        return self._values[place]

    def _key(self, place: int) -> Key:
        return self._own[place], self._other[place]


class Book:
    """Values of opening positions, for the player to move, in hundredths of a disc."""

    def __init__(self, values: Mapping[Key, int], depth: int) -> None:
        self.game = _GAME
        self._values = values
        self._plies = max(map(plies, values), default=-1)
        self.depth = depth

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._values)

    def __getitem__(self, key: Key) -> int:
        return self._values[key]

    def get(self, position: OthelloPosition) -> int | None:
        if plies(position.words()) > self._plies:  # saves computing the key
            return None
        return self._values.get(key(position))

    def moves(self, position: OthelloPosition) -> dict[int, int]:
        """Return the moves that lead to positions of the book, with their values."""
        known = ((move, self.get(position.play(move))) for move in position.moves())
        return {move: -value for move, value in known if value is not None}

    def near_best(self, position: OthelloPosition) -> dict[int, int]:
        """Return the moves that are worth at most `MARGIN` less than the best one."""
        best = self.get(position)
        if best is None:
            return {}
        known = self.moves(position).items()
        return {move: value for move, value in known if value >= best - MARGIN}

    def line(self, position: OthelloPosition, chance: Random) -> AnalysisLine | None:
        """Return a random move near the best, and the book's continuation; None without a move."""
        choices = self.near_best(position)
        if not choices:
            return None
        move = chance.choice(list(choices))
        score = EngineScore("cp", choices[move])
        moves = [move]
        position = position.play(move)
        while choices := self.near_best(position):
            moves.append(max(choices, key=choices.__getitem__))
            position = position.play(moves[-1])
        return AnalysisLine(self.depth, score, 0, 0, 0, 1, tuple(moves))

    def save(self, path: Path) -> None:
        keys = sorted(self._values)
        # NumPy gets an open file, because it would append its own ending to a name.
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                depth=np.array(self.depth),
                words=np.array(keys, "<u8").reshape(-1, 2).view(np.uint8).T,
                values=np.array([self._values[key] for key in keys], np.int16),
            )

    @classmethod
    def load(cls, file: IO[bytes] | Path) -> Book:
        """Read a file; raise OSError if it is unreadable, ValueError if it is no book."""
        with reading(file, "an opening book") as archive:
            words, values = archive["words"], archive["values"]
            own, other = np.ascontiguousarray(words.T).view("<u8").reshape(len(values), 2).T
            order = np.lexsort((other, own))
            packed = _Packed(
                array("Q", own[order].astype(np.uint64).tobytes()),
                array("Q", other[order].astype(np.uint64).tobytes()),
                array("h", values[order].astype(np.int16).tobytes()),
            )
            return cls(packed, int(archive["depth"]))


@cache
def shipped_book() -> Book | None:
    """Return the book that comes with the package, None if it was left out."""
    file = resources.files(__package__) / "book.npz"
    if not file.is_file():
        return None
    with file.open("rb") as opened:
        return Book.load(opened)
