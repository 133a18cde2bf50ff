"""A book that grows: its positions, the moves between them, and what searches found."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from plywire.engine.othello.book.book import MARGIN, START, Key, key, plies, position_of
from plywire.engine.othello.rules import mobility

from .searches import Found, Task

#: What a player whom the book is to be ready for gives away with a move, in hundredths of a disc.
_CARELESS_MARGIN = 300


class Tree:
    """Positions that moves from the start lead to, each followed by the others' search."""

    def __init__(self, wanted: Iterable[Key]) -> None:
        """Of the wanted positions those that can be reached by way of the others; and the start."""
        self._moves: dict[Key, dict[int, Key]] = {}
        self._searched: dict[Key, Task] = {}
        self._found: dict[Key, Found | None] = {}
        missing = {START, *wanted}
        waiting = [START]
        while waiting:
            node = waiting.pop()
            if node in missing:
                missing.remove(node)
                self.add((node,))
                waiting += self._moves[node].values()

    def __len__(self) -> int:
        """How many positions there are."""
        return len(self._moves)

    def __iter__(self) -> Iterator[Key]:
        """The positions."""
        return iter(self._moves)

    def add(self, nodes: Iterable[Key]) -> None:
        """Add positions, to each of which a move leads from one that is there already."""
        for node in nodes:
            self._moves[node] = _moves(node)

    def within(self, node: Key) -> dict[int, Key]:
        """The moves of a position that lead to others of the tree, and to which."""
        return {move: child for move, child in self._moves[node].items() if child in self._moves}

    def task(self, node: Key) -> Task:
        """The search of a position for the best of its moves that lead out of the tree."""
        return Task(node, sum(1 << move for move in self.within(node)))

    def tasks(self) -> list[Task]:
        """What has to be searched: for each position its moves to others than these."""
        tasks = map(self.task, self._moves)
        return [task for task in tasks if task != self._searched.get(task.key)]

    def learn(self, tasks: Sequence[Task], found: Sequence[Found | None]) -> None:
        """Take note of what searches found, None where no move was left."""
        for task, best in zip(tasks, found, strict=True):
            self._searched[task.key] = task
            self._found[task.key] = best

    def values(self) -> dict[Key, int]:
        """What each position is worth, from the last back to the start."""
        values: dict[Key, int] = {}
        for node in sorted(self._moves, key=plies, reverse=True):
            values[node] = max(self._worths(node, values).values())
        return values

    def play(self, values: dict[Key, int], furthest: int, chance: Random) -> Key | None:
        """A game of the engine against itself: the position with which it leaves the tree.

        One side, by chance either, is less choosy. None if the position is more than `furthest`
        plies from the start, or the game goes on by a pass or not at all.
        """
        node = START
        margins = chance.sample((MARGIN, _CARELESS_MARGIN), 2)
        while True:
            worths = self._worths(node, values)
            least = values[node] - margins[plies(node) % 2]
            move = chance.choice([move for move, worth in worths.items() if worth >= least])
            child = self._moves[node].get(move)
            if child is None or plies(child) > furthest:
                return None
            if child not in self._moves:
                return child
            node = child

    def _worths(self, node: Key, values: dict[Key, int]) -> dict[int, int]:
        """What the moves within the tree are worth, and the best of the others."""
        worths = {move: -values[child] for move, child in self.within(node).items()}
        if best := self._found[node]:
            worths[best.move] = best.value
        return worths


def _moves(node: Key) -> dict[int, Key]:
    """The moves after which the other player has one too, and where they lead."""
    position = position_of(node)
    following = ((move, position.play(move)) for move in position.moves())
    return {move: key(after) for move, after in following if mobility(after.own, after.other)}
