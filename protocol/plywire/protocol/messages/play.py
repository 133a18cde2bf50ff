"""One client's game and searches: from `hello` to `quit`.

Every command is answered by zero or more intermediate events and exactly one that closes it. If
an event has the type of its command, its class has the name of the command and `Answer`.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from .base import Command, Event
from .fields import (
    Drawing,
    Fen,
    Integer,
    MoveName,
    Moves,
    Name,
    Natural,
    Part,
    Positive,
    Sentence,
    Text,
    Word,
)
from .in_line import SIZE, InLine, by_key, by_keyword
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

    lines = (("server", "version", "games", "ready", "options", "software"),)

    type: Literal["hello"] = "hello"
    server: Annotated[Word, InLine(is_optional=False)] = "plywire"
    version: Annotated[Positive, InLine(is_optional=False)] = 1
    """Protocol version."""
    software: Annotated[Text | Literal[""], by_key()] = ""
    """Version of the server."""
    games: Annotated[tuple[Name, ...], by_key()] = ()
    """Names of the games, first the game of a new connection."""
    ready: Annotated[tuple[Name, ...], by_key("GAME,...")] = ()
    """Games that the engine can search at full strength now, on their usual board."""
    options: Annotated[tuple[Option, ...], by_key("NAME:DEFAULT:MIN:MAX,...")] = ()
    """Engine options that the client may set."""


class Hello(Command):
    """Introduce the client and the protocol version that it speaks."""

    answers = (HelloAnswer,)

    type: Literal["hello"] = "hello"
    version: Positive = 1
    name: Text | None = None


class GameInfo(Event):
    """One game on offer."""

    lines = (("name", "size", "players", "ready", "title"),)

    type: Literal["game"] = "game"
    name: Name
    title: Annotated[Text, by_key()]
    players: Annotated[tuple[Name, Name], by_key("FIRST,SECOND")]
    """Names of the two colours, player 1 first."""
    size: Annotated[Word, SIZE]
    """Usual board size as WIDTHxHEIGHT."""
    ready: Annotated[bool, by_key("TRUE|FALSE", is_optional=False)] = False
    """Whether the engine can search the game at full strength now, on its usual board."""


class Games(Command):
    """List the games on offer."""

    answers = (GameInfo, Ok)

    type: Literal["games"] = "games"


class NewGame(Command):
    """Start a game from its first position, and forget the results of earlier searches."""

    answers = (Ok,)

    type: Literal["new-game"] = "new-game"
    game: Word | None = None
    """Name of a game, such as `connect4`; without it, the current game stays."""
    size: Annotated[Word | None, SIZE] = None
    """Board size as WIDTHxHEIGHT. Without it, a named game has its usual size; if no game is named,
    the size stays."""


class SetPosition(Command):
    """Set up a position, then play moves from it."""

    answers = (Ok,)

    type: Literal["position"] = "position"
    fen: Annotated[Fen | None, InLine(shown="startpos|FEN", nothing="startpos")] = None
    """Position string of the current game; without it, the starting position."""
    moves: Annotated[Moves, by_keyword()] = ()


class Move(Command):
    """Play one or more moves on the board: all of them, or none if one is illegal."""

    answers = (Ok,)

    type: Literal["move"] = "move"
    moves: Annotated[Moves, Field(min_length=1)]


class Undo(Command):
    """Take back moves."""

    answers = (Ok,)

    type: Literal["undo"] = "undo"
    count: Annotated[int, Field(ge=1, le=256)] = 1


class LegalAnswer(Event):
    """The legal moves, in ascending order; empty when the game is over."""

    type: Literal["legal"] = "legal"
    moves: tuple[MoveName, ...]


class Legal(Command):
    """Name the legal moves."""

    answers = (LegalAnswer, Ok)

    type: Literal["legal"] = "legal"


class ShowAnswer(Event):
    """The board, for people (`board`) and for programs (`fen`, `moves`)."""

    lines = (("game", "size", "turn", "fen", "moves"),)

    type: Literal["show"] = "show"
    game: Name
    size: Word
    fen: Annotated[Fen, by_keyword()]
    moves: Annotated[tuple[MoveName, ...], by_keyword()]
    """Moves played since the position was set up."""
    turn: Annotated[Literal[1, 2], by_keyword()]
    board: Drawing
    """Lines of text, the top row first; the native dialect sends `board` lines before `show`."""


class Show(Command):
    """Draw the board."""

    answers = (ShowAnswer, Ok)

    type: Literal["show"] = "show"


class Score(Part):
    """Worth of a position to the player to move."""

    kind: Literal["cp", "win", "draw", "loss", "exact"]
    """`cp` is an estimate; the other kinds are proven."""
    value: Integer = 0
    """`cp`: hundredths, of a disc in Othello; `win`, `loss`: plies to the end of the game;
    `draw`: 0; `exact`: the final score in discs."""


class Searched(Part):
    """A player's report of its search for the move that it made."""

    score: Score | None = None
    """Expected result of the game."""
    depth: Natural | None = None
    """Depth of the search, in plies."""
    nodes: Natural | None = None
    """Positions visited."""

    @property
    def or_none(self) -> Self | None:
        """The report, or None if it is empty."""
        return None if self == Searched() else self


class EvalAnswer(Event):
    """The static evaluation."""

    type: Literal["eval"] = "eval"
    score: Score


class Eval(Command):
    """Evaluate the position without searching."""

    answers = (EvalAnswer, Ok)

    type: Literal["eval"] = "eval"


class ResultAnswer(Event):
    """Whose turn it is, or how the game ended."""

    lines = (("over", "turn", "winner", "score", "reason"), ("playing", "turn"))

    type: Literal["result"] = "result"
    over: bool
    turn: Annotated[Literal[1, 2], by_keyword()]
    winner: Annotated[Literal[1, 2] | None, by_keyword(nothing="none")] = None
    """`null` while the game goes on and when it is drawn."""
    score: Annotated[int, Field(ge=-64, le=64), by_keyword(is_optional=False)] = 0
    """Result of a finished game for player 1: discs in Othello, otherwise 1, 0 or -1."""
    reason: Annotated[Sentence, by_keyword()] = ""
    """How the game ended, such as `four in a row`."""


class Result(Command):
    """Say whose turn it is, or how the game ended."""

    answers = (ResultAnswer, Ok)

    type: Literal["result"] = "result"


class SetOption(Command):
    """Set an engine option, such as `hash` (MB) or `threads`."""

    answers = (Ok,)

    type: Literal["option"] = "option"
    name: Text
    value: Text


class Preparing(Event):
    """The preparation of a game goes on; this event comes about once a second."""

    lines = (("game", "size", "seconds_left", "step"),)

    type: Literal["preparing"] = "preparing"
    game: Name
    size: Annotated[Word, SIZE]
    step: Annotated[Sentence, by_keyword()]
    """Present step of the preparation, such as `machine code`."""
    seconds_left: Annotated[Natural | None, by_key("SECONDS")] = None
    """Estimate in seconds, rounded up; `null` if there is none."""


class Ready(Event):
    """The engine can search a game at full strength now."""

    type: Literal["ready"] = "ready"
    game: Name
    size: Annotated[Word, SIZE]


class Prepare(Command):
    """Prepare the engine for a game; answered by `preparing` events and one `ready`.

    If the game cannot be prepared, an `error` with the code `unavailable` closes the command.
    """

    answers = (Preparing, Ready)
    while_thinking = True
    is_overtaken = True

    type: Literal["prepare"] = "prepare"
    game: Word | None = None
    """Name of a game, such as `connect4`; without it, the current game."""
    size: Annotated[Word | None, SIZE] = None
    """Board size as WIDTHxHEIGHT. Without it, a named game has its usual size; if no game is named,
    the size is the current one."""

    def is_answered_by(self, event: Event) -> bool:
        """Whether an event may answer the command; an event that names another game may not."""
        return super().is_answered_by(event) and (
            not isinstance(event, Preparing | Ready)
            or (self.game in (None, event.game) and self.size in (None, event.size))
        )


class Info(Event):
    """The search reports one finished line of one iteration."""

    lines = (("depth", "multipv", "score", "nodes", "nps", "hashfull", "time", "confidence", "pv"),)

    type: Literal["info"] = "info"
    depth: Annotated[Natural, by_keyword()]
    score: Annotated[Score, by_keyword()]
    nodes: Annotated[Natural, by_keyword()]
    time: Annotated[Natural, by_keyword("MS")]
    """Time since the search began, in ms."""
    nps: Annotated[Natural, by_keyword()]
    """Nodes a second."""
    hashfull: Annotated[int, Field(ge=0, le=1000), by_keyword(is_optional=False)] = 0
    """Share of the transposition table in use, in thousandths."""
    confidence: Annotated[int, Field(ge=0, le=100), by_keyword("PERCENT")] = 100
    """Confidence of each cut that rests on an estimate instead of a proof, in percent."""
    multipv: Annotated[Positive, by_keyword(is_optional=False)] = 1
    """Rank of the line; 1 is the best."""
    pv: Annotated[tuple[MoveName, ...], by_keyword("MOVE...")] = ()
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


#: An engine may name this word in place of a move to resign. The server never resigns.
RESIGN = "resign"


class BestMove(Event):
    """The search has ended."""

    lines = (("move", "by"),)

    type: Literal["bestmove"] = "bestmove"
    move: Annotated[MoveName | None, InLine(nothing="none")] = None
    """`null` when the game is over."""
    square: MoveName | None = None
    """Square on which the move lands, `-` for a pass."""
    by: Annotated[SearchedBy, by_keyword()] = "engine"
    """Origin of the move: the engine, a plain search, or no search."""


#: The strongest level. The weakest level is 1.
MAX_LEVEL = 10


class Go(Command):
    """Search the position; answered by `info` events and one `bestmove`."""

    answers = (Info, BestMove)
    is_overtaken = True

    type: Literal["go"] = "go"
    limits: Limits = Field(default_factory=Limits)
    multipv: Annotated[int, Field(ge=1, le=64), by_keyword("COUNT")] = 1
    """Number of best lines to report."""
    level: Annotated[Annotated[int, Field(ge=1, le=MAX_LEVEL)] | None, by_keyword()] = None
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

    type: Literal["bye"] = "bye"
    reason: Sentence = ""
    """Empty if the client sent `quit`."""


class Quit(Command):
    """Say goodbye: a running search ends with its `bestmove`, then the server answers `bye`."""

    answers = (Bye,)
    while_thinking = True

    type: Literal["quit"] = "quit"
