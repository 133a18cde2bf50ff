"""Positions with a few stones more than a book goes, which are hard to search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.book import PLIES_BEYOND
from plywire.engine.connect4.book.keys import ALL_KEYS, Words


class Beyond(NamedTuple):
    """Positions with more stones than a book goes, what they are worth, and moves for them."""

    keys: Words
    """In order."""
    scores: NDArray[np.int8]
    """For the side to move; or `WON`."""
    columns: NDArray[np.uint8]
    """The columns of moves that keep the value, counted from 1; 0 if no such move is known."""
    examined: tuple[int, ...] = (0,) * PLIES_BEYOND
    """For each number of stones more: all positions that are hard to play and not lost are here, if
    their key is less than this one."""
    scored: int = 0
    """All positions with one stone more whose scores are hard to find are here, if their key is
    less than this one."""

    @classmethod
    def none(cls) -> Beyond:
        """No positions."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.int8), np.zeros(0, np.uint8))

    @property
    def lacks(self) -> int | None:
        """With how many stones more positions are left to examine, None if there are none."""
        return next((n for n, key in enumerate(self.examined, 1) if key < ALL_KEYS), None)

    def only(self, wanted: NDArray[np.bool_]) -> Beyond:
        """The positions that a mask selects."""
        return self._replace(
            keys=self.keys[wanted], scores=self.scores[wanted], columns=self.columns[wanted]
        )

    def and_(self, other: Beyond) -> Beyond:
        """These positions and others, none of which is here."""
        keys = np.concatenate((self.keys, other.keys))
        order = np.argsort(keys)
        return self._replace(
            keys=keys[order],
            scores=np.concatenate((self.scores, other.scores))[order],
            columns=np.concatenate((self.columns, other.columns))[order],
        )

    def with_scores(self, keys: Words, scores: NDArray[np.int8]) -> Beyond:
        """These positions with more scores; some of the positions may be here, with a move."""
        places = np.searchsorted(self.keys, keys)
        is_here = np.append(self.keys, np.uint64(0))[places] == keys
        known = self.scores.copy()
        known[places[is_here]] = scores[is_here]
        new = ~is_here
        return self._replace(scores=known).and_(
            Beyond(keys[new], scores[new], np.zeros(int(new.sum()), np.uint8))
        )
