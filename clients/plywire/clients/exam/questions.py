"""Positions of graded difficulty, each with the exact value of every move; `docs/how-to/exam.md`.

A question is a position in which some moves keep its value, a win or a draw, and others lose it.
How hard it is says the depth from which on a plain search is right: an idea of M. Guid and
I. Bratko, "Computer analysis of world chess champions", ICGA Journal 29(2), 2006, who take a
position to be the harder the more often a search changes its mind as it looks deeper.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plywire.clients.play.judging.oracle import Oracle
from plywire.clients.play.players.base import GameLine
from plywire.engine.engine import Engine
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of

#: The least depth of each grade, in plies; the grades are counted from 1.
GRADES = (1, 2, 6)
#: How deep the search looks that grades positions.
_DEEPEST = 12
#: Positions to look at for each that is wanted, at most.
_ATTEMPTS = 60
#: What the proof of a move's value may cost; a position where one costs more is passed over.
_PROOF_NODES = 50_000_000
#: Of the moves that lead to a question, the first are drawn at random, and one in so many later.
_RANDOM_PLIES, _RANDOM_PART = 6, 4
#: The others are those of a search of this depth, in plies.
_PLAYED_DEPTH = 2


@dataclass(frozen=True, slots=True)
class Question:
    """A position to move in."""

    line: GameLine
    """Moves that led to the position, from the start of the game."""
    values: Mapping[int, int]
    """What each legal move is worth to the mover with best play, in discs where the game counts
    them, else 1, 0 or -1."""
    keeping: frozenset[int]
    """The moves that keep a win won and a draw drawn."""
    depth: int
    """From which depth on, in plies, a plain search plays a move that keeps the value."""

    @property
    def grade(self) -> int:
        """Grade of difficulty, from 1."""
        return sum(self.depth >= least for least in GRADES)

    def regret(self, move: int) -> int:
        """Return the loss of a move against the best one."""
        return max(self.values.values()) - self.values[move]


def draw_questions(game: Game, each: int, seed: int) -> Iterator[Question]:
    """So many questions of each grade, in no order, the same for the same seed.

    Fewer of a grade of which the game has hardly any. The next one may take seconds.
    """
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
    """Draws positions, and finds out which of them are questions."""

    def __init__(self, game: Game, source: random.Random) -> None:
        self._game = game
        self._plies = backend_of(game).exam_plies()
        self._source = source
        self._oracle = Oracle(nodes=_PROOF_NODES, hash_mb=64)
        self._search = Engine(hash_mb=4, book=False)
        self._seen = set[Position]()

    def draw(self) -> Question | None:
        """Draw a position; return it as a question, or None if it does not make one."""
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
        """Play the beginning of a game, with a mix of good and random moves."""
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
