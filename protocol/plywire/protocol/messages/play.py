"""One client's game and searches: from `hello` to `quit`.

Every command is answered by zero or more intermediate events and exactly one that closes it. An
event whose type is that of its command is called like it, with `Answer` after it.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from .base import Command, Event
from .fields import (
    Count,
    Drawing,
    Fen,
    Integer,
    MoveName,
    Moves,
    Name,
    Part,
    Positive,
    Sentence,
    Text,
    Word,
)
from .limits import Limits


class Ok(Event):
    """The command was carried out."""

    type: Literal["ok"] = "ok"


class Option(Part):
    """A whole number that `option` sets."""

    name: Name
    default: Integer
    min: Integer
    max: Integer


class HelloAnswer(Event):
    """The server introduces itself."""

    syntax = (
        "SERVER VERSION [games=GAME,...] [ready=GAME,...] [options=NAME:DEFAULT:MIN:MAX,...]"
        " [software=SOFTWARE]"
    )

    type: Literal["hello"] = "hello"
    server: Word = "plywire"
    version: Positive = 1
    """Protocol version."""
    software: Text | Literal[""] = ""
    """Version of the server."""
    games: tuple[Name, ...] = ()
    """Names of the games, first the game of a new connection."""
    ready: tuple[Name, ...] = ()
    """Games that the engine can search at full strength now, on their usual board."""
    options: tuple[Option, ...] = ()
    """Engine options that the client may set."""


class Hello(Command):
    """Introduce the client and the protocol version that it speaks."""

    syntax = "[VERSION] [NAME]"
    answers = (HelloAnswer,)

    type: Literal["hello"] = "hello"
    version: Positive = 1
    name: Text | None = None


class GameInfo(Event):
    """One game on offer."""

    syntax = "NAME size=WIDTHxHEIGHT players=FIRST,SECOND ready=TRUE|FALSE title=TITLE"

    type: Literal["game"] = "game"
    name: Name
    title: Text
    players: tuple[Name, Name]
    """Names of the two colours, player 1 first."""
    size: Word
    """Usual board size as WIDTHxHEIGHT."""
    ready: bool = False
    """Whether the engine can search the game at full strength now, on its usual board."""


class Games(Command):
    """List the games on offer."""

    answers = (GameInfo, Ok)

    type: Literal["games"] = "games"


class NewGame(Command):
    """Start a game from its first position, and forget the results of earlier searches."""

    syntax = "[GAME] [size=WIDTHxHEIGHT]"
    answers = (Ok,)

    type: Literal["new-game"] = "new-game"
    game: Word | None = None
    """Name of a game, such as `connect4`; without it, the current game stays."""
    size: Word | None = None
    """Board size as WIDTHxHEIGHT. Without it, the size is the game's usual one, or stays if the
    game stays."""


class SetPosition(Command):
    """Set up a position, then play moves from it."""

    syntax = "startpos|FEN [moves MOVE...]"
    answers = (Ok,)

    type: Literal["position"] = "position"
    fen: Fen | None = None
    """Position string of the current game; without it, the starting position."""
    moves: Moves = ()


class Move(Command):
    """Play one or more moves on the board: all of them, or none if one is illegal."""

    syntax = "MOVE..."
    answers = (Ok,)

    type: Literal["move"] = "move"
    moves: Annotated[Moves, Field(min_length=1)]


class Undo(Command):
    """Take back moves."""

    syntax = "[COUNT]"
    answers = (Ok,)

    type: Literal["undo"] = "undo"
    count: Annotated[int, Field(ge=1, le=256)] = 1


class LegalAnswer(Event):
    """The legal moves, in ascending order; empty when the game is over."""

    syntax = "MOVE..."

    type: Literal["legal"] = "legal"
    moves: tuple[MoveName, ...]


class Legal(Command):
    """Name the legal moves."""

    answers = (LegalAnswer, Ok)

    type: Literal["legal"] = "legal"


class ShowAnswer(Event):
    """The board, for people (`board`) and for programs (`fen`, `moves`)."""

    syntax = "GAME SIZE turn TURN fen FEN moves MOVE..."

    type: Literal["show"] = "show"
    game: Name
    size: Word
    fen: Fen
    moves: tuple[MoveName, ...]
    """Moves played since the position was set up."""
    turn: Literal[1, 2]
    board: Drawing
    """Lines of text, the top row first; in the native dialect, the `board` lines before."""


class Show(Command):
    """Draw the board."""

    answers = (ShowAnswer, Ok)

    type: Literal["show"] = "show"


class Score(Part):
    """Worth of a position to the player to move."""

    kind: Literal["cp", "win", "draw", "loss", "exact"]
    """`cp` is an estimate; the others are proven."""
    value: Integer = 0
    """`cp`: hundredths, of a disc in Othello; `win`, `loss`: plies to the end of the game;
    `draw`: 0; `exact`: the final score in discs."""


class Searched(Part):
    """A player's report of its search for the move that it made."""

    score: Score | None = None
    """Expected result of the game."""
    depth: Count | None = None
    """Depth of the search, in plies."""
    nodes: Count | None = None
    """Positions visited."""

    @property
    def or_none(self) -> Self | None:
        """The report, or None if it is empty."""
        return None if self == Searched() else self


class EvalAnswer(Event):
    """The static evaluation."""

    syntax = "SCORE"

    type: Literal["eval"] = "eval"
    score: Score


class Eval(Command):
    """Evaluate the position without searching."""

    answers = (EvalAnswer, Ok)

    type: Literal["eval"] = "eval"


class ResultAnswer(Event):
    """Whose turn it is, or how the game ended."""

    syntax = "over turn TURN winner WINNER|none score SCORE reason REASON / playing turn TURN"

    type: Literal["result"] = "result"
    over: bool
    turn: Literal[1, 2]
    winner: Literal[1, 2] | None = None
    """`null` while the game goes on and when it is drawn."""
    score: Annotated[int, Field(ge=-64, le=64)] = 0
    """Result of a finished game for player 1: discs in Othello, otherwise 1, 0 or -1."""
    reason: Sentence = ""
    """How the game ended, such as `four in a row`."""


class Result(Command):
    """Say whose turn it is, or how the game ended."""

    answers = (ResultAnswer, Ok)

    type: Literal["result"] = "result"


class SetOption(Command):
    """Set an engine option, such as `hash` (MB) or `threads`."""

    syntax = "NAME VALUE"
    answers = (Ok,)

    type: Literal["option"] = "option"
    name: Text
    value: Text


class Preparing(Event):
    """The preparation of a game goes on; it comes about once a second."""

    syntax = "GAME size=WIDTHxHEIGHT [seconds_left=SECONDS] step STEP"

    type: Literal["preparing"] = "preparing"
    game: Name
    size: Word
    step: Sentence
    """Present step of the preparation, such as `machine code`."""
    seconds_left: Count | None = None
    """Estimate in seconds, rounded up; `null` if there is none."""


class Ready(Event):
    """The engine can search a game at full strength now."""

    syntax = "GAME size=WIDTHxHEIGHT"

    type: Literal["ready"] = "ready"
    game: Name
    size: Word


class Prepare(Command):
    """Prepare the engine for a game; `preparing` events, and `ready` when it is.

    An `error` with the code `unavailable` closes it if the game cannot be prepared.
    """

    syntax = "[GAME] [size=WIDTHxHEIGHT]"
    answers = (Preparing, Ready)
    while_thinking = True
    is_overtaken = True

    type: Literal["prepare"] = "prepare"
    game: Word | None = None
    """Name of a game, such as `connect4`; without it, the current game."""
    size: Word | None = None
    """Board size as WIDTHxHEIGHT. Without it, the size is the game's usual one, or the current one
    if no game is named."""

    def is_answered_by(self, event: Event) -> bool:
        """Whether an event may answer the command: those that name another game may not."""
        return super().is_answered_by(event) and (
            not isinstance(event, Preparing | Ready)
            or (self.game in (None, event.game) and self.size in (None, event.size))
        )


class Info(Event):
    """The search reports one finished line of one iteration."""

    syntax = (
        "depth DEPTH multipv MULTIPV score SCORE nodes NODES nps NPS hashfull HASHFULL time MS"
        " [confidence PERCENT] [pv MOVE...]"
    )

    type: Literal["info"] = "info"
    depth: Count
    score: Score
    nodes: Count
    time: Count
    """Time since the search began, in ms."""
    nps: Count
    """Nodes a second."""
    hashfull: Annotated[int, Field(ge=0, le=1000)] = 0
    """Share of the transposition table in use, in thousandths."""
    confidence: Annotated[int, Field(ge=0, le=100)] = 100
    """Confidence of each cut that the search made by an estimate, in percent."""
    multipv: Positive = 1
    """Rank of the line; 1 is the best."""
    pv: tuple[MoveName, ...] = ()
    """Principal variation, as names of moves."""
    squares: tuple[MoveName, ...] = ()
    """Square on which each move of `pv` lands, `-` for a pass."""

    @property
    def searched(self) -> Searched:
        """Return the part of the report that records keep."""
        return Searched(score=self.score, depth=self.depth, nodes=self.nodes)


SearchedBy = Literal["engine", "plain", "none"]
"""Origin of a move: the engine, the plain search that stands in while the engine is being
prepared, or no search."""


#: What an engine that is driven may name for a move: it gives up. The server never does.
RESIGN = "resign"


class BestMove(Event):
    """The search has ended."""

    syntax = "MOVE|none [by BY]"

    type: Literal["bestmove"] = "bestmove"
    move: MoveName | None = None
    """`null` when the game is over."""
    square: MoveName | None = None
    """Square on which the move lands, `-` for a pass."""
    by: SearchedBy = "engine"
    """Origin of the move: the engine, a plain search, or no search."""


#: The hardest level; the easiest is 1.
MAX_LEVEL = 10


class Go(Command):
    """Search the position; answered by `info` events and one `bestmove`."""

    syntax = "LIMITS [multipv COUNT] [level LEVEL]"
    answers = (Info, BestMove)
    is_overtaken = True

    type: Literal["go"] = "go"
    limits: Limits = Field(default_factory=Limits)
    multipv: Annotated[int, Field(ge=1, le=64)] = 1
    """Number of best lines to report."""
    level: Annotated[int, Field(ge=1, le=MAX_LEVEL)] | None = None
    """Strength of the engine from 1 to 10; only limits of time may be given with it."""

    @model_validator(mode="after")
    def _level_decides(self) -> Self:
        if self.level is not None and (self.multipv > 1 or self.limits != self.limits.of_time):
            raise ValueError("level goes with movetime and clock only: it decides all else")
        return self


class Stop(Command):
    """End the running search, if any: `ok` at once, and `bestmove` closes its `go`."""

    answers = (Ok,)
    while_thinking = True

    type: Literal["stop"] = "stop"


class Pong(Event):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"


class Ping(Command):
    """Ask for a `pong`, also during a search."""

    answers = (Pong,)
    while_thinking = True

    type: Literal["ping"] = "ping"


class Bye(Event):
    """The server closes the connection."""

    syntax = "[REASON]"

    type: Literal["bye"] = "bye"
    reason: Sentence = ""
    """Empty if the client sent `quit`."""


class Quit(Command):
    """Say goodbye: a running search ends with its `bestmove`, then the server answers `bye`."""

    answers = (Bye,)
    while_thinking = True

    type: Literal["quit"] = "quit"
