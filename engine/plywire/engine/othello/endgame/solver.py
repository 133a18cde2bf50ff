"""The solver as an object: exact scores of endgames, and the moves that reach them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

from numba import types

from plywire.engine.bounds import Bounds, StoppedError
from plywire.engine.crew import UNLIMITED, Crew
from plywire.engine.game import PASS
from plywire.engine.othello.endgame.memory import Table, Workspace
from plywire.engine.othello.endgame.root import solve
from plywire.engine.othello.rules import OthelloPosition
from plywire.engine.search.stop import Stop

DEFAULT_TABLE_MB = 64
#: No score reaches as far.
FAR = 99
#: Nodes after which the helpers join in: starting them takes as long as some thousand nodes.
_ALONE_NODES = 200_000


class Solver:
    """Solves Othello positions, one at a time; callable from any thread.

    Scores are the final disc difference for the side to move, with the empty squares of a finished
    game counted for the winner. What one solve finds out stays in the table and serves the next.
    """

    def __init__(self, *, table_mb: int = DEFAULT_TABLE_MB, threads: int = 1) -> None:
        """A solver, compiled when the first is made.

        The table takes the largest power of two of MB that is at most `table_mb`. With one thread,
        equal solves on equal tables visit equal nodes. Raises ValueError if a number is out of
        range or memory is short.
        """
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self._table = Table(table_mb)
        self._crew = Crew(
            _compiled(),
            [Workspace(self._table, is_shared=threads > 1) for _ in range(threads)],
            alone_nodes=_ALONE_NODES,
            on_joined=self._table.forget_busy,
        )
        self._lock = threading.Lock()

    @property
    def nodes(self) -> int:
        """Nodes visited by all solves so far, by all threads."""
        return self._crew.nodes

    def bounds(
        self,
        position: OthelloPosition,
        *,
        guess: int = -1,
        floor: int = -FAR,
        ceiling: int = FAR,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> Bounds:
        """Narrow the score of a position until it is known, at most `floor` or at least `ceiling`.

        A `guess` near the score saves time. Ends early, with what is proven so far, when `stop` is
        set or before that many nodes were visited.
        """
        return self.prove(
            position, guess=guess, floor=floor, ceiling=ceiling, nodes=nodes, stop=stop
        )[0]

    def prove(
        self,
        position: OthelloPosition,
        *,
        guess: int = -1,
        floor: int = -FAR,
        ceiling: int = FAR,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> tuple[Bounds, int | None]:
        """The `bounds` of a position, and a move that proves the lower one, None if none is known.

        None is known after a solve by the table alone or of the last few squares.
        """
        if position.is_over:
            score = final_score(position)
            return Bounds(score, score), None
        words = (position.own, position.other, guess, floor, ceiling)
        with self._lock:
            found = self._crew.solve(words, nodes, stop)
            _, move = max((each.bounds[0], each.move) for each in self._crew.latest)
        return found, move if move in position.moves() and move != PASS else None

    def score(
        self,
        position: OthelloPosition,
        *,
        weak: bool = False,
        guess: int = -1,
        stop: Stop | None = None,
    ) -> int:
        """The score of a position, or its sign if `weak`.

        Raises StoppedError, which holds what is proven, if `stop` is set before that is known.
        """
        floor, ceiling = (-1, 1) if weak else (-FAR, FAR)
        found = self.bounds(position, guess=guess, floor=floor, ceiling=ceiling, stop=stop)
        result = found.sign if weak else found.lower if found.is_exact else None
        if result is None:
            raise StoppedError(found)
        return result

    def scores(
        self, position: OthelloPosition, *, weak: bool = False, stop: Stop | None = None
    ) -> dict[int, int]:
        """What each legal move is worth to the side that makes it.

        Raises StoppedError if `stop` is set before all scores are known.
        """
        return {
            move: -self.score(position.play(move), weak=weak, stop=stop)
            for move in position.moves()
        }

    def move_worth(
        self,
        position: OthelloPosition,
        score: int,
        *,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> int:
        """A move that is proven to be worth at least a score, which the position is.

        After the position was solved the table knows it. Raises StoppedError if `stop` is set
        first, or that many nodes were visited.
        """
        moves = position.moves()
        if len(moves) == 1 or score == -64:
            return moves[0]
        before = self.nodes
        _, hint = self.prove(
            position, guess=score - 1, floor=score - 1, ceiling=score, nodes=nodes, stop=stop
        )
        if hint is not None:
            return hint
        for move in moves:
            left = nodes - (self.nodes - before)
            child = position.play(move)
            found = self.bounds(
                child, guess=-score, floor=-score, ceiling=2 - score, nodes=left, stop=stop
            )
            if found.upper <= -score:
                return move
        raise StoppedError(Bounds(-64, 64))

    def principal_variation(
        self,
        position: OthelloPosition,
        score: int,
        *,
        nodes: int = UNLIMITED,
        stop: Stop | None = None,
    ) -> tuple[int, ...]:
        """Best moves for both sides, from a position of that score to the end of the game.

        Ends early if `stop` is set or that many nodes were visited.
        """
        return tuple(self._best_moves(position, score, nodes, stop))

    def _best_moves(
        self, position: OthelloPosition, score: int, nodes: int, stop: Stop | None
    ) -> Iterator[int]:
        end = self.nodes + nodes
        try:
            while not position.is_over:
                move = self.move_worth(position, score, nodes=max(end - self.nodes, 0), stop=stop)
                yield move
                position, score = position.play(move), -score
        except StoppedError:
            return

    def clear(self) -> None:
        """Forget what was learnt."""
        with self._lock:
            self._table.clear()
            self._crew.clear()

    def hashfull(self) -> int:
        """How full the table is, in thousandths."""
        return self._table.hashfull()


def final_score(position: OthelloPosition) -> int:
    """The score of a finished game, for the side whose turn it would be."""
    result = position.result()
    if result is None:
        raise ValueError("the game goes on")
    return -result.score if position.turn else result.score


def _compiled() -> Any:
    """The entry point: it takes plain numbers, which saves Numba's dispatcher's time."""
    word, number = types.uint64, types.int64
    return solve.compile((word, word, word, word, number, number, number))
