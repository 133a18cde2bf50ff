"""The keys of positions in a book; a position and its mirror image share the smaller key."""

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.rules import Connect4, Connect4Position

Words = NDArray[np.uint64]
#: A number greater than the keys of all positions.
ALL_KEYS = (1 << 64) - 1


def book_key(position: Connect4Position) -> int:
    """Return a number that only a position and its mirror image have (John Tromp's key)."""
    return min(keys_of(position))


def keys_of(position: Connect4Position) -> tuple[int, int]:
    """Return the position's own key and the key of its mirror image."""
    stride = position.game.height + 1
    key = position.own + (position.own | position.other)
    column = (1 << stride) - 1
    image, rest = 0, key
    for _ in range(position.game.width):
        image = image << stride | rest & column
        rest >>= stride
    return key, image


def stones_of(game: Connect4, keys: Words) -> Words:
    """Return all stones of the positions that have these keys.

    If 1 is added to a column of a key, the highest bit of the column is at its first empty
    square.
    """
    full = np.uint64(game.full)
    reached = keys + np.uint64(game.bottom)
    for _ in range(game.height):
        reached |= reached >> np.uint64(1) & full
    return reached >> np.uint64(1) & full


def sides_of(game: Connect4, keys: Words) -> tuple[Words, Words]:
    """Return the stones of the player to move, and those of the opponent, for these keys."""
    taken = stones_of(game, keys)
    own = keys - taken
    return own, taken ^ own


def least_keys(game: Connect4, own: Words, other: Words) -> Words:
    """Return the keys of positions; `own` are the stones of the player to move."""
    keys = own + (own | other)
    stride = np.uint64(game.height + 1)
    images, rest = np.zeros_like(keys), keys
    for _ in range(game.width):
        images = images << stride | rest & (np.uint64(1) << stride) - np.uint64(1)
        rest = rest >> stride
    return np.minimum(keys, images)


def squares_of_columns(game: Connect4) -> Words:
    """Return the squares of each column."""
    column = (1 << game.height) - 1
    stride = game.height + 1
    return np.array([column << stride * i for i in range(game.width)], np.uint64)
