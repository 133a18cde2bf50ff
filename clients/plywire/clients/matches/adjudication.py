"""Ending games early by the scores that players tell: they resign, or agree to a draw.

A player that tells no scores does neither.
"""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from plywire.clients.errors import GameEndedError, Termination
from plywire.engine.compiled.contract import WIN
from plywire.protocol.messages.play import Searched

#: What a proven win or loss counts as: more than any estimate, in hundredths.
_DECIDED = WIN

Moves = Annotated[int, Field(ge=1, le=1000)]
Hundredths = Annotated[int, Field(ge=0, le=_DECIDED)]


class _Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ResignRule(_Rule):
    """When a player has resigned."""

    moves: Moves = 4
    """How many moves in a row a player must have told that it is lost."""
    score: Hundredths = 500
    """How far behind it must be for that, in hundredths of a pawn or disc."""


class DrawRule(_Rule):
    """When a game is a draw by agreement."""

    after: Annotated[int, Field(ge=0, le=10_000)] = 40
    """How many moves the game must have, those of both players and of the opening."""
    moves: Moves = 8
    """How many moves in a row both players must have told that neither is ahead."""
    score: Hundredths = 10
    """How far one may be ahead for that, in hundredths of a pawn or disc."""


class EarlyEnd(_Rule):
    """When games end before the rules of the game end them."""

    resign: ResignRule | None = None
    draw: DrawRule | None = None

    def check(
        self, names: tuple[str, str], mover: int, searches: Sequence[Searched | None], moves: int
    ) -> None:
        """Raise GameEndedError if the game, of so many moves, ends with the latest one.

        `mover`, 0 or 1, made it; `searches` are those of the moves after the opening.
        """
        if (resign := self.resign) is not None:
            own = [_value(said) for said in searches[::-2][: resign.moves]]
            if len(own) == resign.moves and all(-value >= resign.score for value in own):
                raise GameEndedError(Termination.RESIGNATION, mover, f"{names[mover]} resigned")
        if (draw := self.draw) is not None and moves >= draw.after:
            both = [_value(said) for said in searches[: -2 * draw.moves - 1 : -1]]
            if len(both) == 2 * draw.moves and all(abs(value) <= draw.score for value in both):
                raise GameEndedError(Termination.ADJUDICATION, None, "draw agreed")


#: Games that only their rules end.
PLAYED_OUT = EarlyEnd()


def _value(said: Searched | None) -> float:
    """A score in hundredths, not a number if none was told: that compares with nothing."""
    if said is None or said.score is None:
        return float("nan")
    signs = {"win": _DECIDED, "loss": -_DECIDED, "draw": 0, "exact": 100 * said.score.value}
    return signs.get(said.score.kind, said.score.value)
