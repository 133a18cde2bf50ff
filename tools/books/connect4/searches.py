"""The searches of the processes that make a book, each with a table that is never cleared."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

from numpy.typing import NDArray

from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from plywire.engine.search.bounds import StoppedError
from plywire.engine.workers import workers

from .checkpoint import Checkpoint

#: Numbers of nodes, by the number of stones beyond the book's last ply. A position is hard to play
#: if these nodes, on an empty table, do not prove that it is won or drawn.
HARD_NODES = {1: 10_000, 2: 15_000, 3: 30_000, 4: 20_000}
#: A score is hard to find if it takes more nodes than this on an empty table.
HARD_SCORE_NODES = 30_000
#: Stands for a score that is not hard to find.
EASY = -128
_SMALL_TABLE_MB = 1

Task = Callable[..., list[int]]


def searched(
    game: Connect4,
    task: Task,
    words: Sequence[NDArray[Any]],
    saved: Checkpoint,
    *,
    processes: int,
    table_mb: int,
) -> Iterator[None]:
    """Do a task for all chunks that a checkpoint lacks, store the results, and yield after each.

    `words` are the arguments of the task: arrays with an entry for each position of the checkpoint.
    Only a few chunks are handed out ahead.
    """
    running: dict[Future[list[int]], int] = {}
    chunks = saved.missing()
    more = True
    with workers(processes, _begin_process, game.width, game.height, table_mb) as executor:
        try:
            while running or more:
                while more and len(running) < 2 * processes:
                    chunk = next(chunks, None)
                    if chunk is None:
                        more = False
                    else:
                        parts = (array[chunk.start : chunk.stop].tolist() for array in words)
                        running[executor.submit(task, *parts)] = chunk.start
                done = wait(running, return_when=FIRST_COMPLETED).done
                # The results are stored in order. If the run ends here, all results up to some key
                # are known.
                for future in sorted(done, key=running.__getitem__):
                    saved.put(running.pop(future), future.result())
                    yield
        finally:
            if running:
                executor.shutdown(wait=False, cancel_futures=True)


_solver: Solver | None = None
_forgetful: Solver | None = None


def _begin_process(width: int, height: int, table_mb: int) -> None:
    global _solver, _forgetful
    _solver = Solver(width, height, table_mb=table_mb)
    _forgetful = Solver(width, height, table_mb=_SMALL_TABLE_MB)


def solve_all(own: list[int], other: list[int]) -> list[int]:
    """Solve positions; returns their scores."""
    solver = _here(_solver)
    return [solver.score(_position(solver.game, *words)) for words in zip(own, other, strict=True)]


def find_moves(own: list[int], other: list[int], signs: list[int]) -> list[int]:
    """Find moves that keep the known signs of the scores; returns their columns, from 1."""
    solver = _here(_solver)
    columns = []
    for first, second, sign in zip(own, other, signs, strict=True):
        position = _position(solver.game, first, second)
        # This search fills the table with most of the proof that `_column` needs.
        solver.bounds(position, floor=sign - 1, ceiling=sign)
        columns.append(_column(solver, position, sign))
    return columns


def find_hard(nodes: int, own: list[int], other: list[int], at_least: list[int]) -> list[int]:
    """Find moves for positions that are hard to play.

    Returns the column, from 1, of a winning move; minus the column of a drawing move; or 0 if the
    position is lost or `nodes` suffice for it. `at_least` are lower bounds of the scores' signs.
    """
    solver = _here(_solver)
    columns = []
    for first, second, known in zip(own, other, at_least, strict=True):
        position = _position(solver.game, first, second)
        sign = known
        if known < 1:
            found = solver.bounds(position, floor=known, ceiling=1)
            sign = max(known, min(1, found.lower))
        column = 0
        if sign >= 0 and _is_hard(position, sign, nodes):
            solver.bounds(position, floor=sign - 1, ceiling=sign)
            column = _column(solver, position, sign)
        columns.append(column if sign > 0 else -column)
    return columns


def find_scores(
    nodes: int, own: list[int], other: list[int], at_least: list[int], is_held: list[bool]
) -> list[int]:
    """Solve the positions that the book holds, and those whose scores are hard to find.

    A score is hard to find if `nodes` do not suffice. Returns `EASY` for other positions.
    `at_least` are lower bounds of the scores.
    """
    solver = _here(_solver)
    scores = []
    for first, second, known, held in zip(own, other, at_least, is_held, strict=True):
        position = _position(solver.game, first, second)
        is_wanted = held or _has_hard_score(position, known, nodes)
        scores.append(solver.score(position, at_least=known) if is_wanted else EASY)
    return scores


def _is_hard(position: Connect4Position, sign: int, nodes: int) -> bool:
    solver = _here(_forgetful)
    solver.clear()
    found = solver.bounds(position, floor=sign - 1, ceiling=sign, nodes=nodes)
    return found.lower < sign


def _has_hard_score(position: Connect4Position, at_least: int, nodes: int) -> bool:
    solver = _here(_forgetful)
    solver.clear()
    try:
        solver.score(position, at_least=at_least, nodes=nodes)
    except StoppedError:
        return True
    return False


def _column(solver: Solver, position: Connect4Position, sign: int) -> int:
    return solver.move_worth(position, sign) // (solver.game.height + 1) + 1


def _here(solver: Solver | None) -> Solver:
    if solver is None:
        raise RuntimeError("the process has no solver")
    return solver


def _position(game: Connect4, own: int, other: int) -> Connect4Position:
    return Connect4Position(game, own, other, (own | other).bit_count() % 2)
