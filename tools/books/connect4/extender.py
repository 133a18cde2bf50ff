"""Extending an opening book by moves. They are proven to keep the value, but not to be best.

To prove that a move is best would cost ten times as much. The extension has these steps:

1. Find moves for the positions of the last ply, whose scores the book has.
2. Examine the positions with one more stone in the order of their keys. Add those that are hard to
   play, each with a sign and a move.
3. Do the same with two to four more stones, but only for positions that follow a move of the book
   and any reply.
4. Add the scores of positions with one more stone, if they are hard to find.
"""

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.book import WON, Book, can_have_move
from plywire.engine.connect4.book.keys import ALL_KEYS, Words, sides_of, stones_of
from plywire.engine.connect4.solver.solver import GREATEST_SCORE

from . import writing
from .beyond import Beyond
from .checkpoint import Checkpoint
from .layers import Layer, layers
from .searches import (
    EASY,
    HARD_NODES,
    HARD_SCORE_NODES,
    Task,
    find_hard,
    find_moves,
    find_scores,
    searched,
)

#: The range in which most scores are hard to find.
_LEAST_HARD, _GREATEST_HARD = -8, 4
#: Keys of positions, and lower bounds of their scores.
_Bounded = tuple[Words, NDArray[np.int8]]


def extend(
    book: Book,
    checkpoint: Path,
    *,
    seconds: float = math.inf,
    processes: int = 1,
    table_mb: int = 512,
    on_progress: Callable[[int, int], None] | None = None,
) -> Book:
    """Do the first step that is not complete, and return the extended book.

    After `seconds`, the function returns what it has found. It goes on where an earlier run with
    the same checkpoint ended. Each process has its own table. `on_progress` is called with how many
    positions are done and how many there are. Raises ValueError if the checkpoint is of another
    book.
    """
    end = time.monotonic() + seconds
    report = on_progress or (lambda done, count: None)

    def run(keys: Words, task: Task, *known: NDArray[Any]) -> Checkpoint:
        saved = Checkpoint(checkpoint, keys)
        report(saved.solved, len(keys))
        words = (*sides_of(book.game, keys), *known)
        for _ in searched(book.game, task, words, saved, processes=processes, table_mb=table_mb):
            report(saved.solved, len(keys))
            if time.monotonic() >= end:
                break
        return saved

    keys, scores, columns = writing.content(book)
    beyond = writing.beyond(book)
    lacking = np.flatnonzero(can_have_move(book.game, book.plies, keys, scores) & (columns == 0))
    if len(lacking):
        saved = run(keys[lacking], find_moves, np.sign(scores[lacking]))
        columns[lacking[saved.known]] = saved.scores[saved.known]
        return writing.book_of(book.game, book.plies, keys, scores, columns, beyond)

    stones_more = beyond.lacks
    if stones_more is not None:
        more, at_least = _one_stone_more(book) if stones_more == 1 else _replies(book, stones_more)
        is_new = more >= np.uint64(beyond.examined[stones_more - 1])
        more, at_least = more[is_new], at_least[is_new]
        saved = run(more, partial(find_hard, HARD_NODES[stones_more]), np.sign(at_least))
        known, examined = _in_order(saved, more)
        found = saved.scores[:known]
        is_hard = found != 0
        won = np.where(found[is_hard] > 0, WON, 0).astype(np.int8)
        hard = Beyond(more[:known][is_hard], won, np.abs(found[is_hard]).astype(np.uint8))
        up_to = list(beyond.examined)
        up_to[stones_more - 1] = examined
        beyond = beyond.and_(hard)._replace(examined=tuple(up_to))
        return writing.book_of(book.game, book.plies, keys, scores, columns, beyond)

    more, at_least = _one_stone_more(book)
    is_scored = np.isin(more, beyond.keys[beyond.scores != WON])
    is_held = np.isin(more, beyond.keys)
    is_new = (more >= np.uint64(beyond.scored)) & ~is_scored & (is_held | _may_be_hard(at_least))
    more, at_least = more[is_new], at_least[is_new]
    saved = run(more, partial(find_scores, HARD_SCORE_NODES), at_least, is_held[is_new])
    known, scored = _in_order(saved, more)
    found = saved.scores[:known]
    is_hard = found != EASY
    beyond = beyond.with_scores(more[:known][is_hard], found[is_hard])._replace(scored=scored)
    return writing.book_of(book.game, book.plies, keys, scores, columns, beyond)


def _in_order(saved: Checkpoint, keys: Words) -> tuple[int, int]:
    """Count the positions before the first unsolved one; return the count and its key."""
    known = int(np.argmin(np.append(saved.known, False)))
    return known, int(keys[known]) if known < len(keys) else ALL_KEYS


def _may_be_hard(at_least: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Say which positions can have a score that is hard to find, by lower bounds of the scores.

    If a score is high or low, the game is soon over. With 13 stones on 7x6, such scores take only
    an eighth of the time of all.
    """
    return (at_least >= _LEAST_HARD) & (at_least <= _GREATEST_HARD)


def _one_stone_more(book: Book) -> _Bounded:
    """Bound the scores of positions one stone beyond the book that are not won at once."""
    keys, scores, _ = writing.content(book)
    *_, before, layer = layers(book.game, book.plies + 1)
    more = layer.keys[~layer.wins]
    # Positions with a win at once are left out. If the player misses the win, the score that
    # follows may be anything.
    before = before.only(~before.wins)
    worth = -scores[np.searchsorted(keys, before.keys)]
    return _best_known(
        more, ((children.keys, worth[parents]) for parents, children in before.children())
    )


def _replies(book: Book, beyond: int) -> _Bounded:
    """Bound the scores of positions `beyond` stones further, after a book move and a reply."""
    keys, scores, columns = _with_moves(book, beyond - 2)
    before = Layer.of(book.game, book.plies + beyond - 2, keys)
    found = [(keys[:0], scores[:0])]
    for column, (parents, moved) in enumerate(before.children(), 1):
        is_played = columns[parents] == column
        worth = scores[parents[is_played]]
        for answered, replies in moved.only(is_played).children():
            goes_on = ~replies.wins
            # The book's move keeps the value, so no reply is worth more to the opponent.
            found.append((replies.keys[goes_on], worth[answered[goes_on]]))
    more = np.unique(np.concatenate([replies for replies, _ in found]))
    return _best_known(more, iter(found))


def _with_moves(book: Book, beyond: int) -> tuple[Words, NDArray[np.int8], NDArray[np.uint8]]:
    """Return the positions with a move in the book: keys, bounds of scores, columns from 1."""
    if beyond == 0:
        keys, scores, columns = writing.content(book)
        has_move = columns > 0
        return keys[has_move], scores[has_move], columns[has_move]
    held = writing.beyond(book)
    has_move = np.bitwise_count(stones_of(book.game, held.keys)) == book.plies + beyond
    held = held.only(has_move & (held.columns > 0))
    return held.keys, np.sign(held.scores), held.columns


def _best_known(keys: Words, bounds: Iterator[_Bounded]) -> _Bounded:
    """Take the best lower bound for each of the sorted keys; ignore bounds of other keys."""
    at_least = np.full(len(keys), -GREATEST_SCORE, np.int8)
    for bounded, worth in bounds:
        places = np.searchsorted(keys, bounded)
        is_wanted = np.append(keys, np.uint64(0))[places] == bounded
        np.maximum.at(at_least, places[is_wanted], worth[is_wanted])
    return keys, at_least
