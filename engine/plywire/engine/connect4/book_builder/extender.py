"""Extending an opening book by moves, which are proven to keep the value but not to be best.

To prove that as well would cost ten times as much. First come moves for the positions of the last
ply, of which the book tells what they are worth. Once none lacks, positions with one stone more are
examined in the order of their keys, and those that are hard are added, with a sign and a move. Then
those with two stones more and so on, but only what the book's moves and any reply lead to.
"""

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.book import (
    ALL_KEYS,
    HARD_PLIES,
    Book,
    can_have_move,
    sides_of,
    stones_of,
)
from plywire.engine.connect4.solver.solver import GREATEST_SCORE

from .checkpoint import Checkpoint
from .layers import Layer, Words, layers
from .searches import HARD_NODES, Task, find_hard, find_moves, searched

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
    """Find what a book lacks: moves of its last ply or, where it has them all, hard positions.

    Of these, those with the fewest stones that are not all examined. Ends with what is found after
    that many seconds. Goes on where an earlier run that used the same checkpoint ended. Each
    process has a table of its own. `on_progress` is called with how many positions are done and how
    many there are. Raises ValueError if the checkpoint is of another book.
    """
    end = time.monotonic() + seconds
    report = on_progress or (lambda done, count: None)

    def run(keys: Words, task: Task, known: NDArray[np.int8]) -> Checkpoint:
        saved = Checkpoint(checkpoint, keys)
        report(saved.solved, len(keys))
        words = (*sides_of(book.game, keys), np.sign(known))
        for _ in searched(book.game, task, words, saved, processes=processes, table_mb=table_mb):
            report(saved.solved, len(keys))
            if time.monotonic() >= end:
                break
        return saved

    keys, scores, columns = book.content()
    lacking = np.flatnonzero(can_have_move(book.game, book.plies, keys, scores) & (columns == 0))
    if len(lacking):
        saved = run(keys[lacking], find_moves, scores[lacking])
        columns[lacking[saved.known]] = saved.scores[saved.known]
        return Book.of(book.game, book.plies, keys, scores, columns, book.hard())

    hard = book.hard()
    beyond = next((n for n, key in enumerate(hard.examined, 1) if key < ALL_KEYS), HARD_PLIES)
    more, at_least = _one_stone_more(book) if beyond == 1 else _replies(book, beyond)
    is_new = more >= np.uint64(hard.examined[beyond - 1])
    more, at_least = more[is_new], at_least[is_new]
    saved = run(more, partial(find_hard, HARD_NODES[beyond]), at_least)
    known = int(np.argmin(np.append(saved.known, False)))
    found = saved.scores[:known]
    examined = int(more[known]) if known < len(more) else ALL_KEYS
    hard = hard.and_(more[:known][found != 0], found[found != 0], beyond, examined)
    return Book.of(book.game, book.plies, keys, scores, columns, hard)


def _one_stone_more(book: Book) -> _Bounded:
    """Of all positions with one stone more than a book goes, without those won at once."""
    keys, scores, _ = book.content()
    *_, before, layer = layers(book.game, book.plies + 1)
    more = layer.keys[~layer.wins]
    # Who could have won at once, and did not, leaves the other side with nothing that is known.
    before = before.only(~before.wins)
    worth = -scores[np.searchsorted(keys, before.keys)]
    return _best_known(
        more, ((children.keys, worth[parents]) for parents, children in before.children())
    )


def _replies(book: Book, beyond: int) -> _Bounded:
    """The same of those with so many stones more that follow the book's moves and a reply."""
    keys, scores, columns = _with_moves(book, beyond - 2)
    before = Layer.of(book.game, book.plies + beyond - 2, keys)
    found = [(keys[:0], scores[:0])]
    for column, (parents, moved) in enumerate(before.children(), 1):
        is_played = columns[parents] == column
        worth = scores[parents[is_played]]
        for answered, replies in moved.only(is_played).children():
            goes_on = ~replies.wins
            # No reply is worth more to the other side than the book's move leaves it.
            found.append((replies.keys[goes_on], worth[answered[goes_on]]))
    more = np.unique(np.concatenate([replies for replies, _ in found]))
    return _best_known(more, iter(found))


def _with_moves(book: Book, beyond: int) -> tuple[Words, NDArray[np.int8], NDArray[np.int8]]:
    """Keys of positions that the book has a move for, lower bounds of scores, columns from 1."""
    if beyond == 0:
        keys, scores, columns = book.content()
        has_move = columns > 0
        return keys[has_move], scores[has_move], columns[has_move].astype(np.int8)
    hard = book.hard()
    is_meant = np.bitwise_count(stones_of(book.game, hard.keys)) == book.plies + beyond
    columns = hard.columns[is_meant]
    return hard.keys[is_meant], (columns > 0).astype(np.int8), np.abs(columns)


def _best_known(keys: Words, bounds: Iterator[_Bounded]) -> _Bounded:
    """Sorted keys, and the best lower bound that is given for each; others' bounds are ignored."""
    at_least = np.full(len(keys), -GREATEST_SCORE, np.int8)
    for bounded, worth in bounds:
        places = np.searchsorted(keys, bounded)
        is_wanted = np.append(keys, np.uint64(0))[places] == bounded
        np.maximum.at(at_least, places[is_wanted], worth[is_wanted])
    return keys, at_least
