"""What a peer may ask.

Every command is answered by zero or more intermediate events and exactly one that closes it:
`ok`, `error`, `hello`, `bestmove`, `pong`, `welcome`, `offered` or `bye` (see `events.py`; which
answers which is in `answers.py`). Those of the arena are in `arena_commands.py`.
"""

from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field, TypeAdapter

from .arena_commands import ArenaCommand
from .base import CommandMessage
from .fields import Fen, Moves, Positive, Text, Word
from .limits import Limits


class Hello(CommandMessage):
    """Introduce the peer and the protocol version it speaks."""

    type: Literal["hello"] = "hello"
    version: Positive = 1
    name: Text | None = None


class Games(CommandMessage):
    """List the games on offer."""

    type: Literal["games"] = "games"


class NewGame(CommandMessage):
    """Start a game from its first position and forget what was learnt from the last."""

    type: Literal["new-game"] = "new-game"
    game: Word | None = None
    """Registry name, such as `connect4`; none keeps the current game."""
    size: Word | None = None
    """Board size as WIDTHxHEIGHT; none takes the game's usual one, or keeps the current one if
    the game is kept."""


class SetPosition(CommandMessage):
    """Set up a position, then play moves from it."""

    type: Literal["position"] = "position"
    fen: Fen | None = None
    """Position string of the current game; none is the starting position."""
    moves: Moves = ()


class Move(CommandMessage):
    """Play one or more moves on the board: all of them, or none if one is illegal."""

    type: Literal["move"] = "move"
    moves: Annotated[Moves, Field(min_length=1)]


class Undo(CommandMessage):
    """Take back moves."""

    type: Literal["undo"] = "undo"
    count: Annotated[int, Field(ge=1, le=256)] = 1


class Legal(CommandMessage):
    """Name the legal moves."""

    type: Literal["legal"] = "legal"


class Show(CommandMessage):
    """Draw the board."""

    type: Literal["show"] = "show"


class Eval(CommandMessage):
    """Evaluate the position without searching."""

    type: Literal["eval"] = "eval"


class Result(CommandMessage):
    """Say whose turn it is, or how the game ended."""

    type: Literal["result"] = "result"


class SetOption(CommandMessage):
    """Set an engine option, such as `hash` (MB) or `threads`."""

    type: Literal["option"] = "option"
    name: Text
    value: Text


class Go(CommandMessage):
    """Search the position; answered by `info` events and one `bestmove`."""

    type: Literal["go"] = "go"
    limits: Limits = Field(default_factory=Limits)
    multipv: Annotated[int, Field(ge=1, le=64)] = 1
    """How many best lines to report."""


class Stop(CommandMessage):
    """End the running search, if any: `ok` at once, and `bestmove` closes its `go`."""

    type: Literal["stop"] = "stop"


class Ping(CommandMessage):
    """Ask for a `pong`, also during a search."""

    type: Literal["ping"] = "ping"


class Quit(CommandMessage):
    """Say goodbye: a running search ends with its `bestmove`, then the server answers `bye`."""

    type: Literal["quit"] = "quit"


Command = Annotated[
    Hello
    | Games
    | NewGame
    | SetPosition
    | Move
    | Undo
    | Legal
    | Show
    | Eval
    | Result
    | SetOption
    | Go
    | Stop
    | Ping
    | Quit
    | ArenaCommand,
    Field(discriminator="type"),
]

COMMAND: TypeAdapter[Command] = TypeAdapter(Command, config=ConfigDict(defer_build=True))

#: The kinds of command, by their type.
COMMANDS: dict[str, type[Command]] = {
    kind.model_fields["type"].default: kind
    for kind in (
        Hello,
        Games,
        NewGame,
        SetPosition,
        Move,
        Undo,
        Legal,
        Show,
        Eval,
        Result,
        SetOption,
        Go,
        Stop,
        Ping,
        Quit,
        *get_args(ArenaCommand),
    )
}
