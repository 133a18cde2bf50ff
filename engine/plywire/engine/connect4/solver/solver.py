"""The solver as an object: exact scores of any position of one board size."""

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
#: Nodes after which the helpers join in: starting them takes as long as some thousand nodes.
_ALONE_NODES = 20_000
#: Nodes for the first look for a move that is known to be among the best.
_FIRST_LOOK_NODES = 64
#: Beyond every score.
GREATEST_SCORE = 99

_PROGRAM = Program(
    "connect4-solver", "plywire.engine", "plywire.engine.connect4.solver.root:entries"
)


class Solver:
    """Solves positions of one board size, one at a time; callable from any thread.

    Scores follow the classic suites: +k if the side to move wins with its k-th last stone, -k if
    it loses so, 0 for a draw. What one solve finds out stays in the table and serves the next.
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
        """A solver for boards of width x height squares, compiled when one is first made.

        With one thread, equal solves on equal tables visit equal nodes. Raises PositionError if
        Connect Four does not come in that size, ValueError if a number is out of range or memory is
        short.
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
        """Nodes visited by all solves so far, by all threads."""
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
        """Narrow the score of a position until it is known, at most `floor` or at least `ceiling`.

        Ends early, with what is proven so far, when `stop` is set or after that many nodes.
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
        """Do the same by search alone, so that the table knows more; the game must go on."""
        stones = (position.own | position.other).bit_count()
        words = (position.own, position.other, stones, floor, ceiling)
        with self._lock:
            return self._threads.solve(words, nodes, stop)

    def known(self, position: Connect4Position) -> Bounds:
        """What is known of the score of a position without any search."""
        return self.bounds(position, stop=self._ended)

    def inherited(self, position: Connect4Position) -> Bounds:
        """What the book says about the score of a position beyond its last ply."""
        if self._book is None:
            return Bounds(-GREATEST_SCORE, GREATEST_SCORE)
        score = self._book.get_beyond(position)
        if score is not None and score != WON:
            return Bounds(score, score)
        at_least = self._book.at_least(position)
        lower = -GREATEST_SCORE if at_least is None else at_least
        return Bounds(max(lower, 1) if score == WON else lower, GREATEST_SCORE)

    def is_near_end_of_book(self, position: Connect4Position) -> bool:
        """Whether the game soon leaves the book, or left it less than some plies ago."""
        if self._book is None:
            return False
        stones = (position.own | position.other).bit_count()
        return self._book.plies - 2 <= stones <= self._book.plies + PLIES_BEYOND

    def book_move(self, position: Connect4Position) -> int | None:
        """A move that the book holds for a position; it keeps the value."""
        return None if self._book is None else self._book.move(position)

    def book_entry(self, position: Connect4Position) -> tuple[int | None, int | None]:
        """The sign of a score and a move that keeps it, each None where the book lacks it.

        The game must go on in the position.
        """
        if self._book is None:
            return None, None
        score, move = self._book.entry(position)
        return None if score is None else (score > 0) - (score < 0), move

    def timed(self, position: Connect4Position) -> tuple[Bounds, float]:
        """Solve a position on an empty table; returns what it took as well, in seconds of CPU time.

        Neither clearing the table nor what Python does before and after the kernel is counted, if
        there is but one thread.
        """
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
        """The score of a position, or its sign if `weak`.

        A finished game scores as it ended, for the side whose turn it would be. The bounds that the
        book gives are not searched for, and neither is the lower bound `at_least`. Raises
        StoppedError, which holds what is proven, if `stop` is set or the nodes are spent before the
        score is known.
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
        """The same if bounds are known; asks first if the position is worth more than a guess."""
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
        """What a stone in each column is worth to the side that drops it, None if no stone fits.

        At the book's last ply, the score of the position bounds the others. The book's move comes
        last: if all other moves are worth less, it is worth as much as the position. Raises
        StoppedError if `stop` is set or the nodes are spent before all scores are known.
        """
        last_node = self.nodes + nodes
        known = self._known_of_best(position)
        book_move = self.book_move(position)
        least = max(-1, min(known.lower, 1)) if weak else known.lower
        # The best moves, mostly near the centre, come last: by then, the others bound their scores.
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
        """The bounds of a score by the end of the game, or by the book beyond its last ply."""
        return self.known(position) if position.is_over else self.inherited(position)

    def _known_of_best(self, position: Connect4Position) -> Bounds:
        """The bounds of a position's score before the scores of all its moves are searched.

        None where the book has the scores of all moves: to look up the position, too, takes time.
        """
        stones = (position.own | position.other).bit_count()
        if self._book is not None and stones < self._book.plies:
            return Bounds(-GREATEST_SCORE, GREATEST_SCORE)
        return self.known(position).and_(self.inherited(position))

    def final_score(self, position: Connect4Position) -> int:
        """The score of a finished game."""
        if not self.game.has_four(position.other):
            return 0
        stones = (position.own | position.other).bit_count()
        return -((self._cells + 2 - stones) // 2)

    def distance(self, position: Connect4Position, score: int) -> int:
        """Plies to the end of the game from a position with that score."""
        stones = (position.own | position.other).bit_count()
        if score == 0:
            return self._cells - stones
        # The winner's k-th last stone falls with one of these two on the board, as its turn has it.
        before = self._cells - 2 * abs(score)
        winner_moves_now = score > 0
        if (before - stones) % 2 != (0 if winner_moves_now else 1):
            before += 1
        return before + 1 - stones

    def best_move(self, position: Connect4Position) -> int:
        """A move that wins as soon or loses as late as can be, one near the centre.

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
        """A move that is worth at least a score, which the position is known to be.

        After the position was solved, the table knows most of the proof: so all moves get a brief
        look, then a longer one. Raises StoppedError if `stop` is set or the nodes are spent first.
        """
        last_node = self.nodes + nodes
        moves = self.from_the_centre(position)
        look = _FIRST_LOOK_NODES
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
        """Best moves for both sides from a position on, to the end of the game.

        `score` is the position's, if it is known. Ends early if `stop` is set or the nodes are
        spent.
        """
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
        """The moves of a position, those near the middle of the board first."""
        middle = (self.game.width - 1) / 2
        stride = self.game.height + 1
        return sorted(position.moves(), key=lambda move: abs(move // stride - middle))

    def hashfull(self) -> int:
        """How full the table is, in thousandths, by a sample."""
        return self._table.hashfull()

    def clear(self) -> None:
        """Forget what was learnt."""
        with self._lock:
            self._table.clear()
            self._threads.clear()


def solver_wanted(width: int, height: int, *, is_shared: bool = False) -> Wanted:
    """The kernels of the solver for boards of that size, for one thread or for several."""
    return Wanted(_PROGRAM, values(CONSTANTS, Geometry(width, height, is_shared)))
