"""Building an opening book.

Only the positions of the last ply are solved; the scores of those before follow by minimax. They
are solved in the order in which a depth-first walk meets them, on a large table that is never
cleared: then most of what a position's solution needs was found out for its neighbours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.book import Book, book_key
from plywire.engine.connect4.solver.solver import Solver

#: Positions that a process solves before it reports: so much is lost when it is killed.
CHUNK = 32
_UNKNOWN = -128

Layers = list[dict[int, Connect4Position]]


def layers(game: Connect4, plies: int) -> Layers:
    """All positions with up to that many stones in which the game goes on, by their keys.

    One of each mirrored pair; in each ply in the order of a depth-first walk.
    """
    found: Layers = [{} for _ in range(plies + 1)]

    def walk(position: Connect4Position, ply: int) -> None:
        key = book_key(position)
        if position.is_over or key in found[ply]:
            return
        found[ply][key] = position
        if ply < plies:
            for move in position.moves():
                walk(position.play(move), ply + 1)

    walk(game.start(), 0)
    return found


def derive(found: Layers, last: dict[int, int], solver_of_ends: Callable[..., int]) -> Book:
    """The book of all layers, given the scores of the last by their keys."""
    scores = dict(last)
    for layer in reversed(found[:-1]):
        for key, position in layer.items():
            children = map(position.play, position.moves())
            scores[key] = max(
                -solver_of_ends(child) if child.is_over else -scores[book_key(child)]
                for child in children
            )
    keys = sorted(scores)
    game = next(iter(found[0].values())).game
    values = np.array([scores[key] for key in keys], np.int8)
    return Book(game, len(found) - 1, np.array(keys, np.uint64), values)


class Checkpoint:
    """The scores of the last layer that are known so far, in a file."""

    def __init__(self, path: Path, count: int) -> None:
        """Open the file of `count` scores, or begin it.

        Raises ValueError if the file is of another number of scores.
        """
        if path.exists():
            self._scores: np.memmap[tuple[int], np.dtype[np.int8]] = np.lib.format.open_memmap(
                path, mode="r+"
            )
            if self._scores.shape != (count,) or self._scores.dtype != np.int8:
                raise ValueError(f"{path} is not a checkpoint of {count} positions")
        else:
            self._scores = np.lib.format.open_memmap(path, mode="w+", dtype=np.int8, shape=(count,))
            self._scores.fill(_UNKNOWN)

    @property
    def solved(self) -> int:
        """How many scores are known."""
        return int(np.count_nonzero(self._scores != _UNKNOWN))

    @property
    def scores(self) -> list[int]:
        """All scores; those not known yet make no sense."""
        return list(map(int, self._scores))

    def missing(self) -> Iterator[range]:
        """The chunks of which a score is not known yet, in order."""
        for first in range(0, len(self._scores), CHUNK):
            last = min(first + CHUNK, len(self._scores))
            if (self._scores[first:last] == _UNKNOWN).any():
                yield range(first, last)

    def put(self, first: int, scores: Sequence[int]) -> None:
        """Note the scores of a chunk."""
        self._scores[first : first + len(scores)] = scores
        self._scores.flush()


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
    found = layers(game, plies)
    positions = list(found[plies].values())
    saved = Checkpoint(checkpoint, len(positions))
    report = on_progress or (lambda solved, count: None)
    report(saved.solved, len(positions))
    with ProcessPoolExecutor(
        processes,
        mp_context=get_context("spawn"),
        initializer=_begin_process,
        initargs=(game.width, game.height, table_mb),
    ) as executor:
        try:
            for first, scores in _solved(executor, positions, saved.missing(), processes):
                saved.put(first, scores)
                report(saved.solved, len(positions))
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
    last = dict(zip(found[plies], saved.scores, strict=True))
    return derive(found, last, Solver(game.width, game.height, table_mb=1).final_score)


def _solved(
    executor: Executor, positions: list[Connect4Position], chunks: Iterator[range], processes: int
) -> Iterator[tuple[int, list[int]]]:
    """The chunks with their scores as they get solved; few are handed out ahead."""
    running: dict[Future[list[int]], int] = {}
    more = True
    while running or more:
        while more and len(running) < 2 * processes:
            chunk = next(chunks, None)
            if chunk is None:
                more = False
            else:
                words = [(positions[i].own, positions[i].other, positions[i].turn) for i in chunk]
                running[executor.submit(_solve_chunk, words)] = chunk.start
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()


_solver: Solver | None = None


def _begin_process(width: int, height: int, table_mb: int) -> None:
    global _solver
    _solver = Solver(width, height, table_mb=table_mb)


def _solve_chunk(words: list[tuple[int, int, int]]) -> list[int]:
    if _solver is None:
        raise RuntimeError("the process has no solver")
    return [_solver.score(Connect4Position(_solver.game, *word)) for word in words]


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
