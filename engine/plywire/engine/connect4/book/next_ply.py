"""Positions with one stone more than a book goes, stored as moves from positions of its last ply.

Their keys would take most of the room. The book has all positions of its last ply in order, except
those that are won at once. All columns of all these positions are counted through. A position with
one stone more is stored as the number of the column that leads to it from the position with the
least key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.rules import Connect4, Connect4Position

from .before import is_won_at_once, positions_before
from .beyond import Beyond
from .blocks import KEPT_BLOCKS, Block, Blocks, Bytes, Pieces, slices
from .keys import Words, book_key, least_keys, sides_of, squares_of_columns, stones_of

#: Added to a score, which becomes a byte.
SCORE_BIAS = 64
#: More than any number of a column.
_NOWHERE = np.iinfo(np.int64).max
#: Steps are bytes; this byte says that the step goes on.
_LONG_STEP = 255


class NextPly:
    """Finds the positions of one ply, with their scores and columns."""

    def __init__(self, game: Connect4, plies: int, before: Blocks, pieces: Pieces) -> None:
        """Find the positions after those with `plies` stones in the blocks; each block has a piece.

        Raises ValueError if there are not as many pieces as blocks.
        """
        if len(pieces.ends) != len(before.packed.firsts):
            raise ValueError("each block has a piece of the next ply")
        self._pieces = pieces
        self._game = game
        self._plies = plies
        self._before = before
        self._block = lru_cache(KEPT_BLOCKS)(lambda number: Block.of(*self._arrays(number)))

    @staticmethod
    def pack(
        game: Connect4, plies: int, keys: Words, held: Beyond
    ) -> tuple[Pieces, NDArray[np.bool_]]:
        """Pack positions with `plies` + 1 stones, given the keys of all blocks.

        Returns as well which of them are packed: those that follow a position of the keys.
        """
        is_last = np.bitwise_count(stones_of(game, keys)) == plies
        places = _places_of(game, keys[is_last], held.keys)
        order = np.argsort(places, kind="stable")[: np.count_nonzero(places != _NOWHERE)]
        places = places[order]
        scores = (held.scores[order] + np.int16(SCORE_BIAS)).astype(np.uint8)
        moves = held.columns[order]

        def contents() -> Iterator[tuple[bytes, ...]]:
            first = 0
            for part in slices(len(keys)):
                end = first + game.width * int(np.count_nonzero(is_last[part]))
                here = slice(*np.searchsorted(places, (first, end)))
                steps, told = _steps_to(places[here] - first), scores[here]
                yield steps.tobytes(), told.tobytes(), moves[here][_can_have(told)].tobytes()
                first = end

        is_packed = np.zeros(len(held.keys), np.bool_)
        is_packed[order] = True
        return Pieces.of(contents()), is_packed

    def find(self, position: Connect4Position, key: int) -> tuple[int, int] | None:
        """The score and the column of the position of a key, None if it is not held."""
        before = [book_key(each) for each in positions_before(position) if not is_won_at_once(each)]
        for least in sorted(before):
            # A position that is not there is reached by no game.
            if self._before.find(least) is not None:
                block = self._block(self._before.number_of(least))
                index = block.place_of(key)
                if index is None:
                    return None
                return block.values[index] - SCORE_BIAS, block.values[len(block.keys) + index]
        return None

    def content(self) -> Beyond:
        """All positions that are held."""
        found = Beyond.none()
        keys, scores, columns = [found.keys], [found.scores], [found.columns]
        for number in range(len(self._pieces.ends)):
            reached, values = self._arrays(number)
            keys.append(reached)
            scores.append((values[: len(reached)] - np.int16(SCORE_BIAS)).astype(np.int8))
            columns.append(values[len(reached) :])
        return found.and_(
            Beyond(np.concatenate(keys), np.concatenate(scores), np.concatenate(columns))
        )

    def _arrays(self, number: int) -> tuple[Words, Bytes]:
        """The keys of a block in order, and the bytes of their scores, then of their columns."""
        keys = np.asarray(self._before.block(number).keys)
        keys = keys[np.bitwise_count(stones_of(self._game, keys)) == self._plies]
        content = self._pieces.content(number)
        steps, scores, moves = (np.frombuffer(kind, np.uint8) for kind in content)
        parents, columns = np.divmod(_places_at(steps), self._game.width)
        _, reached = _after(self._game, keys[parents], squares_of_columns(self._game)[columns])
        moves_of_all = np.zeros_like(scores)
        moves_of_all[_can_have(scores)] = moves
        order = np.argsort(reached)
        return reached[order], np.concatenate((scores[order], moves_of_all[order]))


def _can_have(scores: Bytes) -> NDArray[np.bool_]:
    """Which positions can have a move that keeps the value: those that are not lost."""
    return scores >= SCORE_BIAS


def _steps_to(places: NDArray[np.int64]) -> Bytes:
    """The steps from -1 to the first of some sorted places, and on to each next one."""
    steps = np.diff(places, prepend=-1)
    longs = steps // _LONG_STEP
    found = np.full(len(steps) + int(longs.sum()), _LONG_STEP, np.uint8)
    found[np.cumsum(longs + 1) - 1] = steps % _LONG_STEP
    return found


def _places_at(steps: Bytes) -> NDArray[np.int64]:
    """The places that steps lead to."""
    places: NDArray[np.int64] = np.cumsum(steps, dtype=np.int64)[steps != _LONG_STEP] - 1
    return places


def _places_of(game: Connect4, before: Words, wanted: Words) -> NDArray[np.int64]:
    """The numbers of sorted positions, as columns of the positions before.

    If two columns lead to a position, which is then its own mirror image, the left one counts.
    """
    places = np.full(len(wanted), _NOWHERE)
    if len(wanted):
        for column, squares in enumerate(squares_of_columns(game)):
            fits, reached = _after(game, before, squares)
            found = np.minimum(np.searchsorted(wanted, reached), len(wanted) - 1)
            is_wanted = fits & (wanted[found] == reached)
            here = np.flatnonzero(is_wanted) * game.width + column
            np.minimum.at(places, found[is_wanted], here)
    return places


def _after(game: Connect4, keys: Words, squares: Words) -> tuple[NDArray[np.bool_], Words]:
    """In which positions a stone fits on some squares, and the keys of what follows."""
    own, other = sides_of(game, keys)
    landing = (own | other) + np.uint64(game.bottom) & squares
    fits: NDArray[np.bool_] = landing != 0
    return fits, least_keys(game, other, own | landing)
