"""Extending an opening book by moves, which are proven to keep the value but not to be best.

To prove that as well would cost ten times as much. First come moves for the positions of the last
ply, of which the book tells what they are worth. Once none lacks, positions with one stone more are
examined in the order of their keys, and those that are hard are added, with a sign and a move.
"""

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.book import ALL_KEYS, Book, Hard, can_have_move, stones_of
from plywire.engine.connect4.solver.solver import GREATEST_SCORE

from .checkpoint import Checkpoint
from .layers import Words, layers
from .searches import Task, find_hard, find_moves, searched


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

    Ends with what is found after that many seconds. Goes on where an earlier run that used the same
    checkpoint ended. Each process has a table of its own. `on_progress` is called with how many
    positions are done and how many there are. Raises ValueError if the checkpoint is of another
    book.
    """
    end = time.monotonic() + seconds
    report = on_progress or (lambda done, count: None)

    def run(keys: Words, task: Task, known: NDArray[np.int8]) -> Checkpoint:
        saved = Checkpoint(checkpoint, keys)
        report(saved.solved, len(keys))
        taken = stones_of(book.game, keys)
        own = keys - taken
        words = (own, taken ^ own, np.sign(known))
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
    more, at_least = _not_examined(book, keys, scores, hard.examined)
    saved = run(more, find_hard, at_least)
    known = int(np.argmin(np.append(saved.known, False)))
    found = saved.scores[:known]
    longer = Hard(
        np.concatenate((hard.keys, more[:known][found != 0])),
        np.concatenate((hard.columns, found[found != 0])),
        int(more[known]) if known < len(more) else ALL_KEYS,
    )
    return Book.of(book.game, book.plies, keys, scores, columns, longer)


def _not_examined(
    book: Book, keys: Words, scores: NDArray[np.int8], examined: int
) -> tuple[Words, NDArray[np.int8]]:
    """The keys of positions with one stone more that are not examined, and lower bounds of scores.

    `keys` and `scores` are what the book holds. Positions that a stone wins at once are left out.
    """
    *_, before, layer = layers(book.game, book.plies + 1)
    more = layer.keys[~layer.wins & (layer.keys >= np.uint64(examined))]
    at_least = np.full(len(more), -GREATEST_SCORE, np.int8)
    # Who could have won at once, and did not, leaves the other side with nothing that is known.
    before = before.only(~before.wins)
    worth = -scores[np.searchsorted(keys, before.keys)]
    for parents, children in before.children():
        places = np.searchsorted(more, children.keys)
        is_wanted = np.append(more, 0)[places] == children.keys
        np.maximum.at(at_least, places[is_wanted], worth[parents[is_wanted]])
    return more, at_least
