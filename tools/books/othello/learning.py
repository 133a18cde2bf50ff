"""Learning from played games: the games choose positions, and searches find their values.

The positions of the games' first plies are added to a book and searched. The positions before them
are searched again for the best move that still leaves the book, as far back as a value has changed
(M. Buro, "Toward opening book learning", 1999). So the engine leaves a line in which a search finds
its own mistake, and knows answers to unexpected moves. The results of games are not used: one game
says next to nothing about its opening.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

from plywire.engine.game import PASS
from plywire.engine.othello.book.book import Book, Key, key, plies
from plywire.engine.othello.rules import Othello, OthelloPosition

from .searches import Searches
from .tree import Tree


def learn(
    book: Book,
    wanted: Iterable[Key],
    checkpoint: Path,
    *,
    processes: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> Book:
    """Add the wanted positions that can be reached through the book and each other.

    The result equals a book that is built of all these positions at once. Searches have the depth
    of the book. The checkpoint keeps them, so the next run goes on there. `on_progress` is called
    with how many positions are done and how many there are.

    Raises ValueError if the checkpoint is of another depth, and OSError.
    """
    known = {node: book[node] for node in book}
    tree = Tree([*known, *wanted])
    backward = sorted(tree, key=plies, reverse=True)
    due = set[Key]()
    for node in backward:
        if node not in known or not due.isdisjoint(tree.within(node).values()):
            due.add(node)
    values = {node: known[node] for node in backward if node not in due}
    done = 0
    with Searches(checkpoint, book.depth, processes) as searches:
        for _, layer in groupby(filter(due.__contains__, backward), plies):
            doubtful = []
            for node in layer:
                after = tree.within(node).values()
                if node in known and all(values[child] == known.get(child) for child in after):
                    values[node] = known[node]
                    done += 1
                else:
                    doubtful.append(node)
            for node, found in zip(
                doubtful, searches.run([*map(tree.task, doubtful)]), strict=True
            ):
                worths = [-values[child] for child in tree.within(node).values()]
                values[node] = max([*worths, found.value] if found else worths)
                done += 1
                if on_progress:
                    on_progress(done, len(due))
    return Book(values, book.depth)


def first_positions(games: Iterable[Iterable[int]], furthest: int, least: int = 1) -> list[Key]:
    """Return the positions up to ply `furthest` that occur in at least `least` games.

    A game is its moves from the start. It counts up to its end or its first pass, because books
    hold only positions in which a disc is placed.
    """
    counts = Counter(key(position) for moves in games for position in _opening(moves, furthest))
    return [node for node, count in counts.items() if count >= least]


def _opening(moves: Iterable[int], furthest: int) -> Iterator[OthelloPosition]:
    rest = iter(moves)
    position = Othello().start()
    while plies(position.words()) <= furthest and position.moves() not in ((), (PASS,)):
        yield position
        if (move := next(rest, None)) is None:
            return
        position = position.play(move)
