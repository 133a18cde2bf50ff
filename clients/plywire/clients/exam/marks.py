"""What came of an exam: each answer, each game, and what they say together."""

import math
from collections.abc import Sequence
from statistics import mean, stdev

from pydantic import BaseModel, ConfigDict

from plywire.clients.play.errors import Termination
from plywire.clients.play.ratings.elo import Z95, estimate


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class Answer(_Frozen):
    """A question, and the move that the player made of it."""

    game: str
    grade: int
    """Grade of difficulty, from 1."""
    depth: int
    """From which depth on, in plies, a plain search keeps the value."""
    fen: str
    moves: tuple[str, ...]
    """Moves that led to the position, from the start of the game."""
    legal: int
    """Number of legal moves."""
    keeping: tuple[str, ...]
    """Moves that keep the value."""
    move: str | None
    """Move of the player, None if it gave no legal move in time."""
    regret: int | None
    """How much less than the best it is worth: in discs where the game counts them, else of win 1,
    draw 0 and loss -1."""
    ms: int | None
    """How long the player took."""
    failure: Termination | None = None
    """Why there is no move."""
    reason: str = ""
    """The loss in words."""

    @property
    def is_kept(self) -> bool:
        """Whether the move keeps a win won and a draw drawn."""
        return self.move in self.keeping


class Share(_Frozen):
    """A share of all, with its 95 % interval: that of Agresti and Coull, as for matches."""

    value: float
    low: float
    high: float


class Marks(_Frozen):
    """Answers taken together."""

    game: str | None
    """None for all games."""
    grade: int | None
    """None for all grades."""
    questions: int
    kept: Share
    """Share of questions whose value the move kept."""
    chance: float
    """The share that a player keeps who draws among the legal moves."""
    losing: int
    """Moves that lost a part of the value."""
    regret: float | None
    """Mean of the legal moves; None for all games, whose scales differ, and without such a move."""
    regret_error: float | None
    """Half its 95 % interval; None where there are fewer than two moves."""
    illegal: Share
    """Share of questions that got no legal move."""
    failed: int
    """Questions without an answer for another reason."""
    mean_ms: float | None
    longest_ms: int | None


class LevelScore(_Frozen):
    """Games against one level."""

    game: str
    level: int
    wins: int
    draws: int
    losses: int
    score: Share
    """Points a game."""
    failures: dict[Termination, int]
    """Games that the player lost by its own fault."""


class ExamResult(_Frozen):
    """A whole exam."""

    player: str
    seed: int
    version: str
    """Of Plywire: another may ask other questions."""
    marks: tuple[Marks, ...]
    """Of all games, of each game, and of each grade of each game, in this order."""
    levels: tuple[LevelScore, ...]
    answers: tuple[Answer, ...]


def all_marks(answers: Sequence[Answer]) -> tuple[Marks, ...]:
    """The marks of all answers, then of each game, each followed by its grades."""
    found = [marks(answers)] if answers else []
    for game in dict.fromkeys(answer.game for answer in answers):
        own = [answer for answer in answers if answer.game == game]
        found.append(marks(own, game))
        for grade in sorted({answer.grade for answer in own}):
            found.append(marks([one for one in own if one.grade == grade], game, grade))
    return tuple(found)


def marks(answers: Sequence[Answer], game: str | None = None, grade: int | None = None) -> Marks:
    """What these answers, at least one, say together."""
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
    """The mean of units between 0 and 1."""
    found = estimate(units)
    return Share(value=found.score, low=found.low, high=found.high)
