"""Positions of games, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.game import PASS
from plywire.engine.othello.kernels import shipped_board

from .kernels import MOST_MOVES, NO_SQUARE, call


@dataclass(frozen=True, slots=True)
class Positions:
    """Arrays with an entry a position; within a game, in the order of play."""

    own: NDArray[np.uint64]
    """The discs of the player to move."""
    other: NDArray[np.uint64]
    """The discs of the player who waits."""
    score: NDArray[np.int8]
    """The final score in discs, for the player to move."""
    game: NDArray[np.int32]
    """The number of the game."""

    def __len__(self) -> int:
        return len(self.own)

    def empties(self) -> NDArray[np.int64]:
        """Count the empty squares of each position."""
        discs: NDArray[np.uint8] = np.bitwise_count(self.own | self.other)
        return 64 - discs.astype(np.int64)

    def __getitem__(self, chosen: NDArray[Any] | slice) -> Positions:
        """Choose positions by a mask, by places or by a slice."""
        return Positions(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def save(self, path: Path) -> None:
        """Write a file, which appears only when it is whole."""
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
        """Make room for positions."""
        return cls(
            np.zeros(count, np.uint64),
            np.zeros(count, np.uint64),
            np.zeros(count, np.int8),
            np.zeros(count, np.int32),
        )


def concatenate(parts: Sequence[Positions]) -> Positions:
    """Join sets of positions of the same games."""
    return Positions(
        *(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Positions))
    )


def joined(parts: Iterable[Positions]) -> Positions:
    """Join sets of positions of different games, and number all games consecutively."""
    sets = list(parts)
    starts = np.cumsum([0] + [int(part.game.max(initial=-1)) + 1 for part in sets[:-1]])
    return concatenate(
        [
            replace(part, game=part.game + np.int32(start))
            for part, start in zip(sets, starts, strict=True)
        ]
    )


def as_rows(games: Iterable[Iterable[int]]) -> NDArray[np.uint8]:
    """Convert games, given as moves from the start, to rows of squares, which kernels take."""
    squares = (bytes(move for move in moves if move != PASS) for moves in games)
    rows = b"".join(row.ljust(MOST_MOVES, bytes([NO_SQUARE])) for row in squares)
    return np.frombuffer(rows, np.uint8).reshape(-1, MOST_MOVES)


def replay(games: NDArray[np.uint8]) -> Positions:
    """Return the positions of games in which a disc is placed.

    Games with an illegal move and unfinished games are left out.
    """
    rows = blank_rows(len(games))
    return of_rows(rows[: call("replay", *shipped_board(), games, len(games), rows)])


def blank_rows(games: int) -> NDArray[np.int64]:
    """Make room for the positions of games, in the rows that kernels write."""
    return np.zeros((games * MOST_MOVES, len(fields(Positions))), np.int64)


def of_rows(rows: NDArray[np.int64]) -> Positions:
    """Convert rows that kernels wrote."""
    own, other, score, game = rows.T
    return Positions(
        own.astype(np.uint64), other.astype(np.uint64), score.astype(np.int8), game.astype(np.int32)
    )
