"""The game in progress, for dialects whose lines do not repeat all of it."""

from dataclasses import dataclass

from plywire.protocol.messages.limits import Limits

#: The game until one is chosen, unless the server's introduction names another game first.
DEFAULT_GAME = "connect4"

#: The limits of a search that sets no time and no depth, in dialects in which the engine then
#: chooses.
# `model_construct` does not validate: validation would load much of pydantic on import.
USUAL_LIMITS = Limits.model_construct(movetime=1000)


@dataclass(frozen=True, slots=True)
class Track:
    """The game in progress: its name, start position and moves."""

    game: str = DEFAULT_GAME
    fen: str | None = None
    moves: tuple[str, ...] = ()
