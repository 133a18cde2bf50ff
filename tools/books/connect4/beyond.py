"""Positions a few stones beyond a book's last ply, which are hard to search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.book import PLIES_BEYOND
from plywire.engine.connect4.book.keys import ALL_KEYS, Words


class Beyond(NamedTuple):
    """Positions beyond a book's last ply, their scores, and moves that keep their value."""

    keys: Words
    """Keys in ascending order."""
    scores: NDArray[np.int8]
    """Scores for the player to move; `WON` if only the win is known."""
    columns: NDArray[np.uint8]
    """The columns of moves that keep the value, counted from 1; 0 if no such move is known."""
    examined: tuple[int, ...] = (0,) * PLIES_BEYOND
    """A key for each number of additional stones. Below this key, all positions are here that are
    hard to play and not lost."""
    scored: int = 0
    """A key. Below this key, all positions with one additional stone are here whose scores are hard
    to find."""

    @classmethod
    def none(cls) -> Beyond:
        """Return an object without positions."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.int8), np.zeros(0, np.uint8))

    @property
    def lacks(self) -> int | None:
        """The least number of additional stones with positions left to examine, None if none."""
        return next((n for n, key in enumerate(self.examined, 1) if key < ALL_KEYS), None)

    def only(self, wanted: NDArray[np.bool_]) -> Beyond:
        """Return the positions that a mask selects."""
        return self._replace(
            keys=self.keys[wanted], scores=self.scores[wanted], columns=self.columns[wanted]
        )

    def and_(self, other: Beyond) -> Beyond:
        """Return these positions and other, different positions."""
        keys = np.concatenate((self.keys, other.keys))
        order = np.argsort(keys)
        return self._replace(
            keys=keys[order],
            scores=np.concatenate((self.scores, other.scores))[order],
            columns=np.concatenate((self.columns, other.columns))[order],
        )

    def with_scores(self, keys: Words, scores: NDArray[np.int8]) -> Beyond:
        """Return these positions with more scores, also of positions that are not here yet."""
        places = np.searchsorted(self.keys, keys)
        is_here = np.append(self.keys, np.uint64(0))[places] == keys
        known = self.scores.copy()
        known[places[is_here]] = scores[is_here]
        new = ~is_here
        return self._replace(scores=known).and_(
            Beyond(keys[new], scores[new], np.zeros(int(new.sum()), np.uint8))
        )
