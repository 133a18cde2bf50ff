"""How well a game was played: each of its moves, and the best move there was."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .base import Command, Event
from .fields import MoveName, Natural, Part, Positive
from .in_line import by_key, by_keyword

Mark = Literal["best", "sound", "mistake", "losing", "unproven"]
"""How good a move was. `best`: no move was better. `sound`: a worse move that kept the win or the
draw. `mistake`: it turned a win into a draw, or a win or a draw into a loss. `losing`: the last
mistake of the loser. `unproven`: not known."""

Discs = Annotated[int, Field(ge=-64, le=64)]

#: Default number of nodes for each position.
USUAL_NODES = 5_000_000


class Judged(Part):
    """How many moves of one player were judged, and how many of them were right."""

    moves: Natural = 0
    """Moves with proven values before and after."""
    best: Natural = 0
    """Moves that left the game worth as much as before."""
    sound: Natural = 0
    """Moves that kept the result (win, draw or loss), though perhaps not the score."""

    @property
    def accuracy(self) -> float | None:
        """The share of best moves, None if no move was judged."""
        return self.best / self.moves if self.moves else None

    def __add__(self, other: Judged) -> Judged:
        return Judged(
            moves=self.moves + other.moves,
            best=self.best + other.best,
            sound=self.sound + other.sound,
        )


class ReviewAnswer(Event):
    """The judgement of one move."""

    type: Literal["review"] = "review"
    number: Positive
    """Number of the move since the position was set up, from 1."""
    move: MoveName
    player: Annotated[Literal[1, 2], by_keyword()]
    mark: Annotated[Mark, by_keyword()]
    best: Annotated[MoveName | None, by_keyword()] = None
    """Move that the engine would have made."""
    after: Annotated[Discs | None, by_keyword()] = None
    """Worth of the game to the player after the move, if proven: discs if the game counts discs,
    otherwise 1, 0 or -1."""
    lost: Annotated[Annotated[int, Field(ge=0, le=128)] | None, by_keyword()] = None
    """How much more the game was worth before, if both values are proven."""


class Reviewed(Event):
    """The review has ended."""

    type: Literal["reviewed"] = "reviewed"
    players: Annotated[tuple[Judged, Judged], by_key("MOVES:BEST:SOUND,MOVES:BEST:SOUND")]
    """Counts of the reviewed moves, of player 1 and of player 2."""
    losing: Annotated[Positive | None, by_keyword("NUMBER")] = None
    """Number of the move that lost the game."""


class Review(Command):
    """Judge each move so far, the last one first; answered by `review` events and one `reviewed`.

    The review is a search: `stop` ends it.
    """

    answers = (ReviewAnswer, Reviewed)
    is_overtaken = True

    type: Literal["review"] = "review"
    nodes: Annotated[int, Field(ge=1, le=2**53), by_keyword("COUNT")] = USUAL_NODES
    """Most positions to visit for each position of the game."""
    opening: Annotated[int, Field(ge=0, le=256), by_keyword("COUNT")] = 0
    """Number of first moves that are not judged."""
    winner: Annotated[Literal[1, 2] | None, by_keyword("PLAYER")] = None
    """Player who won a game that did not end on the board."""
