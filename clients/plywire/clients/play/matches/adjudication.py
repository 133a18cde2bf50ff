"""End games early by the scores that players report: resignation, or an agreed draw."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from plywire.clients.play.errors import GameEndedError, Termination
from plywire.engine.compiled.contract import WIN
from plywire.protocol.messages.play import Searched

#: Absolute value of a proven win or loss, in hundredths. Every estimate is lower.
_DECIDED = WIN

Moves = Annotated[int, Field(ge=1, le=1000)]
Hundredths = Annotated[int, Field(ge=0, le=_DECIDED)]


class _Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ResignRule(_Rule):
    """When a player resigns."""

    moves: Moves = 4
    """Number of moves in a row for which a player must report that it is behind."""
    score: Hundredths = 500
    """Distance that it must be behind, in hundredths of a pawn or disc."""


class DrawRule(_Rule):
    """When players agree to a draw."""

    after: Annotated[int, Field(ge=0, le=10_000)] = 40
    """Number of moves before a draw is possible: those of both players and of the opening."""
    moves: Moves = 8
    """Number of moves in a row for which both players must report an even game."""
    score: Hundredths = 10
    """Most that a player may be ahead, in hundredths of a pawn or disc."""


class EarlyEnd(_Rule):
    """When games end before the rules end them."""

    resign: ResignRule | None = None
    draw: DrawRule | None = None

    def check(
        self, names: tuple[str, str], mover: int, searches: Sequence[Searched | None], moves: int
    ) -> None:
        """Raise GameEndedError if the game ends after the last move, made by `mover` (0 or 1)."""
        if (resign := self.resign) is not None:
            own = [_value(said) for said in searches[::-2][: resign.moves]]
            if len(own) == resign.moves and all(-value >= resign.score for value in own):
                raise GameEndedError(Termination.RESIGNATION, mover, f"{names[mover]} resigned")
        if (draw := self.draw) is not None and moves >= draw.after:
            both = [_value(said) for said in searches[: -2 * draw.moves - 1 : -1]]
            if len(both) == 2 * draw.moves and all(abs(value) <= draw.score for value in both):
                raise GameEndedError(Termination.ADJUDICATION, None, "draw agreed")


PLAYED_OUT = EarlyEnd()


def _value(said: Searched | None) -> float:
    """Return a score in hundredths; NaN without a score, because all comparisons with NaN are
    false."""
    if said is None or said.score is None:
        return float("nan")
    signs = {"win": _DECIDED, "loss": -_DECIDED, "draw": 0, "exact": 100 * said.score.value}
    return signs.get(said.score.kind, said.score.value)
