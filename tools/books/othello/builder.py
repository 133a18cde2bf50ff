"""Building a book: lines of people's games, then lines that the engine plays against itself.

The build begins with the frequent positions of given games. Then the engine plays against itself
through the book, and draws among moves that are near the best, as it does in play. If a search
prefers a move that leaves the book, the position after this move is added. So the book grows along
the lines that will be played most (T. Lincke's "drop-out expansion", by chance instead of his
priorities).

After each round, the new positions are searched. The positions before them are searched again, for
the best move that leaves the book (M. Buro, "Toward opening book learning", 1999). All values
follow by minimax.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from plywire.engine.othello.book.book import Book

from .learning import first_positions
from .searches import Searches
from .tree import Tree

#: Number of games in a round. With more games, more would run in parallel, but later games would
#: learn less from earlier ones.
_ROUND = 64


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a book."""

    least: int = 100
    """Number of games in which a position must occur."""
    plies: int = 20
    """Length of the book, in plies."""
    positions: int = 4_000
    """Number of positions up to which the engine's games extend the book."""
    depth: int = 18
    """Search depth, in plies."""
    seed: int = 0
    """Seed of the engine's games against itself."""


def build(
    plan: Plan,
    checkpoint: Path,
    *,
    games: Iterable[Iterable[int]] = (),
    processes: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> Book:
    """Build a book; equal plans and games give equal books.

    A game is its moves from the start. The checkpoint keeps all searches, so the next run goes on
    there. `on_progress` is called with how many positions are searched and how many there will be.

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
