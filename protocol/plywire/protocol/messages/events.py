"""What the server may answer; what it says in the arena is in `arena_events.py`."""

from enum import StrEnum
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from .arena_events import ArenaEvent
from .base import EventMessage
from .feed_events import FEED_EVENTS, GameState, Standings, Status
from .fields import Count, Drawing, Fen, Integer, Message, MoveName, Name, Positive, Text, Word


class ErrorCode(StrEnum):
    """Why a command was refused; nothing changed."""

    SYNTAX = "syntax"
    UNKNOWN_COMMAND = "unknown-command"
    UNSUPPORTED_VERSION = "unsupported-version"
    UNKNOWN_GAME = "unknown-game"
    UNKNOWN_OPTION = "unknown-option"
    BAD_VALUE = "bad-value"
    BAD_POSITION = "bad-position"
    ILLEGAL_MOVE = "illegal-move"
    GAME_OVER = "game-over"
    BUSY = "busy"
    LINE_TOO_LONG = "line-too-long"
    TOO_MANY = "too-many"
    DRAINING = "draining"
    UNAUTHORIZED = "unauthorized"
    UNAVAILABLE = "unavailable"
    INTERNAL = "internal"


class Score(BaseModel):
    """What a position is worth to the side to move."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    kind: Literal["cp", "win", "draw", "loss", "exact"]
    """`cp` is an estimate; the others are proven."""
    value: Integer = 0
    """`cp`: hundredths (of a disc in Othello); `win`, `loss`: plies to the end of the game;
    `draw`: 0; `exact`: the final score in discs."""


class Option(BaseModel):
    """A whole number that `option` sets."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: Name
    default: Integer
    min: Integer
    max: Integer


class Hello(EventMessage):
    """The server introduces itself."""

    type: Literal["hello"] = "hello"
    server: Word = "plywire"
    version: Positive = 1
    """Protocol version."""
    software: Text | Literal[""] = ""
    """Version of the server."""
    games: tuple[Name, ...] = ()
    """Registry names of the games on offer, the one that a new peer plays first."""
    options: tuple[Option, ...] = ()
    """The engine options that the peer may set."""


class GameInfo(EventMessage):
    """One game on offer."""

    type: Literal["game"] = "game"
    name: Name
    title: Text
    players: tuple[Name, Name]
    """What the two sides are called, first player first."""
    size: Word
    """The usual board size as WIDTHxHEIGHT."""


class Ok(EventMessage):
    """The command was carried out."""

    type: Literal["ok"] = "ok"


class Error(EventMessage):
    """The command was refused and nothing changed."""

    type: Literal["error"] = "error"
    code: ErrorCode
    message: Message
    """One line: what was wrong and what is accepted."""


class Legal(EventMessage):
    """The legal moves, in ascending order; none when the game is over."""

    type: Literal["legal"] = "legal"
    moves: tuple[MoveName, ...]


class Show(EventMessage):
    """The board, for people (`board`) and for programs (`fen`, `moves`)."""

    type: Literal["show"] = "show"
    game: Name
    size: Word
    fen: Fen
    moves: tuple[MoveName, ...]
    """The moves played since the position was set up."""
    turn: Literal[1, 2]
    board: Drawing
    """Lines of text, the top row first."""


class Eval(EventMessage):
    """The static evaluation."""

    type: Literal["eval"] = "eval"
    score: Score


class Result(EventMessage):
    """Whose turn it is, or how the game ended."""

    type: Literal["result"] = "result"
    over: bool
    turn: Literal[1, 2]
    winner: Literal[1, 2] | None = None
    """None while the game goes on and when it is drawn."""
    score: Annotated[int, Field(ge=-64, le=64)] = 0
    """Of a finished game, for the first player: discs in Othello, else 1, 0 or -1."""
    reason: Message = ""
    """How the game ended, such as `four in a row`."""


class Info(EventMessage):
    """The search reports one finished line of one iteration."""

    type: Literal["info"] = "info"
    depth: Count
    score: Score
    nodes: Count
    time: Count
    """Since the search began, in ms."""
    nps: Count
    """Nodes a second."""
    hashfull: Annotated[int, Field(ge=0, le=1000)] = 0
    """How full the transposition table is, in thousandths."""
    confidence: Annotated[int, Field(ge=0, le=100)] = 100
    """How sure the search was of each cut that it made on suspicion, in percent."""
    multipv: Positive = 1
    """1 is the best line."""
    pv: tuple[MoveName, ...] = ()
    """Principal variation, by move names."""
    squares: tuple[MoveName, ...] = ()
    """The square on which each move of `pv` lands, `-` for a pass."""


class BestMove(EventMessage):
    """The search has ended."""

    type: Literal["bestmove"] = "bestmove"
    move: MoveName | None = None
    """None when the game is over."""
    square: MoveName | None = None
    """The square on which the move lands, `-` for a pass."""


class Pong(EventMessage):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"


class Bye(EventMessage):
    """The server closes the connection."""

    type: Literal["bye"] = "bye"
    reason: Message = ""
    """Empty when the peer asked for it."""


Event = Annotated[
    Hello
    | GameInfo
    | Ok
    | Error
    | Legal
    | Show
    | Eval
    | Result
    | Info
    | BestMove
    | Pong
    | Bye
    | ArenaEvent
    | GameState
    | Standings
    | Status,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))

#: The kinds of event, by their type.
EVENTS: dict[str, type[Event]] = {
    kind.model_fields["type"].default: kind
    for kind in (
        Hello,
        GameInfo,
        Ok,
        Error,
        Legal,
        Show,
        Eval,
        Result,
        Info,
        BestMove,
        Pong,
        Bye,
        *get_args(ArenaEvent),
        *FEED_EVENTS,
    )
}
