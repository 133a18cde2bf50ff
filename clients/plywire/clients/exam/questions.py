"""Positions of graded difficulty with the exact value of every move; see `docs/how-to/exam.md`.

In a question, some moves keep the value (a win or a draw) and others lose it. The difficulty is the
depth that a plain search needs to choose right. The idea is from M. Guid and I. Bratko, "Computer
analysis of world chess champions", ICGA Journal 29(2), 2006: a position is harder if a search
changes its mind more often.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plywire.clients.play.judging.oracle import Oracle
from plywire.clients.play.players.base import GameLine
from plywire.engine.engine import LocalEngine
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of

#: Minimum depth of a question in each grade, in plies. The first number is for grade 1.
GRADES = (1, 2, 6)
#: Maximum depth of the searches that grade positions, in plies.
_DEEPEST = 12
#: Maximum number of positions to try for each question that is wanted.
_ATTEMPTS = 60
#: Maximum number of nodes to prove a move's value. Positions that need more are skipped.
_PROOF_NODES = 50_000_000
#: The first _RANDOM_PLIES moves to a position are random; of the later ones, one in _RANDOM_PART.
_RANDOM_PLIES, _RANDOM_PART = 6, 4
#: Depth of the searches that choose the moves that are not random, in plies.
_PLAYED_DEPTH = 2


@dataclass(frozen=True, slots=True)
class Question:
    """A position in which the player must move."""

    line: GameLine
    values: Mapping[int, int]
    """Value of each legal move for the mover with best play: in discs in games that count discs,
    else 1, 0 or -1."""
    keeping: frozenset[int]
    """Moves that keep a win or a draw."""
    depth: int
    """Depth in plies; a plain search of this or a greater depth keeps the value."""

    @property
    def grade(self) -> int:
        return sum(self.depth >= least for least in GRADES)

    def regret(self, move: int) -> int:
        return max(self.values.values()) - self.values[move]


def draw_questions(game: Game, each: int, seed: int) -> Iterator[Question]:
    """Yield at most `each` questions of each grade, unsorted; the seed determines them all."""
    examiner = _Examiner(game, random.Random(f"{seed}/{game.name}/{game.size}"))
    counts = Counter[int]()
    for _ in range(each * len(GRADES) * _ATTEMPTS):
        question = examiner.draw()
        if question is not None and counts[question.grade] < each:
            counts[question.grade] += 1
            yield question
            if counts.total() == each * len(GRADES):
                return


class _Examiner:
    def __init__(self, game: Game, source: random.Random) -> None:
        self._game = game
        self._plies = backend_of(game).exam_plies()
        self._source = source
        self._oracle = Oracle(nodes=_PROOF_NODES, hash_mb=64)
        self._search = LocalEngine(hash_mb=4, book=False)
        self._seen = set[Position]()

    def draw(self) -> Question | None:
        line = self._play()
        position = line.position
        if position in self._seen or position.is_over:
            return None
        self._seen.add(position)
        side = -1 if position.turn else 1
        values = {}
        for move in position.moves():
            value = self._oracle.value(position.play(move))
            if value is None:
                return None
            values[move] = side * value
        best = max(map(_sign, values.values()))
        keeping = frozenset(move for move, value in values.items() if _sign(value) == best)
        if len(keeping) == len(values):
            return None
        return Question(line, values, keeping, self._depth(position, keeping))

    def _play(self) -> GameLine:
        line = GameLine.at(self._game.start())
        plies = self._source.randint(*self._plies)
        while len(line.moves) < plies and (moves := line.position.moves()):
            if len(line.moves) < _RANDOM_PLIES or not self._source.randrange(_RANDOM_PART):
                move = self._source.choice(moves)
            else:
                move = self._move(line.position, _PLAYED_DEPTH)
            line = line.play(move)
        return line

    def _depth(self, position: Position, keeping: frozenset[int]) -> int:
        self._search.clear()
        needed = 1
        for depth in range(1, min(_DEEPEST, position.plies_left) + 1):
            if self._move(position, depth) not in keeping:
                needed = depth + 1
        return needed

    def _move(self, position: Position, depth: int) -> int:
        return self._search.analyse(position, SearchLimits(depth=depth)).lines[0].pv[0]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
