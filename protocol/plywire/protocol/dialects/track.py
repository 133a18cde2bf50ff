"""The game in progress, for dialects whose lines do not repeat all of it."""

from dataclasses import dataclass

from plywire.protocol.messages.limits import Limits

#: The game until one is chosen, unless the server's introduction begins with another.
DEFAULT_GAME = "connect4"

#: The limits of a search without time or depth, in dialects where the engine chooses them.
# Not validated: that would load much of pydantic on import.
USUAL_LIMITS = Limits.model_construct(movetime=1000)


@dataclass(frozen=True, slots=True)
class Track:
    """The game in progress: its name, start position and moves."""

    game: str = DEFAULT_GAME
    fen: str | None = None
    moves: tuple[str, ...] = ()
