"""Games as move strings, and the positions that occur in them."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.kernels import shipped_board

from .kernels import MOST_MOVES, NO_SQUARE, call

_GAME = re.compile(r"((?:[a-h][1-8])+)\s*([+-]?\d+)?", re.IGNORECASE)


class GamesError(ValueError):
    """A file of games that cannot be read; the text says which line and why."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Many positions, each a place in all arrays; in the order of play within a game."""

    own: NDArray[np.uint64]
    """The discs of the player to move."""
    other: NDArray[np.uint64]
    """The discs of the player who waits."""
    score: NDArray[np.int8]
    """How the game ended, in discs, for the player to move."""
    game: NDArray[np.int32]
    """The number of the game."""

    def __len__(self) -> int:
        """How many there are."""
        return len(self.own)

    def empties(self) -> NDArray[np.int64]:
        """The number of empty squares of each."""
        discs: NDArray[np.uint8] = np.bitwise_count(self.own | self.other)
        return 64 - discs.astype(np.int64)

    def __getitem__(self, chosen: NDArray[Any] | slice) -> Positions:
        """Those chosen by a mask, by their places or by a slice."""
        return Positions(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def save(self, path: Path) -> None:
        """Write them to a file; it appears only when it is whole."""
        unfinished = path.with_suffix(".part.npz")
        np.savez_compressed(unfinished, **{f.name: getattr(self, f.name) for f in fields(self)})
        unfinished.replace(path)

    @classmethod
    def load(cls, path: Path) -> Positions:
        """Read a file that `save` wrote."""
        with np.load(path) as arrays:
            return cls(*(arrays[field.name] for field in fields(cls)))

    @classmethod
    def blank(cls, count: int) -> Positions:
        """Presence for that many."""
        return cls(
            np.zeros(count, np.uint64),
            np.zeros(count, np.uint64),
            np.zeros(count, np.int8),
            np.zeros(count, np.int32),
        )


def concatenate(parts: Sequence[Positions]) -> Positions:
    """Several sets of positions of the same games as one."""
    return Positions(
        *(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Positions))
    )


def joined(parts: Iterable[Positions]) -> Positions:
    """Several sets of positions as one; games are numbered on."""
    sets = list(parts)
    starts = np.cumsum([0] + [int(part.game.max(initial=-1)) + 1 for part in sets[:-1]])
    return concatenate(
        [
            replace(part, game=part.game + np.int32(start))
            for part, start in zip(sets, starts, strict=True)
        ]
    )


def read_games(path: Path) -> NDArray[np.uint8]:
    """The games of a text file, packed by xz or not: a row a game, a square a move.

    A line is a move string without passes, such as `f5d6c3`; what follows after a space, as the
    final score, is not used. Empty lines and those with `#` first are skipped.

    Raises GamesError if a line is no move string, and OSError.
    """
    rows = [_squares(text, number, path) for number, text in _lines(path)]
    if not rows:
        raise GamesError(f"{path}: no game found, one move string a line is expected")
    games = np.full((len(rows), MOST_MOVES), NO_SQUARE, np.uint8)
    for row, squares in zip(games, rows, strict=True):
        row[: len(squares)] = squares
    return games


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    opened: Any = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if (text := line.strip()) and not text.startswith("#"):
                yield number, text


def _squares(text: str, number: int, path: Path) -> NDArray[np.uint8]:
    match = _GAME.fullmatch(text)
    if not match or len(match[1]) > 2 * MOST_MOVES:
        raise GamesError(
            f"{path}, line {number}: expected at most {MOST_MOVES} squares such as f5d6c3"
        )
    codes = np.frombuffer(match[1].lower().encode(), np.uint8)
    squares: NDArray[np.uint8] = codes[0::2] - ord("a") + 8 * (codes[1::2] - ord("1"))
    return squares


def replay(games: NDArray[np.uint8]) -> Positions:
    """The positions of games in which a move is made.

    Games with an illegal move and games that break off before the end have none.
    """
    rows = blank_rows(len(games))
    return of_rows(rows[: call("replay", *shipped_board(), games, len(games), rows)])


def blank_rows(games: int) -> NDArray[np.int64]:
    """Presence for the positions of that many games, as kernels write them."""
    return np.zeros((games * MOST_MOVES, len(fields(Positions))), np.int64)


def of_rows(rows: NDArray[np.int64]) -> Positions:
    """The positions that kernels wrote."""
    own, other, score, game = rows.T
    return Positions(
        own.astype(np.uint64), other.astype(np.uint64), score.astype(np.int8), game.astype(np.int32)
    )
