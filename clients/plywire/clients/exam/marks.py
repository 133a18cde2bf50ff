"""Marks of an exam: each answer, each game, and their summaries."""

import math
from collections.abc import Sequence
from statistics import mean, stdev

from pydantic import BaseModel, ConfigDict

from plywire.clients.play.errors import Termination
from plywire.clients.play.ratings.elo import Z95, estimate


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class Answer(_Frozen):
    """A question, and the player's move."""

    game: str
    grade: int
    """Grade of difficulty, from 1."""
    depth: int
    """Depth in plies; a plain search of this or a greater depth keeps the value."""
    fen: str
    moves: tuple[str, ...]
    legal: int
    keeping: tuple[str, ...]
    """Moves that keep the value."""
    move: str | None
    """Move of the player; None if there was no legal move in time."""
    regret: int | None
    """Loss against the best move: in discs in games that count discs, else with win 1, draw 0 and
    loss -1."""
    ms: int | None
    """Time that the player took, in ms."""
    failure: Termination | None = None
    reason: str = ""

    @property
    def is_kept(self) -> bool:
        return self.move in self.keeping


class Share(_Frozen):
    """A share of all questions or points, with its 95 % interval by Agresti and Coull."""

    value: float
    low: float
    high: float


class Marks(_Frozen):
    """Summary of several answers."""

    game: str | None
    """None for all games."""
    grade: int | None
    """None for all grades."""
    questions: int
    kept: Share
    """Share of questions whose value the move kept."""
    chance: float
    """Share that a player of random legal moves would keep."""
    losing: int
    """Number of moves that lost a part of the value."""
    regret: float | None
    """Mean regret of the legal moves; None without legal moves, and for all games together."""
    regret_error: float | None
    """Half the 95 % interval of the mean regret; None with fewer than two moves."""
    illegal: Share
    """Share of questions that got no legal move."""
    failed: int
    """Number of questions without an answer, for another reason than an illegal move."""
    mean_ms: float | None
    longest_ms: int | None


class LevelScore(_Frozen):
    """Result of the games against one level."""

    game: str
    level: int
    wins: int
    draws: int
    losses: int
    score: Share
    """Mean points for each game."""
    failures: dict[Termination, int]
    """Number of games that the player lost by a fault, for each fault."""


class ExamResult(_Frozen):
    """The result of a whole exam."""

    player: str
    seed: int
    version: str
    """Version of Plywire; other versions may ask other questions."""
    marks: tuple[Marks, ...]
    """Marks of all games, of each game, and of each grade of each game, in this order."""
    levels: tuple[LevelScore, ...]
    answers: tuple[Answer, ...]


def all_marks(answers: Sequence[Answer]) -> tuple[Marks, ...]:
    """Return the marks of all answers, then those of each game followed by its grades."""
    found = [marks(answers)] if answers else []
    for game in dict.fromkeys(answer.game for answer in answers):
        own = [answer for answer in answers if answer.game == game]
        found.append(marks(own, game))
        for grade in sorted({answer.grade for answer in own}):
            found.append(marks([one for one in own if one.grade == grade], game, grade))
    return tuple(found)


def marks(answers: Sequence[Answer], game: str | None = None, grade: int | None = None) -> Marks:
    """Summarise answers; there must be at least one."""
    moved = [answer for answer in answers if answer.move is not None]
    regrets = [answer.regret for answer in moved if answer.regret is not None]
    times = [answer.ms for answer in moved if answer.ms is not None]
    illegal = [answer.failure is Termination.ILLEGAL_MOVE for answer in answers]
    several = len(regrets) > 1
    return Marks(
        game=game,
        grade=grade,
        questions=len(answers),
        kept=share([float(answer.is_kept) for answer in answers]),
        chance=mean(len(answer.keeping) / answer.legal for answer in answers),
        losing=sum(not answer.is_kept for answer in moved),
        regret=mean(regrets) if game and regrets else None,
        regret_error=Z95 * stdev(regrets) / math.sqrt(len(regrets)) if game and several else None,
        illegal=share([float(one) for one in illegal]),
        failed=len(answers) - len(moved) - sum(illegal),
        mean_ms=mean(times) if times else None,
        longest_ms=max(times, default=None),
    )


def share(units: Sequence[float]) -> Share:
    """Return the mean of scores between 0 and 1, with its interval."""
    found = estimate(units)
    return Share(value=found.score, low=found.low, high=found.high)
