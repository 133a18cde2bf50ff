"""Building an opening book.

Only the positions of the last ply are solved; the scores of those before follow by minimax. They
are solved in the order of their keys, on a large table that is never cleared: then most of what a
position's solution needs was found out for its neighbours.

Such a table can take one position for another, see `keys.py`, so a book is verified by solving some
of its positions again on another table: `plywire book verify connect4`.

A book is extended by moves for positions of its last ply, which are proven to keep the value but
not, which would cost ten times as much, to be best.
"""

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from plywire.engine.connect4.book.book import Book, can_have_move, score_of_win_at_once, stones_of
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import GREATEST_SCORE, Solver
from plywire.engine.workers import workers

from .layers import Layer, layers

#: Positions that a process solves before it reports: so much is lost when it is killed.
CHUNK = 64
_CHUNK_TYPE = np.dtype([("scores", np.int8, (CHUNK,)), ("checksum", np.uint32)])


def derive(found: Sequence[Layer], last: NDArray[np.int8]) -> Book:
    """The book of all layers, given the scores of those of the last that are not won at once."""
    game = found[0].game
    layer = found[-1]
    scores = _with_wins(layer, last)
    stored = [(layer.keys[~layer.wins], last)]
    for before in reversed(found[:-1]):
        # A position without a win at once can be full after the next stone, which is a draw.
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
    return Book.of(game, found[-1].stones, keys[order], values[order])


def _with_wins(layer: Layer, others: NDArray[np.int8]) -> NDArray[np.int8]:
    """The scores of a layer, given those that are not won at once."""
    scores = np.full(len(layer), score_of_win_at_once(layer.game, layer.stones), np.int8)
    scores[~layer.wins] = others
    return scores


class Checkpoint:
    """The scores of positions, or columns, that are known so far, in a file of chunks.

    Each chunk has a checksum of its scores and of the keys of its positions. A chunk whose checksum
    does not fit was never solved, was cut off in the middle, got damaged or is of other positions:
    all the same, it counts as not known and is solved again. So a book is made of nothing but the
    scores that were found for it.
    """

    def __init__(self, path: Path, keys: NDArray[np.uint64]) -> None:
        """Open the file of the scores of the positions with those keys, or begin it.

        Raises ValueError if the file is of another number of scores.
        """
        self._keys = keys
        shape = (-(-len(keys) // CHUNK),)
        if path.exists():
            chunks = np.lib.format.open_memmap(path, mode="r+")
            if (chunks.shape, chunks.dtype) != (shape, _CHUNK_TYPE):
                raise ValueError(f"{path} is not a checkpoint of {len(keys)} positions")
        else:
            chunks = np.lib.format.open_memmap(path, mode="w+", dtype=_CHUNK_TYPE, shape=shape)
        self._chunks: NDArray[np.void] = chunks
        self._flush = chunks.flush
        self._known = np.array([self._fits(number) for number in range(len(chunks))], np.bool_)

    @property
    def solved(self) -> int:
        """How many scores are known."""
        lengths = np.minimum(CHUNK, len(self._keys) - CHUNK * np.arange(len(self._known)))
        return int(lengths[self._known].sum())

    @property
    def scores(self) -> NDArray[np.int8]:
        """All scores; those not known yet make no sense."""
        scores: NDArray[np.int8] = self._chunks["scores"].reshape(-1)[: len(self._keys)]
        return np.array(scores)

    def missing(self) -> Iterator[range]:
        """The chunks of which the scores are not known yet, in order."""
        for number in np.flatnonzero(~self._known).tolist():
            yield range(CHUNK * number, min(CHUNK * (number + 1), len(self._keys)))

    def put(self, first: int, scores: Sequence[int]) -> None:
        """Note the scores of a chunk."""
        number = first // CHUNK
        self._chunks["scores"][number, : len(scores)] = scores
        self._chunks["checksum"][number] = self._checksum(number)
        self._known[number] = True
        self._flush()

    def _fits(self, number: int) -> bool:
        return bool(self._chunks["checksum"][number] == self._checksum(number))

    def _checksum(self, number: int) -> int:
        keys = self._keys[CHUNK * number : CHUNK * (number + 1)]
        return crc32(self._chunks["scores"][number].tobytes(), crc32(keys.tobytes()))


def build(
    game: Connect4,
    plies: int,
    checkpoint: Path,
    *,
    processes: int = 1,
    table_mb: int = 512,
    on_progress: Callable[[int, int], None] | None = None,
) -> Book:
    """Solve all positions of a ply and make the book of it and the plies before.

    Goes on where an earlier run that used the same checkpoint ended. Each process has a table of
    its own. `on_progress` is called with how many positions are solved and how many there are.
    Raises ValueError if the checkpoint is of another book.
    """
    found = list(layers(game, plies))
    positions = found[-1].only(~found[-1].wins)
    saved = Checkpoint(checkpoint, positions.keys)
    report = on_progress or (lambda solved, count: None)
    report(saved.solved, len(positions))
    with workers(processes, _begin_process, game.width, game.height, table_mb) as executor:
        words = (positions.own, positions.other)
        for first, scores in _done(executor, _solve_chunk, words, saved.missing(), processes):
            saved.put(first, scores)
            report(saved.solved, len(positions))
    return derive(found, saved.scores)


def extend(
    book: Book,
    checkpoint: Path,
    *,
    seconds: float = math.inf,
    processes: int = 1,
    table_mb: int = 512,
    on_progress: Callable[[int, int], None] | None = None,
) -> Book:
    """Find a move that keeps the value for positions of a book's last ply that have none yet.

    Ends with those found so far after that many seconds. Checkpoint, processes and `on_progress`
    are those of `build`.
    """
    game = book.game
    keys, scores, columns = book.content()
    wanted = np.flatnonzero(can_have_move(game, book.plies, keys, scores) & (columns == 0))
    taken = stones_of(game, keys[wanted])
    own = keys[wanted] - taken
    words = (own, taken ^ own, np.sign(scores[wanted]))
    saved = Checkpoint(checkpoint, keys[wanted])
    report = on_progress or (lambda found, count: None)
    report(saved.solved, len(wanted))
    end = time.monotonic() + seconds
    with workers(processes, _begin_process, game.width, game.height, table_mb) as executor:
        for first, found in _done(executor, _find_chunk, words, saved.missing(), processes):
            saved.put(first, found)
            report(saved.solved, len(wanted))
            if time.monotonic() >= end:
                break
    for chunk in saved.missing():
        wanted[chunk.start : chunk.stop] = -1
    is_found = wanted >= 0
    columns[wanted[is_found]] = saved.scores[is_found].astype(np.uint8)
    return Book.of(game, book.plies, keys, scores, columns)


def _done(
    executor: Executor,
    task: Callable[..., list[int]],
    words: Sequence[NDArray[Any]],
    chunks: Iterator[range],
    processes: int,
) -> Iterator[tuple[int, list[int]]]:
    """Where each chunk begins and what a task finds for it; few are handed out ahead."""
    running: dict[Future[list[int]], int] = {}
    more = True
    try:
        while running or more:
            while more and len(running) < 2 * processes:
                chunk = next(chunks, None)
                if chunk is None:
                    more = False
                else:
                    parts = (array[chunk.start : chunk.stop].tolist() for array in words)
                    running[executor.submit(task, *parts)] = chunk.start
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        if running:
            executor.shutdown(wait=False, cancel_futures=True)


_solver: Solver | None = None


def _begin_process(width: int, height: int, table_mb: int) -> None:
    global _solver
    _solver = Solver(width, height, table_mb=table_mb)


def _solve_chunk(own: list[int], other: list[int]) -> list[int]:
    solver = _solver_here()
    return [solver.score(_position(solver.game, *words)) for words in zip(own, other, strict=True)]


def _find_chunk(own: list[int], other: list[int], signs: list[int]) -> list[int]:
    """The columns, from 1, of moves that keep the value that is known."""
    solver = _solver_here()
    columns = []
    for first, second, sign in zip(own, other, signs, strict=True):
        position = _position(solver.game, first, second)
        # The search knows best which move to look at first; the table then knows which it was.
        solver.bounds(position, floor=sign - 1, ceiling=sign)
        columns.append(solver.move_worth(position, sign) // (solver.game.height + 1) + 1)
    return columns


def _solver_here() -> Solver:
    if _solver is None:
        raise RuntimeError("the process has no solver")
    return _solver


def _position(game: Connect4, own: int, other: int) -> Connect4Position:
    return Connect4Position(game, own, other, (own | other).bit_count() % 2)


def sample(book: Book, count: int, seed: int) -> Iterator[tuple[Connect4Position, int]]:
    """Random positions of a book, with the score it gives them.

    Each is reached by random moves: positions of few stones come up as often as others.
    """
    chance = random.Random(seed)
    while count > 0:
        position = book.game.start()
        for _ in range(chance.randint(0, book.plies)):
            if position.is_over:
                break
            position = position.play(chance.choice(position.moves()))
        score = book.get(position)
        if score is not None:
            yield position, score
            count -= 1
