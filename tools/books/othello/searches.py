"""The searches of a book, kept in a file so that none is done twice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from plywire.engine import bitboard
from plywire.engine.othello.book.book import Key, plies, position_of
from plywire.engine.othello.confidence import CONFIDENCES
from plywire.engine.othello.midgame.searcher import MidgameSearcher
from plywire.engine.search.searcher import Iteration
from plywire.engine.search.table import NO_MOVE, TranspositionTable
from plywire.engine.workers import workers

#: Number of searches that a process gets at once.
_CHUNK = 8
#: The size of the table in MB. The table is cleared for each search.
TABLE_MB = 16
_UNLIMITED = (1 << 64) - 1
#: A number greater than all values, in hundredths of a disc.
_INFINITY = 10_000


@dataclass(frozen=True, slots=True)
class Task:
    """A position to search, and a bit for each move to leave out."""

    key: Key
    excluded: int


@dataclass(frozen=True, slots=True)
class Found:
    """The best move that is not left out, and its value in hundredths of a disc."""

    move: int
    value: int


class Searches:
    """Searches to one depth. A search depends on its task alone, so its time does not matter.

    All searches end in positions with Black to move, if necessary one ply deeper. An evaluation is
    biased towards one player, and so the bias is the same for all moves.
    """

    def __init__(self, file: Path, depth: int, processes: int = 1) -> None:
        """Read the file, or begin it, and start the processes.

        Raises ValueError if the file holds something else or another depth, and OSError.
        """
        file.touch()
        if not file.stat().st_size:
            file.write_bytes(_head(depth).encode())
        self._found, whole = _read(file, depth)
        self._file = file.open("r+", encoding="ascii", newline="\n")
        self._file.truncate(whole)  # drop a last line that was cut off
        self._file.seek(whole)
        self._executor = workers(processes, _begin_process, depth)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """End the processes. After an error, drop the searches that have not begun."""
        self._executor.shutdown(wait=kind is None, cancel_futures=True)
        self._file.close()

    def run(self, tasks: Sequence[Task]) -> Iterator[Found | None]:
        """Yield the results in the order of the tasks; None if no move is left to search."""
        missing = [task for task in tasks if task not in self._found]
        results = zip(missing, self._executor.map(_search, missing, chunksize=_CHUNK), strict=True)
        for task in tasks:
            if task not in self._found:
                self._keep(*next(results))
            yield self._found[task]

    def _keep(self, task: Task, found: Found | None) -> None:
        self._found[task] = found
        best = "-" if found is None else f"{found.move} {found.value}"
        own, other = task.key
        self._file.write(f"{own:x} {other:x} {task.excluded:x} {best}\n")
        self._file.flush()


def _head(depth: int) -> str:
    return f"searches of Othello positions {depth} plies deep\n"


def _read(file: Path, depth: int) -> tuple[dict[Task, Found | None], int]:
    """Read the searches in a file; returns them, and the length of its whole lines in bytes."""
    found: dict[Task, Found | None] = {}
    try:
        text = file.read_text("ascii")
        head, *lines = text[: text.rindex("\n") + 1].splitlines(keepends=True)
        if head != _head(depth):
            raise ValueError(head)
        for line in lines:
            own, other, excluded, *best = line.split()
            task = Task((int(own, 16), int(other, 16)), int(excluded, 16))
            found[task] = None if best == ["-"] else Found(*map(int, best))
    except ValueError:
        expected = f"searches of Othello positions {depth} plies deep"
        raise ValueError(f"{file} does not hold {expected}") from None
    return found, len(head) + sum(map(len, lines))


_depth = 0
_table: TranspositionTable | None = None


def _begin_process(depth: int) -> None:
    global _depth, _table
    _depth, _table = depth, TranspositionTable(TABLE_MB)


def _search(task: Task) -> Found | None:
    if _table is None:
        raise RuntimeError("the process has no table")
    return search(task, _depth, _table)


def search(task: Task, depth: int, table: TranspositionTable) -> Found | None:
    """Search a position to that depth, or one ply deeper; clears the table first."""
    position = position_of(task.key)
    if all(task.excluded >> move & 1 for move in position.moves()):
        return None
    depth += (plies(task.key) + depth) % 2
    table.clear()
    table.begin_search()
    searcher = MidgameSearcher(position, table, _UNLIMITED)
    searcher.root_move = int(NO_MOVE)
    searcher.exclude(bitboard.squares(task.excluded))
    value = 0
    for nearer in range(2 - depth % 2, depth + 1, 2):
        value = searcher.search(Iteration(nearer, CONFIDENCES[0]), -_INFINITY, _INFINITY)
    return Found(searcher.root_move, value)
