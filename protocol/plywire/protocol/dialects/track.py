"""The game in progress, as dialects remember it whose lines do not tell all of it."""

from dataclasses import dataclass

from plywire.protocol.messages.limits import Limits

#: What is played before a game has been chosen, unless the server introduces itself with another.
DEFAULT_GAME = "connect4"

#: Of a search whose peer told neither time nor depth, in the dialects where engines choose.
# Not validated: that would load much of pydantic on import.
USUAL_LIMITS = Limits.model_construct(movetime=1000)


@dataclass(frozen=True, slots=True)
class Track:
    """The game in progress: what a `position` line says anew with every move."""

    game: str = DEFAULT_GAME
    fen: str | None = None
    moves: tuple[str, ...] = ()
