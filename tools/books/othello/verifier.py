"""Checking a book against itself, and against searches."""

from collections.abc import Iterator
from random import Random

from plywire.engine.othello.book.book import START, Book, key, position_of
from plywire.engine.othello.rules import OthelloPosition
from plywire.engine.search.table import TranspositionTable

from .searches import TABLE_MB, Task, search


def contradictions(book: Book) -> Iterator[str]:
    """Yield descriptions of what is wrong within a book.

    In a correct book, legal moves lead from the start to each position, a position is the least of
    its images, and no position is worth less than one of its moves.
    """
    unreached = set(book)
    waiting = [START]
    while waiting:
        node = waiting.pop()
        if node not in unreached:
            continue
        unreached.remove(node)
        position = position_of(node)
        waiting += (key(position.play(move)) for move in position.moves())
        best = max(book.moves(position).values(), default=book[node])
        if best > book[node]:
            yield f"{position.fen()} is worth {book[node]}, but has a move worth {best}"
    for node in sorted(unreached):
        yield f"{position_of(node).fen()} is not reached by moves from the start"


def sample(book: Book, count: int, seed: int) -> Iterator[tuple[OthelloPosition, int, int]]:
    """Yield random positions with their stored values, and the values by a new search."""
    table = TranspositionTable(TABLE_MB)
    nodes = sorted(book)
    for node in Random(seed).choices(nodes, k=count):
        position = position_of(node)
        moves = book.moves(position)
        best = search(Task(node, sum(1 << move for move in moves)), book.depth, table)
        yield position, book[node], max([*moves.values(), *([best.value] if best else [])])
