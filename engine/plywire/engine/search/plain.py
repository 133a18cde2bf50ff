"""A search in plain Python, for games without machine code; no NumPy, no Numba.

It is Principal Variation Search with a transposition table and the history heuristic. It never
prunes without proof, and passes cost no depth. So wins and losses are proven, and the last
iteration is exact. The first iteration takes a few ms. It always completes if the node limit is at
least the number of moves.
"""

from collections.abc import Hashable, Iterable
from typing import Any

from plywire.engine.analysis import Analysis
from plywire.engine.compiled.contract import INFINITY, MAX_ESTIMATE, WIN
from plywire.engine.game import PASS, Position

from .backend import Backend
from .iterative_deepening import IterativeDeepening, Listener
from .plain_rules import PlainRules, final_score
from .request import SearchRequest
from .searcher import UNLIMITED_NODES, Iteration, every_depth
from .stop import Stop

#: Number of nodes between two checks of the limits. They take a fraction of a ms, even in games
#: with slow rules.
_NODES_BETWEEN_LOOKS = 16
#: Maximum number of entries in each half of a table. A full table takes about 30 MB.
_ENTRIES = 1 << 16

_LOWER, _EXACT, _UPPER = range(3)

_Entry = tuple[int, int, int, int]
"""Depth, score, kind of bound, best move."""


class PlainTable:
    """A bounded table of results of earlier searches, which threads may share."""

    def __init__(self, entries: int = _ENTRIES) -> None:
        """Hold at most twice `entries` entries."""
        self._entries = entries
        self._young: dict[Hashable, _Entry] = {}
        self._old: dict[Hashable, _Entry] = {}

    def get(self, key: Hashable) -> _Entry | None:
        return self._young.get(key) or self._old.get(key)

    def put(self, key: Hashable, entry: _Entry) -> None:
        young = self._young
        young[key] = entry
        if len(young) >= self._entries:
            self._young, self._old = {}, young

    def hashfull(self) -> int:
        used = len(self._young) + len(self._old)
        return min(1000, 1000 * used // (2 * self._entries))


class _EndedError(Exception):
    """The search was stopped during an iteration."""


def analyse(
    backend: Backend,
    request: SearchRequest,
    on_info: Listener | None = None,
    *,
    table: PlainTable | None = None,
) -> Analysis:
    """Search in the calling thread; `table` may come from earlier searches of the same game."""
    table = PlainTable() if table is None else table
    nodes = request.limits.nodes or UNLIMITED_NODES
    searcher = PlainSearcher(backend.plain_rules(), request.position, table, nodes)
    hashfull = table.hashfull
    return IterativeDeepening(request, [searcher], every_depth, hashfull, by="plain").run(on_info)


class PlainSearcher:
    """Searches one position; implements `Searcher` of `searcher.py`."""

    def __init__(
        self, rules: PlainRules[Any], position: Position, table: PlainTable, node_limit: int
    ) -> None:
        """The search visits at most `node_limit` nodes."""
        self.nodes = 0
        self.aborted = False
        self.root_move: int | None = None
        self._rules = rules
        self._position = position
        self._table = table
        self._limit = self._next_look = node_limit
        self._stop: Stop | None = None
        self._excluded: frozenset[int] = frozenset()
        self._score = 0
        self._history = ([0] * (PASS + 1), [0] * (PASS + 1))
        plies = 2 * position.plies_left + 2  # each move may be followed by a pass
        #: The principal variation from each ply on, by ply.
        self._lines: list[tuple[int, ...]] = [()] * (plies + 2)
        root = rules.state(position)
        #: For each root move: the state after the move, and the score if the move ends the game.
        self._children: dict[int, tuple[Any, int | None]] = {}
        for move in position.moves():
            after = position.play(move)
            result = after.result()
            score = None if result is None else final_score(result, after.turn)
            self._children[move] = rules.play(root, move), score
        likely = [] if rules.known(root) is not None else rules.moves(root, 1)
        self._moves = sorted(
            self._children,
            key=lambda move: likely.index(move) if move in likely else len(likely),
        )

    def use_stop(self, stop: Stop) -> None:
        self._stop = stop
        self._next_look = 0

    def exclude(self, moves: Iterable[int]) -> None:
        self._excluded = frozenset(moves)

    def search(self, iteration: Iteration, low: int, high: int) -> int:
        try:
            self._score = self._search_root(iteration.depth, low, high)
        except _EndedError:
            self.aborted = True
        return self._score

    def principal_variation(self) -> tuple[int, ...]:
        """Return the line of the last search, at least its first move.

        A proven win or loss is played to the end: the rules may know a win before its last move.
        """
        moves = list(self._lines[0])
        if abs(self._score) > MAX_ESTIMATE:
            position = self._position
            for move in moves:
                position = position.play(move)
            while not position.is_over and len(moves) < WIN - abs(self._score):
                winning = _winning_move(position)
                moves.append(position.moves()[0] if winning is None else winning)
                position = position.play(moves[-1])
        return tuple(moves)

    def _search_root(self, depth: int, low: int, high: int) -> int:
        moves = [move for move in self._moves if move not in self._excluded]
        if self.root_move is not None:
            moves.sort(key=lambda move: move != self.root_move)
        self.root_move = moves[0]
        self._lines[0] = (moves[0],)
        best = -INFINITY
        for move in moves:
            state, known = self._children[move]
            left = depth if move == PASS else depth - 1
            floor = max(best, low)
            if known is not None:
                self._lines[1] = ()
                self.nodes += 1
                score = -_later(known, 1)
            elif move == moves[0]:
                score = -self._search(state, left, 1, -high, -floor)
            else:
                score = -self._search(state, left, 1, -floor - 1, -floor)
                if score > floor:
                    # The move is better, even if the search ends before its exact score is known.
                    self.root_move = move
                    score = -self._search(state, left, 1, -high, -floor)
            best = max(best, score)
            if score > floor:
                self.root_move = move
                self._lines[0] = (move, *self._lines[1])
                if score >= high:
                    break
        return best

    def _look(self) -> None:
        """Raise _EndedError if the node limit is reached or the search was stopped."""
        if self.nodes >= self._limit or (self._stop is not None and self._stop.is_set):
            raise _EndedError
        self._next_look = min(self._limit, self.nodes + _NODES_BETWEEN_LOOKS)

    def _search(self, state: Any, depth: int, ply: int, alpha: int, beta: int) -> int:
        if self.nodes >= self._next_look:
            self._look()
        self.nodes += 1
        rules = self._rules
        known = rules.known(state)
        if known is not None:
            self._lines[ply] = ()
            return _later(known, ply)
        if depth <= 0:
            self._lines[ply] = ()
            return rules.estimate(state)
        is_null = beta - alpha == 1
        key = rules.key(state)
        entry = self._table.get(key)
        hint = None
        if entry is not None:
            stored, score, kind, hint = entry
            score = _later(score, ply)
            # With an open window, the search must also find the line, so a score from the table is
            # not enough.
            if is_null and stored >= depth:
                if kind != _UPPER and score >= beta:
                    return score
                if kind != _LOWER and score <= alpha:
                    return score
        moves = rules.moves(state, depth)
        history = self._history[ply & 1]
        if len(moves) > 1:
            if any(map(history.__getitem__, moves)):
                moves = sorted(moves, key=history.__getitem__, reverse=True)
            if hint is not None and moves[0] != hint and hint in moves:
                moves = [hint, *(move for move in moves if move != hint)]
        best, best_move, lower = -INFINITY, moves[0], alpha
        below = ply + 1
        for move in moves:
            child = rules.play(state, move)
            left = depth if move == PASS else depth - 1
            if is_null or best == -INFINITY:
                score = -self._search(child, left, below, -beta, -lower)
            else:
                score = -self._search(child, left, below, -lower - 1, -lower)
                if lower < score < beta:
                    score = -self._search(child, left, below, -beta, -lower)
            if score > best:
                best, best_move = score, move
                if score > lower:
                    lower = score
                    self._lines[ply] = (move, *self._lines[below])
                    if score >= beta:
                        history[move] += depth * depth
                        break
        if best <= alpha:
            kind = _UPPER
            self._lines[ply] = ()
        else:
            kind = _LOWER if best >= beta else _EXACT
        self._table.put(key, (depth, _later(best, -ply), kind, best_move))
        return best


def _later(score: int, plies: int) -> int:
    """Return the score as seen `plies` earlier: wins and losses are farther away."""
    if score > MAX_ESTIMATE:
        return score - plies
    if score < -MAX_ESTIMATE:
        return score + plies
    return score


def _winning_move(position: Position) -> int | None:
    for move in position.moves():
        result = position.play(move).result()
        if result is not None and result.winner == position.turn:
            return move
    return None
