"""All positions with one number of stones, as arrays.

One position of each mirrored pair stands for both. In the order of keys, positions that share most
of their stones are near each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.keys import (
    Words,
    least_keys,
    sides_of,
    squares_of_columns,
)
from plywire.engine.connect4.rules import Connect4


@dataclass(frozen=True)
class Layer:
    """Positions with one number of stones in which the game goes on, by ascending key."""

    game: Connect4
    stones: int
    keys: Words
    own: Words
    """The stones of the side to move."""
    other: Words

    @classmethod
    def of(cls, game: Connect4, stones: int, keys: Words) -> Layer:
        """Make the layer of the positions with these keys."""
        return cls(game, stones, keys, *sides_of(game, keys))

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def wins(self) -> NDArray[np.bool_]:
        """Whether the player to move completes a four at once, for each position."""
        landings = (self.own | self.other) + np.uint64(self.game.bottom) & np.uint64(self.game.full)
        wins = np.zeros(len(self), np.bool_)
        for column in squares_of_columns(self.game):
            move = landings & column
            wins |= (move != 0) & _has_four(self.game, self.own | move)
        return wins

    def only(self, wanted: NDArray[np.bool_]) -> Layer:
        """Choose positions by a mask."""
        return Layer(
            self.game, self.stones, self.keys[wanted], self.own[wanted], self.other[wanted]
        )

    def children(self) -> Iterator[tuple[NDArray[np.intp], Layer]]:
        """Yield the positions after a stone in each column, if the game goes on.

        Each item has the indices of the parents, and the children in the same order. So children
        are not sorted by keys, and some occur twice.
        """
        taken = self.own | self.other
        landings = taken + np.uint64(self.game.bottom) & np.uint64(self.game.full)
        for column in squares_of_columns(self.game):
            move = landings & column
            other = self.own | move
            goes_on = (move != 0) & ~_has_four(self.game, other)
            goes_on &= taken | move != np.uint64(self.game.full)
            parents = np.flatnonzero(goes_on)
            yield parents, _layer(self.game, self.stones + 1, self.other[parents], other[parents])


def layers(game: Connect4, plies: int) -> Iterator[Layer]:
    """Yield the layers with 0 to `plies` stones."""
    nothing = np.zeros(1, np.uint64)
    layer = _layer(game, 0, nothing, nothing)
    yield layer
    for stones in range(1, plies + 1):
        found = [_unique(children) for _, children in layer.children()]
        own = np.concatenate([each.own for each in found])
        other = np.concatenate([each.other for each in found])
        layer = _unique(_layer(game, stones, own, other))
        yield layer


def _layer(game: Connect4, stones: int, own: Words, other: Words) -> Layer:
    return Layer(game, stones, least_keys(game, own, other), own, other)


def _unique(layer: Layer) -> Layer:
    keys, first = np.unique(layer.keys, return_index=True)
    return Layer(layer.game, layer.stones, keys, layer.own[first], layer.other[first])


def _has_four(game: Connect4, stones: Words) -> NDArray[np.bool_]:
    found = np.zeros(len(stones), np.bool_)
    for step in (1, game.height, game.height + 1, game.height + 2):
        pairs = stones & stones >> np.uint64(step)
        found |= pairs & pairs >> np.uint64(2 * step) != 0
    return found
