"""A growing book: its positions, the moves between them, and the results of searches."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from plywire.engine.othello.book.book import MARGIN, START, Key, key, plies, position_of
from plywire.engine.othello.rules import mobility

from .searches import Found, Task

#: Maximum loss by a careless player's move, in hundredths of a disc. The book also has positions
#: after such moves.
_CARELESS_MARGIN = 300


class Tree:
    """Positions that legal moves connect with the start, and searches of moves that leave them."""

    def __init__(self, wanted: Iterable[Key]) -> None:
        """Take the start, and the wanted positions that others of them connect with the start."""
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
        return len(self._moves)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._moves)

    def add(self, nodes: Iterable[Key]) -> None:
        """Add positions, each one move away from a position of the tree."""
        for node in nodes:
            self._moves[node] = _moves(node)

    def within(self, node: Key) -> dict[int, Key]:
        """Return the moves of a position that stay in the tree, with the positions after them."""
        return {move: child for move, child in self._moves[node].items() if child in self._moves}

    def task(self, node: Key) -> Task:
        """Return the search for the best move of a position that leaves the tree."""
        return Task(node, sum(1 << move for move in self.within(node)))

    def tasks(self) -> list[Task]:
        """Return the searches that are missing or outdated."""
        tasks = map(self.task, self._moves)
        return [task for task in tasks if task != self._searched.get(task.key)]

    def learn(self, tasks: Sequence[Task], found: Sequence[Found | None]) -> None:
        """Store the results of searches; None stands for a position without moves to search."""
        for task, best in zip(tasks, found, strict=True):
            self._searched[task.key] = task
            self._found[task.key] = best

    def values(self) -> dict[Key, int]:
        """Value all positions by minimax."""
        values: dict[Key, int] = {}
        for node in sorted(self._moves, key=plies, reverse=True):
            values[node] = max(self._worths(node, values).values())
        return values

    def play(self, values: dict[Key, int], furthest: int, chance: Random) -> Key | None:
        """Play a game of the engine against itself; returns the position that leaves the tree.

        One player, drawn by chance, also accepts moves that are further from the best. Returns None
        if the position is more than `furthest` plies from the start, or if a pass or the end of the
        game follows.
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
        """Value the moves that stay in the tree, and the best of the other moves."""
        worths = {move: -values[child] for move, child in self.within(node).items()}
        if best := self._found[node]:
            worths[best.move] = best.value
        return worths


def _moves(node: Key) -> dict[int, Key]:
    """Return the moves to which the opponent has a reply, with the positions after them."""
    position = position_of(node)
    following = ((move, position.play(move)) for move in position.moves())
    return {move: key(after) for move, after in following if mobility(after.own, after.other)}
