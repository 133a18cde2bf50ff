"""How well a game was played: each of its moves beside the best there was."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .base import Command, Event
from .fields import Count, MoveName, Part, Positive

Mark = Literal["best", "sound", "mistake", "losing", "unproven"]
"""Of a move: as good as any; worse, but winning or drawing as before; one that turned a win into a
draw, or either into a loss; of these, the loser's last; not known."""

Discs = Annotated[int, Field(ge=-64, le=64)]

#: Of nodes for each position, unless the peer gives another number.
USUAL_NODES = 5_000_000


class Judged(Part):
    """How many moves of one player were judged, and how many of them were right."""

    moves: Count = 0
    """Moves whose value before and after is proven."""
    best: Count = 0
    """Those after which the game was worth as much as before."""
    sound: Count = 0
    """Those that did not turn a win into a draw, or either into a loss."""

    @property
    def accuracy(self) -> float | None:
        """The share of best moves, None if no move was judged."""
        return self.best / self.moves if self.moves else None

    def __add__(self, other: Judged) -> Judged:
        """Both counts together, as of several games."""
        return Judged(
            moves=self.moves + other.moves,
            best=self.best + other.best,
            sound=self.sound + other.sound,
        )


class ReviewAnswer(Event):
    """What is said of one move."""

    syntax = "NUMBER MOVE player PLAYER mark MARK [best BEST] [after AFTER] [lost LOST]"

    type: Literal["review"] = "review"
    number: Positive
    """Of the moves since the position was set up, from 1."""
    move: MoveName
    player: Literal[1, 2]
    mark: Mark
    best: MoveName | None = None
    """The engine's move there."""
    after: Discs | None = None
    """What the game was worth to the player after the move, where that is proven: discs where the
    game counts them, else 1, 0 or -1."""
    lost: Annotated[int, Field(ge=0, le=128)] | None = None
    """How much more it was worth before, where both are proven."""


class Reviewed(Event):
    """The review has ended."""

    syntax = "players=MOVES:BEST:SOUND,MOVES:BEST:SOUND [losing NUMBER]"

    type: Literal["reviewed"] = "reviewed"
    players: tuple[Judged, Judged]
    """Of the moves that were reviewed, the first player's and the second's."""
    losing: Positive | None = None
    """The number of the move that lost the game."""


class Review(Command):
    """Judge each move of the game so far; `review` events, the last move's first, and `reviewed`.

    It is a search: `stop` ends it.
    """

    syntax = "[nodes COUNT] [opening COUNT] [winner PLAYER]"
    answers = (ReviewAnswer, Reviewed)
    is_overtaken = True

    type: Literal["review"] = "review"
    nodes: Annotated[int, Field(ge=1, le=2**53)] = USUAL_NODES
    """Positions to visit at most for each position of the game."""
    opening: Annotated[int, Field(ge=0, le=256)] = 0
    """How many of the first moves are not judged."""
    winner: Literal[1, 2] | None = None
    """Who won a game that did not end on the board."""
