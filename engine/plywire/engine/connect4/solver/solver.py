"""The solver as an object: exact scores of all positions of one board size."""

from __future__ import annotations

import contextlib
import threading
import time

from plywire.engine.compiled.constant import values
from plywire.engine.compiled.native import Wanted, load
from plywire.engine.compiled.program import Program
from plywire.engine.connect4.book.book import PLIES_BEYOND, WON, Book
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.search.bounds import Bounds, StoppedError
from plywire.engine.search.stop import Stop

from .geometry import CONSTANTS, Geometry
from .memory import SolverTable, Workspace
from .threads import UNLIMITED, SolverThreads

DEFAULT_TABLE_MB = 64
#: Number of nodes before the helpers join in. To start the helpers takes as long as some thousand
#: nodes.
_ALONE_NODES = 20_000
#: Number of nodes of each move's first search, when `move_worth` looks for a move with a known
#: score.
FIRST_LOOK_NODES = 64
GREATEST_SCORE = 99

_PROGRAM = Program(
    "connect4-solver", "plywire.engine", "plywire.engine.connect4.solver.root:entries"
)


class Solver:
    """Solves positions of one board size, one at a time; callable from any thread.

    Scores follow the classic suites: +k if the player to move wins with the k-th last stone, -k if
    the opponent does, 0 for a draw. The table keeps the results of a solve for the next.
    """

    def __init__(
        self,
        width: int = 7,
        height: int = 6,
        *,
        table_mb: float = DEFAULT_TABLE_MB,
        threads: int = 1,
        book: Book | None = None,
    ) -> None:
        """Make a solver; the first solver of a board size compiles the kernels.

        With one thread, equal solves visit equal nodes. Raises PositionError if Connect Four is not
        played at this size, ValueError if a number is out of range or memory is short.
        """
        self.game = Connect4(width, height)
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self._book = book
        self._cells = width * height
        self._table = SolverTable(table_mb)
        is_shared = threads > 1
        wanted = solver_wanted(width, height, is_shared=is_shared)
        self._threads = SolverThreads(
            load(wanted.program, wanted.constants).solve,
            [Workspace(self._table, is_shared=is_shared) for _ in range(threads)],
            alone_nodes=_ALONE_NODES,
            on_joined=self._table.forget_busy,
        )
        self._lock = threading.Lock()
        self._ended = Stop()
        self._ended.set()

    @property
    def nodes(self) -> int:
        return self._threads.nodes

    def bounds(
        self,
        position: Connect4Position,
        *,
        floor: int = -GREATEST_SCORE,
        ceiling: int = GREATEST_SCORE,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> Bounds:
        """Search until the score is known, or is proven to be <= `floor` or >= `ceiling`.

        Returns the bounds so far when `stop` is set or after `nodes` nodes.
        """
        if position.is_over:
            score = self.final_score(position)
            return Bounds(score, score)
        known = None if self._book is None else self._book.get(position)
        if known is not None:
            return Bounds(known, known)
        return self.searched(position, floor=floor, ceiling=ceiling, nodes=nodes, stop=stop)

    def searched(
        self,
        position: Connect4Position,
        *,
        floor: int,
        ceiling: int,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> Bounds:
        """Search as `bounds` does, but without the book; the game must not be over."""
        stones = (position.own | position.other).bit_count()
        words = (position.own, position.other, stones, floor, ceiling)
        with self._lock:
            return self._threads.solve(words, nodes, stop)

    def known(self, position: Connect4Position) -> Bounds:
        """Return the bounds of a score that are known without search."""
        return self.bounds(position, stop=self._ended)

    def inherited(self, position: Connect4Position) -> Bounds:
        """Return the bounds that the book gives for a position beyond its last ply."""
        if self._book is None:
            return Bounds(-GREATEST_SCORE, GREATEST_SCORE)
        score = self._book.get_beyond(position)
        if score is not None and score != WON:
            return Bounds(score, score)
        at_least = self._book.at_least(position)
        lower = -GREATEST_SCORE if at_least is None else at_least
        return Bounds(max(lower, 1) if score == WON else lower, GREATEST_SCORE)

    def is_near_end_of_book(self, position: Connect4Position) -> bool:
        """Whether the position is in the last two plies of the book or a few plies beyond."""
        if self._book is None:
            return False
        stones = (position.own | position.other).bit_count()
        return self._book.plies - 2 <= stones <= self._book.plies + PLIES_BEYOND

    def book_move(self, position: Connect4Position) -> int | None:
        """Return the book's move, which keeps the value of the position; None if unknown."""
        return None if self._book is None else self._book.move(position)

    def book_entry(self, position: Connect4Position) -> tuple[int | None, int | None]:
        """Return the sign of a score and a move that keeps it; each is None if unknown."""
        if self._book is None:
            return None, None
        score, move = self._book.entry(position)
        return None if score is None else (score > 0) - (score < 0), move

    def timed(self, position: Connect4Position) -> tuple[Bounds, float]:
        """Solve a position on an empty table; return the bounds and the kernel's CPU seconds."""
        self.clear()
        if self._threads.size > 1 or position.is_over or self._book is not None:
            began = time.process_time_ns()
            found = self.bounds(position)
            return found, (time.process_time_ns() - began) / 1e9
        stones = (position.own | position.other).bit_count()
        with self._lock:
            return self._threads.timed(
                (position.own, position.other, stones, -GREATEST_SCORE, GREATEST_SCORE)
            )

    def score(
        self,
        position: Connect4Position,
        *,
        weak: bool = False,
        at_least: int = -GREATEST_SCORE,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> int:
        """Return the score of a position, or its sign if `weak`.

        A finished game is scored for the player whose turn it would be. `at_least` is a known
        bound. Raises StoppedError, with the bounds, if `stop` is set or the nodes are spent first.
        """
        known = self._told(position).and_(Bounds(at_least, GREATEST_SCORE))
        return self._score(position, known, known.lower, nodes, weak=weak, stop=stop)

    def _score(
        self,
        position: Connect4Position,
        known: Bounds,
        guess: int,
        nodes: int,
        *,
        weak: bool,
        stop: Stop | None,
    ) -> int:
        """Return the score within known bounds; first ask whether it exceeds `guess`."""
        last_node = self.nodes + nodes
        least, most = (-1, 1) if weak else (-GREATEST_SCORE, GREATEST_SCORE)
        for lower, upper in ((guess, guess + 1), (least, most)):
            floor, ceiling = max(lower, least, known.lower), min(upper, most, known.upper)
            left = last_node - self.nodes
            if floor < ceiling and left > 0:
                known = known.and_(
                    self.bounds(position, floor=floor, ceiling=ceiling, nodes=left, stop=stop)
                )
        score = known.sign if weak else known.lower if known.is_exact else None
        if score is None:
            raise StoppedError(known)
        return score

    def scores(
        self,
        position: Connect4Position,
        *,
        weak: bool = False,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> tuple[int | None, ...]:
        """Return the worth of a stone in each column for the player to move, None if no stone fits.

        The book's move is searched last. If all other moves are worth less, it has the worth of the
        position.
        Raises StoppedError if `stop` is set or the nodes are spent first.
        """
        last_node = self.nodes + nodes
        known = self._known_of_best(position)
        book_move = self.book_move(position)
        least = max(-1, min(known.lower, 1)) if weak else known.lower
        # The best moves are mostly near the centre. They come last, because the scores of the other
        # moves then bound theirs.
        moves = self.from_the_centre(position)[::-1]
        moves.sort(key=lambda move: move == book_move)
        found: list[int | None] = [None] * self.game.width
        for move in moves:
            child = position.play(move)
            of_child = self._told(child).and_(Bounds(-known.upper, GREATEST_SCORE))
            if move == moves[-1] and all(worth is None or worth < least for worth in found):
                of_child = of_child.and_(Bounds(-GREATEST_SCORE, -known.lower))
            elif move == book_move and known.sign is not None:
                of_child = of_child.and_(Bounds(-GREATEST_SCORE, -known.sign))
            guess = max(of_child.lower, -known.lower)
            left = last_node - self.nodes
            worth = -self._score(child, of_child, guess, left, weak=weak, stop=stop)
            found[move // (self.game.height + 1)] = worth
        return tuple(found)

    def _told(self, position: Connect4Position) -> Bounds:
        """Return the exact score of a finished game, otherwise the bounds of `inherited`."""
        return self.known(position) if position.is_over else self.inherited(position)

    def _known_of_best(self, position: Connect4Position) -> Bounds:
        """Return the bounds of a position's score before the search of its moves.

        If the book has the scores of all moves, no bounds are looked up, to save time.
        """
        stones = (position.own | position.other).bit_count()
        if self._book is not None and stones < self._book.plies:
            return Bounds(-GREATEST_SCORE, GREATEST_SCORE)
        return self.known(position).and_(self.inherited(position))

    def final_score(self, position: Connect4Position) -> int:
        if not self.game.has_four(position.other):
            return 0
        stones = (position.own | position.other).bit_count()
        return -((self._cells + 2 - stones) // 2)

    def distance(self, position: Connect4Position, score: int) -> int:
        stones = (position.own | position.other).bit_count()
        if score == 0:
            return self._cells - stones
        # Let k be the size of the score. When the winner plays the k-th last stone, the board has
        # `before` stones or one more, depending on whose turn it then is.
        before = self._cells - 2 * abs(score)
        winner_moves_now = score > 0
        if (before - stones) % 2 != (0 if winner_moves_now else 1):
            before += 1
        return before + 1 - stones

    def best_move(self, position: Connect4Position) -> int:
        """Return a move near the centre that wins soonest or loses latest.

        Raises ValueError if the game is over.
        """
        if position.is_over:
            raise ValueError("the game is over: there is no best move")
        return self.move_worth(position, self.score(position))

    def move_worth(
        self,
        position: Connect4Position,
        score: int,
        *,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> int:
        """Return a move that is worth at least `score`, the known score of the position.

        All moves get a short search at first, because the table may hold most of the proof. Longer
        searches follow. Raises StoppedError if `stop` is set or the nodes are spent first.
        """
        last_node = self.nodes + nodes
        moves = self.from_the_centre(position)
        look = FIRST_LOOK_NODES
        while moves and not (stop is not None and stop.is_set):
            open_moves = []
            for move in moves:
                budget = min(look, last_node - self.nodes)
                if budget <= 0:
                    raise StoppedError(Bounds(score, GREATEST_SCORE))
                child = position.play(move)
                found = self.bounds(child, floor=-score, ceiling=1 - score, nodes=budget, stop=stop)
                if found.upper <= -score:
                    return move
                if found.lower <= -score:
                    open_moves.append(move)
            moves = open_moves
            look *= 4
        raise StoppedError(Bounds(score, GREATEST_SCORE))

    def principal_variation(
        self,
        position: Connect4Position,
        *,
        score: int | None = None,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> tuple[int, ...]:
        """Return best moves for both players to the end of the game, fewer if stopped."""
        last_node = self.nodes + nodes
        line: list[int] = []
        with contextlib.suppress(StoppedError):
            score = self.score(position, stop=stop) if score is None else score
            while not position.is_over:
                left = last_node - self.nodes
                move = self.move_worth(position, score, nodes=left, stop=stop)
                line.append(move)
                position, score = position.play(move), -score
        return tuple(line)

    def from_the_centre(self, position: Connect4Position) -> list[int]:
        middle = (self.game.width - 1) / 2
        stride = self.game.height + 1
        return sorted(position.moves(), key=lambda move: abs(move // stride - middle))

    def hashfull(self) -> int:
        return self._table.hashfull()

    def clear(self) -> None:
        with self._lock:
            self._table.clear()
            self._threads.clear()


def solver_wanted(width: int, height: int, *, is_shared: bool = False) -> Wanted:
    """Return the solver's kernels for this board size; `is_shared` is for several threads."""
    return Wanted(_PROGRAM, values(CONSTANTS, Geometry(width, height, is_shared)))
