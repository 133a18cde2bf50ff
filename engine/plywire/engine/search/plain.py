"""A search in plain Python, for the time in which a game has no machine code yet, or never will.

It needs the rules of a game and nothing else: no NumPy, no Numba, no native code. Alpha-beta in the
form of Principal Variation Search, with iterative deepening, a transposition table and the history
heuristic. Nothing is pruned on suspicion and passes cost no depth, so wins and losses are proven,
and the last iteration, which reaches the end of every line, is exact.

It reports what `iterative_deepening.py` reports, by the same limits. The first iteration takes a
few ms at most and always completes, unless there are fewer nodes than moves.
"""

import time
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from plywire.engine.analysis import Analysis, AnalysisLine
from plywire.engine.compiled.contract import MAX_ESTIMATE, WIN
from plywire.engine.game import PASS, Position

from .backend import Backend
from .plain_rules import PlainRules, final_score
from .request import SearchRequest
from .root_line import RootLine, report
from .searcher import Iteration

#: Larger than any score.
_INFINITY = 2 * WIN
#: From one look at the limits to the next: a fraction of a ms, also in games with slow rules.
_NODES_BETWEEN_LOOKS = 16
#: More nodes than any search visits.
_UNLIMITED = 1 << 62
#: Seconds from one look at `until` to the next, once there is nothing left to search.
_IDLE = 0.005
#: Entries in each half of a table: some 30 MB in all.
_ENTRIES = 1 << 16

_LOWER, _EXACT, _UPPER = range(3)

_Entry = tuple[int, int, int, int]
"""Depth, score, kind of bound and best move."""


class PlainTable:
    """Results of earlier searches, of a bounded number of positions; may be shared by threads.

    Once the younger half is full the older one is forgotten, and they change places.
    """

    def __init__(self, entries: int = _ENTRIES) -> None:
        """Hold at most twice that many entries."""
        self._entries = entries
        self._young: dict[Hashable, _Entry] = {}
        self._old: dict[Hashable, _Entry] = {}

    def get(self, key: Hashable) -> _Entry | None:
        """What was put there."""
        return self._young.get(key) or self._old.get(key)

    def put(self, key: Hashable, entry: _Entry) -> None:
        """Remember a result."""
        young = self._young
        young[key] = entry
        if len(young) >= self._entries:
            self._young, self._old = {}, young

    @property
    def hashfull(self) -> int:
        """How full it is, in thousandths."""
        used = len(self._young) + len(self._old)
        return min(1000, 1000 * used // (2 * self._entries))


class _EndedError(Exception):
    """The search is over in the midst of an iteration."""


def analyse(
    backend: Backend,
    request: SearchRequest,
    on_info: Callable[[AnalysisLine], None] | None = None,
    *,
    until: Callable[[], bool] | None = None,
    table: PlainTable | None = None,
) -> Analysis:
    """Search a position that is not over, in the calling thread.

    The search also ends once `until` says so, which is asked about every ms. A `table` may be kept
    from earlier searches of the same game.
    """
    rules = backend.plain_rules()
    return PlainSearch(rules, request, until, PlainTable() if table is None else table).run(on_info)


class PlainSearch:
    """One analysis of a position that is not over."""

    def __init__(
        self,
        rules: PlainRules[Any],
        request: SearchRequest,
        until: Callable[[], bool] | None,
        table: PlainTable,
    ) -> None:
        """Prepare a search by those rules on that table."""
        position = request.position
        self._rules = rules
        self._request = request
        self._until = until
        self._table = table
        self._limit = request.limits.nodes or _UNLIMITED
        self._nodes = 0
        self._next_look = self._limit
        self._history = ([0] * (PASS + 1), [0] * (PASS + 1))
        plies = 2 * position.plies_left + 2  # each move may be followed by a pass
        self._lines: list[tuple[int, ...]] = [()] * (plies + 2)
        root = rules.state(position)
        #: Of each root move: the state after it, and the score if it ends the game.
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
        self._best = self._moves[0]

    def run(self, on_info: Callable[[AnalysisLine], None] | None) -> Analysis:
        """Search until a limit is met, the result is proven or the search is told to end."""
        request = self._request
        limits = request.limits
        remaining = request.position.plies_left
        deepest = max(1, min(limits.depth or remaining, remaining))
        infos: tuple[AnalysisLine, ...] = ()
        request.stop.set_at(request.began + request.budget.hard / 1000)
        lines: tuple[RootLine, ...] = ()
        for depth in range(1, deepest + 1):
            if not (lines := self._iterate(depth, lines)):
                break
            self._best = lines[0].moves[0]
            infos = report(
                *(lines, remaining),
                nodes=self._nodes,
                time=self._elapsed(),
                hashfull=self._table.hashfull,
            )
            if on_info:
                for info in infos:
                    on_info(info)
            if self._is_over(lines):
                break
            self._next_look = 0  # from the first iteration on, the search may be told to end
        while limits.infinite and not self._is_told_to_end():
            if self._until is None:
                request.stop.wait()
            else:
                request.stop.wait(_IDLE)
        return Analysis(self._best, infos, self._nodes, self._elapsed(), by="plain")

    def _is_told_to_end(self) -> bool:
        return self._request.stop.is_set or (self._until is not None and self._until())

    def _is_over(self, lines: tuple[RootLine, ...]) -> bool:
        """Whether no further iteration is to begin."""
        request = self._request
        if self._is_told_to_end():
            return True
        if all(line.ends_within_depth for line in lines):
            return True
        limits = request.limits
        has_no_choice = len(self._moves) == 1 and limits.is_timed and not limits.infinite
        return has_no_choice or self._elapsed() >= request.budget.soft

    def _look(self) -> None:
        """Raise _EndedError if there are no nodes left or the search is told to end."""
        if self._nodes >= self._limit or self._is_told_to_end():
            raise _EndedError
        self._next_look = min(self._limit, self._nodes + _NODES_BETWEEN_LOOKS)

    def _iterate(self, depth: int, previous: tuple[RootLine, ...]) -> tuple[RootLine, ...]:
        """Search the best lines; returns them best first, none if cut short.

        The best move is kept even then: it is the previous iteration's or one found to be better.
        """
        lines: list[RootLine] = []
        try:
            for number in range(min(self._request.multipv, len(self._moves))):
                taken = [line.moves[0] for line in lines]
                hints = (line.moves[0] for line in previous if line.moves[0] not in taken)
                lines.append(self._search_root(depth, taken, next(hints, None), number == 0))
        except _EndedError:
            return ()
        return tuple(sorted(lines, key=lambda line: line.score, reverse=True))

    def _search_root(
        self, depth: int, taken: Sequence[int], hint: int | None, is_first: bool
    ) -> RootLine:
        """The best line of the moves that are not taken; the hint is searched first."""
        moves = [move for move in self._moves if move not in taken and move != hint]
        if hint is not None:
            moves.insert(0, hint)
        best = -_INFINITY
        best_line: tuple[int, ...] = (moves[0],)
        for move in moves:
            state, known = self._children[move]
            if known is not None:
                self._lines[1] = ()
                score = -_later(known, 1)
                self._nodes += 1
            else:
                left = depth if move == PASS else depth - 1
                score = -best
                if best > -_INFINITY:
                    score = -self._search(state, left, 1, -best - 1, -best)
                if best == -_INFINITY or score > best:
                    if is_first and best > -_INFINITY:
                        self._best = move  # better, by however much
                    score = -self._search(state, left, 1, -_INFINITY, -best)
            if score > best:
                best, best_line = score, (move, *self._lines[1])
                if is_first:
                    self._best = move
        return RootLine(Iteration(depth), best, self._to_the_end(best_line, best))

    def _search(self, state: Any, depth: int, ply: int, alpha: int, beta: int) -> int:
        """The score of a state: exact between the bounds, else at most or at least what it is."""
        if self._nodes >= self._next_look:
            self._look()
        self._nodes += 1
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
            # In an open window the line is wanted, not only the score.
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
        best, best_move, lower = -_INFINITY, moves[0], alpha
        below = ply + 1
        for move in moves:
            child = rules.play(state, move)
            left = depth if move == PASS else depth - 1
            if is_null or best == -_INFINITY:
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

    def _to_the_end(self, line: tuple[int, ...], score: int) -> tuple[int, ...]:
        """A line that ends with the game, if it is proven to end it within the next few plies.

        Rules may know that a game is won before it is.
        """
        if abs(score) <= MAX_ESTIMATE:
            return line
        position = self._request.position
        for move in line:
            position = position.play(move)
        moves = list(line)
        while not position.is_over and len(moves) < WIN - abs(score):
            winning = _winning_move(position)
            moves.append(position.moves()[0] if winning is None else winning)
            position = position.play(moves[-1])
        return tuple(moves)

    def _elapsed(self) -> int:
        return int((time.monotonic() - self._request.began) * 1000)


def _later(score: int, plies: int) -> int:
    """A score as it is that many plies earlier: wins and losses are farther away."""
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
