"""What a book holds beyond its end: positions with a few stones more that are hard to search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .keys import ALL_KEYS, Words

#: Positions are held that have up to so many stones more than a book goes.
PLIES_BEYOND = 4
#: In the place of a score: the position is won, it is not known how soon.
WON = 127


class Beyond(NamedTuple):
    """Positions with more stones than a book goes, what they are worth, and moves for them."""

    keys: Words
    """In order."""
    scores: NDArray[np.int8]
    """Of the side to move, or `WON`."""
    columns: NDArray[np.uint8]
    """Counted from 1, those of moves that keep the value; 0 where none is known."""
    examined: tuple[int, ...] = (0,) * PLIES_BEYOND
    """By stones more: below this key, all are there that are hard to play and not lost."""
    scored: int = 0
    """Of one stone more: below this key, all are there whose scores are hard to find."""

    @classmethod
    def none(cls) -> Beyond:
        """Before any is found."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.int8), np.zeros(0, np.uint8))

    @property
    def lacks(self) -> int | None:
        """With how many stones more positions are left to examine, None if there are none."""
        return next((n for n, key in enumerate(self.examined, 1) if key < ALL_KEYS), None)

    def only(self, wanted: NDArray[np.bool_]) -> Beyond:
        """Some of the positions."""
        return self._replace(
            keys=self.keys[wanted], scores=self.scores[wanted], columns=self.columns[wanted]
        )

    def and_(self, other: Beyond) -> Beyond:
        """With others, none of which is here."""
        keys = np.concatenate((self.keys, other.keys))
        order = np.argsort(keys)
        return self._replace(
            keys=keys[order],
            scores=np.concatenate((self.scores, other.scores))[order],
            columns=np.concatenate((self.columns, other.columns))[order],
        )

    def with_scores(self, keys: Words, scores: NDArray[np.int8]) -> Beyond:
        """With scores of positions, some of which are here already, with a move."""
        places = np.searchsorted(self.keys, keys)
        is_here = np.append(self.keys, np.uint64(0))[places] == keys
        known = self.scores.copy()
        known[places[is_here]] = scores[is_here]
        new = ~is_here
        return self._replace(scores=known).and_(
            Beyond(keys[new], scores[new], np.zeros(int(new.sum()), np.uint8))
        )
