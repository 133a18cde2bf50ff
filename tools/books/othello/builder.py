"""Building a book: lines from people's games, then lines that the engine plays against itself.

First come the positions that are frequent in given games. Then the engine plays games against
itself through the book, drawing among moves that are near the best as it does when it plays. Where
a game leaves the book, with the move that a search prefers to all in it, the position after that
move is added. So the book grows along the lines that will be played most (T. Lincke's "drop-out
expansion", by chance in place of his priorities).

After each round the new positions are searched; those before them too, for the best of the moves
that the book does not hold (M. Buro, "Toward opening book learning", 1999). All values follow by
minimax.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from plywire.engine.othello.book.book import Book

from .learning import first_positions
from .searches import Searches
from .tree import Tree

#: Games in a round. More in parallel, but the last know less of what the first found out.
_ROUND = 64


@dataclass(frozen=True, slots=True)
class Plan:
    """What goes into a book."""

    least: int = 100
    """In how many of the games a position must occur."""
    plies: int = 20
    """How far the book goes."""
    positions: int = 4_000
    """How many the engine extends it to by playing against itself."""
    depth: int = 18
    """How deep positions are searched."""
    seed: int = 0
    """Of the games of the engine against itself."""


def build(
    plan: Plan,
    checkpoint: Path,
    *,
    games: Iterable[Iterable[int]] = (),
    processes: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> Book:
    """Build a book; equal plans and games give equal books.

    Games are their moves from the start.
    Searches are kept in the checkpoint: the next run that uses it goes on there. `on_progress` is
    called with how many positions are searched and how many there will be.

    Raises ValueError if the checkpoint is of another depth, and OSError.
    """
    tree = Tree(first_positions(games, plan.plies, plan.least))
    count = max(len(tree), plan.positions)
    chance = random.Random(plan.seed)
    done = 0
    with Searches(checkpoint, plan.depth, processes) as searches:
        while True:
            tasks = tree.tasks()
            found = []
            for best in searches.run(tasks):
                found.append(best)
                done = max(done, len(tree) - len(tasks) + len(found))
                if on_progress:
                    on_progress(done, count)
            tree.learn(tasks, found)
            values = tree.values()
            ends = [tree.play(values, plan.plies, chance) for _ in range(_ROUND)]
            new = sorted({end for end in ends if end is not None})[: count - len(tree)]
            if not new:
                return Book(values, plan.depth)
            tree.add(new)
