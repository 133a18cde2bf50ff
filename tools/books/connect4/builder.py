"""Building an opening book.

Only the positions of the last ply are solved; the scores of earlier positions follow by minimax.
Positions are solved in the order of their keys, on a large table that is never cleared. So the
table already has most results that a position needs from its neighbours.

Such a table can take one position for another (`keys.py` explains this). So a book is verified by
solving some of its positions again on another table: `python -m tools.books connect4 verify`.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.book import PLIES_BEYOND, Book, score_of_win_at_once
from plywire.engine.connect4.book.keys import keys_of, sides_of, stones_of
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import GREATEST_SCORE

from . import writing
from .checkpoint import Checkpoint
from .layers import Layer, layers
from .searches import searched, solve_all


def derive(found: Sequence[Layer], last: NDArray[np.int8]) -> Book:
    """Make the book of all layers from the scores `last`.

    These are the scores of the positions of the last layer that are not won at once.
    """
    game = found[0].game
    layer = found[-1]
    scores = _with_wins(layer, last)
    stored = [(layer.keys[~layer.wins], last)]
    for before in reversed(found[:-1]):
        # Layers have only positions in which the game goes on. If the next stone fills the board,
        # there is no child, and the score is 0.
        best = np.full(
            len(before), 0 if layer.stones == game.width * game.height else -GREATEST_SCORE, np.int8
        )
        for parents, children in before.children():
            known = scores[np.searchsorted(layer.keys, children.keys)]
            best[parents] = np.maximum(best[parents], -known)
        stored.append((before.keys[~before.wins], best[~before.wins]))
        layer, scores = before, _with_wins(before, best[~before.wins])
    keys, values = map(np.concatenate, zip(*stored, strict=True))
    order = np.argsort(keys)
    return writing.book_of(game, found[-1].stones, keys[order], values[order])


def _with_wins(layer: Layer, others: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the scores of a layer; `others` are those of positions that are not won at once."""
    scores = np.full(len(layer), score_of_win_at_once(layer.game, layer.stones), np.int8)
    scores[~layer.wins] = others
    return scores


def build(
    game: Connect4,
    plies: int,
    checkpoint: Path,
    *,
    processes: int = 1,
    table_mb: int = 512,
    on_progress: Callable[[int, int], None] | None = None,
) -> Book:
    """Solve all positions of a ply, and make the book up to this ply.

    The build goes on where an earlier run with the same checkpoint ended. Each process has its own
    table. `on_progress` is called with how many positions are solved and how many there are.
    Raises ValueError if the checkpoint is of another book.
    """
    found = list(layers(game, plies))
    positions = found[-1].only(~found[-1].wins)
    saved = Checkpoint(checkpoint, positions.keys)
    report = on_progress or (lambda solved, count: None)
    report(saved.solved, len(positions))
    words = (positions.own, positions.other)
    for _ in searched(game, solve_all, words, saved, processes=processes, table_mb=table_mb):
        report(saved.solved, len(positions))
    return derive(found, saved.scores)


def sample(book: Book, count: int, seed: int) -> Iterator[tuple[Connect4Position, int]]:
    """Yield random positions of a book with their scores in the book, or `WON`.

    All numbers of stones are equally likely. Positions up to the book's end come from random moves.
    Random moves would hardly ever reach the positions beyond it, so these are drawn from the book,
    half of them as mirror images.
    """
    chance = random.Random(seed)
    beyond = writing.beyond(book).keys
    stones_beyond = np.bitwise_count(stones_of(book.game, beyond))
    while count > 0:
        stones = chance.randint(0, book.plies + PLIES_BEYOND)
        if stones <= book.plies:
            position = _random_position(book.game, stones, chance)
            score = book.get(position)
        else:
            keys = beyond[stones_beyond == stones]
            if not len(keys):
                continue
            position = _position(book.game, int(chance.choice(keys)))
            position = _position(book.game, chance.choice(keys_of(position)))
            score = book.get_beyond(position)
        if score is not None:
            yield position, score
            count -= 1


def _random_position(game: Connect4, stones: int, chance: random.Random) -> Connect4Position:
    """Play random moves until the board has `stones` stones or the game is over."""
    position = game.start()
    for _ in range(stones):
        if position.is_over:
            break
        position = position.play(chance.choice(position.moves()))
    return position


def _position(game: Connect4, key: int) -> Connect4Position:
    """Return the position whose own key this is, not that of its mirror image."""
    own, other = (int(words[0]) for words in sides_of(game, np.array([key], np.uint64)))
    return Connect4Position(game, own, other, (own | other).bit_count() % 2)
