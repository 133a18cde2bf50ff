"""Making opening books of scores and moves, and writing their files.

The engine reads the files: `engine/connect4/book/` describes them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.blocks import BLOCK_KEYS, Blocks, Bytes, Packed, Pieces
from plywire.engine.connect4.book.book import WON, Book, Parts, can_have_move
from plywire.engine.connect4.book.keys import Words, squares_of_columns, stones_of
from plywire.engine.connect4.book.next_ply import LONG_STEP, SCORE_BIAS, NextPly, after, can_have
from plywire.engine.connect4.rules import Connect4

from .beyond import Beyond

_STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE)
#: Stands for a position that no column leads to. It is greater than the numbers of all columns.
_NOWHERE = np.iinfo(np.int64).max


def book_of(
    game: Connect4,
    plies: int,
    keys: Words,
    scores: NDArray[np.int8],
    columns: NDArray[np.uint8] | None = None,
    beyond: Beyond | None = None,
) -> Book:
    """Make a book from sorted keys and their scores.

    `columns` are those of moves that keep the value, counted from 1, in the positions of the
    keys and not in their mirror images; 0 stands for no move. Only columns at the last ply
    count, where the game is not lost. If only a missed win leads to a position beyond the last
    ply, the book holds its sign and its move.
    """
    biased = (scores + np.int16(SCORE_BIAS)).astype(np.uint8)

    def values(part: slice) -> Iterator[bytes]:
        yield biased[part].tobytes()
        if columns is not None:
            where = can_have_move(game, plies, keys[part], scores[part])
            yield columns[part][where].tobytes()

    beyond = beyond or Beyond.none()
    is_next = np.bitwise_count(stones_of(game, beyond.keys)) == plies + 1
    next_ply, is_packed = _pack_next_ply(game, plies, keys, beyond.only(is_next))
    others = ~is_next
    others[is_next] = ~is_packed & (beyond.columns[is_next] > 0)
    hard = beyond.only(others)
    signed = (np.where(hard.scores > 0, 1, -1) * hard.columns).astype(np.int8)
    parts = Parts(
        packed(keys, values),
        next_ply,
        int(np.count_nonzero(is_packed)),
        packed(hard.keys, lambda part: [signed[part].tobytes()]),
        beyond.examined,
        beyond.scored,
    )
    return Book(game, plies, parts)


def save(book: Book, path: Path) -> None:
    """Write the file of a book."""
    parts = book.parts
    arrays = {
        "size": np.array([book.game.width, book.game.height, book.plies]),
        "examined": np.array(parts.examined, np.uint64),
        "scored": np.array(parts.scored, np.uint64),
        **named(parts.scores, ""),
        **named(parts.hard, "hard_"),
    }
    if parts.next_ply is not None:
        arrays |= _named_pieces(parts.next_ply, "next_") | {"next_keys": np.array(parts.next_keys)}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def content(book: Book) -> tuple[Words, NDArray[np.int8], NDArray[np.uint8]]:
    """Return the keys, scores and columns of all positions up to the last ply, for `book_of`."""
    keys, scores, columns = zip(
        *((keys, *book.scores_and_columns(keys, values)) for keys, values in _blocks(book.scores)),
        strict=True,
    )
    return np.concatenate(keys), np.concatenate(scores), np.concatenate(columns)


def beyond(book: Book) -> Beyond:
    """Return all positions beyond the last ply."""
    keys, values = map(np.concatenate, zip(*_blocks(book.hard), strict=True))
    columns = values.view(np.int8)
    scores = np.where(columns > 0, WON, 0).astype(np.int8)
    hard = Beyond(keys, scores, np.abs(columns).astype(np.uint8))
    held = hard if book.next_ply is None else hard.and_(_content_of(book.next_ply))
    return held._replace(examined=book.parts.examined, scored=book.parts.scored)


def _blocks(blocks: Blocks) -> Iterator[tuple[Words, Bytes]]:
    """Yield the keys of each block, and the bytes of their values; at least one block."""
    yield np.zeros(0, np.uint64), np.zeros(0, np.uint8)
    yield from map(blocks.arrays, range(len(blocks.packed.firsts)))


def _content_of(next_ply: NextPly) -> Beyond:
    """Return all positions with one additional stone."""
    found = Beyond.none()
    keys, scores, columns = [found.keys], [found.scores], [found.columns]
    for number in range(len(next_ply.pieces.ends)):
        reached, values = next_ply.arrays(number)
        keys.append(reached)
        scores.append((values[: len(reached)] - np.int16(SCORE_BIAS)).astype(np.int8))
        columns.append(values[len(reached) :])
    return found.and_(Beyond(np.concatenate(keys), np.concatenate(scores), np.concatenate(columns)))


def _pack_next_ply(
    game: Connect4, plies: int, keys: Words, held: Beyond
) -> tuple[Pieces, NDArray[np.bool_]]:
    """Pack positions with `plies` + 1 stones, given the keys of all blocks.

    Also returns which of them are packed: those that follow a position of the keys.
    """
    is_last = np.bitwise_count(stones_of(game, keys)) == plies
    places = _places_of(game, keys[is_last], held.keys)
    order = np.argsort(places, kind="stable")[: np.count_nonzero(places != _NOWHERE)]
    places = places[order]
    scores = (held.scores[order] + np.int16(SCORE_BIAS)).astype(np.uint8)
    moves = held.columns[order]

    def contents() -> Iterator[tuple[bytes, ...]]:
        first = 0
        for part in _slices(len(keys)):
            end = first + game.width * int(np.count_nonzero(is_last[part]))
            here = slice(*np.searchsorted(places, (first, end)))
            steps, told = _steps_to(places[here] - first), scores[here]
            yield steps.tobytes(), told.tobytes(), moves[here][can_have(told)].tobytes()
            first = end

    is_packed = np.zeros(len(held.keys), np.bool_)
    is_packed[order] = True
    return _pieces(contents()), is_packed


def _places_of(game: Connect4, before: Words, wanted: Words) -> NDArray[np.int64]:
    """Return the numbers of sorted positions, as columns of the positions before them.

    If two columns lead to a position, which is then its own mirror image, the left one counts.
    """
    places = np.full(len(wanted), _NOWHERE)
    if len(wanted):
        for column, squares in enumerate(squares_of_columns(game)):
            fits, reached = after(game, before, squares)
            found = np.minimum(np.searchsorted(wanted, reached), len(wanted) - 1)
            is_wanted = fits & (wanted[found] == reached)
            here = np.flatnonzero(is_wanted) * game.width + column
            np.minimum.at(places, found[is_wanted], here)
    return places


def _steps_to(places: NDArray[np.int64]) -> Bytes:
    """Return the steps from -1 to the first of some sorted places, and from each to the next."""
    steps = np.diff(places, prepend=-1)
    longs = steps // LONG_STEP
    found = np.full(len(steps) + int(longs.sum()), LONG_STEP, np.uint8)
    found[np.cumsum(longs + 1) - 1] = steps % LONG_STEP
    return found


def packed(keys: Words, values: Callable[[slice], Iterable[bytes]]) -> Packed:
    """Pack sorted keys; `values` gives the bytes of each kind of value for a slice of them."""

    def content(part: slice) -> Sequence[bytes]:
        # The lowest bytes of all steps from key to key come first, then the next bytes, and so on.
        # Bytes of the same rank repeat, so they compress well.
        steps = np.diff(keys[part], prepend=keys[part.start]).astype("<u8")
        planes = np.ascontiguousarray(steps[:, np.newaxis].view(np.uint8).T)
        return planes.tobytes(), *values(part)

    pieces = _pieces(map(content, _slices(len(keys))))
    return Packed(keys[::BLOCK_KEYS], np.array(len(keys), np.int64), pieces)


def _pieces(contents: Iterable[Sequence[bytes]]) -> Pieces:
    """Compress the content of each block, each kind of value by itself."""
    blocks = [b"".join(map(_compressed, content)) for content in contents]
    ends = np.cumsum([len(block) for block in blocks]).astype(np.uint32)
    return Pieces(ends, np.frombuffer(b"".join(blocks), np.uint8))


def _compressed(content: bytes) -> bytes:
    """Compress by the strategy that gives the fewest bytes."""
    streams = (zlib.compressobj(9, memLevel=9, strategy=strategy) for strategy in _STRATEGIES)
    return min((stream.compress(content) + stream.flush() for stream in streams), key=len)


def _slices(count: int) -> Iterator[slice]:
    """Return the slices of `count` keys that become blocks."""
    return (slice(start, start + BLOCK_KEYS) for start in range(0, count, BLOCK_KEYS))


def named(packed: Packed, prefix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of packed blocks, by their names in a file."""
    named = {prefix + "firsts": packed.firsts, prefix + "keys": packed.keys}
    return named | _named_pieces(packed.pieces, prefix)


def _named_pieces(pieces: Pieces, prefix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of pieces, by their names in a file."""
    return {prefix + name: array for name, array in pieces._asdict().items()}
