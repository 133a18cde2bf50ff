"""Bots that play against each other in the arena.

A bot logs in, finds opponents by `seek`, `challenge` and `accept`, or joins a tournament, and plays
where it has a seat. A game that is being played is a table, and has an id; `turn` counts the moves
made there, those of the opening included.
"""

from typing import Annotated, Literal

from pydantic import Field

from .base import Command, Event
from .fields import (
    Fen,
    Game,
    Integer,
    MoveName,
    Moves,
    Name,
    Natural,
    OfferNumber,
    Positive,
    Sentence,
    Size,
    Table,
    Word,
)
from .in_line import SIZE, InLine, by_key, by_keyword
from .limits import Limits
from .play import Ok, Score

#: Maximum number of games that a bot may play at the same time.
MAX_SLOTS = 64


class ArenaCommand(Command):
    """A command that only a server with an arena carries out."""


class Notice(Event):
    """An event that comes unasked."""

    is_notice = True


class Welcome(Event):
    """The bot is in the arena; the games that it plays follow."""

    type: Literal["welcome"] = "welcome"
    name: Name
    session: Annotated[Word, by_key()]
    """Session token, by which `resume` finds the games after a lost connection."""
    grace: Annotated[Natural, by_key("MS")]
    """Time to come back after a lost connection before the games are lost, in ms. Clocks run on."""
    tables: Annotated[Natural, by_key("COUNT", is_optional=False)] = 0
    """Number of games that the bot is playing."""


class Login(ArenaCommand):
    """Enter the arena by name, and say what the bot plays."""

    answers = (Welcome,)

    type: Literal["login"] = "login"
    name: Name
    token: Word
    """Token that `plywire bot add` printed."""
    games: Annotated[tuple[Name, ...], Field(max_length=16), by_key()] = ()
    """Names of the games that the bot plays; empty is all."""
    slots: Annotated[int, Field(ge=1, le=MAX_SLOTS), by_key("COUNT")] = 1
    """Number of games that the bot can play at the same time."""


class Guest(ArenaCommand):
    """Enter the arena without an account, where the server takes guests.

    A guest plays one game at a time, and no rated games or tournaments.
    """

    answers = (Welcome,)

    type: Literal["guest"] = "guest"
    name: Name
    """Wished name; `welcome` has the name that the server gives, such as `guest-ann`."""
    games: Annotated[tuple[Name, ...], Field(max_length=16), by_key()] = ()
    """Names of the games that the guest plays; empty is all."""


class Resume(ArenaCommand):
    """Come back after the connection was lost, to the games as they stand now."""

    answers = (Welcome,)

    type: Literal["resume"] = "resume"
    session: Word
    """Session token of `welcome`."""


class Bot(Event):
    """One bot in the arena."""

    type: Literal["bot"] = "bot"
    name: Name
    games: Annotated[tuple[Name, ...], by_key(is_optional=True)]
    slots: Annotated[Positive, by_key("COUNT")]
    tables: Annotated[Natural, by_key("COUNT")]
    """Number of games that the bot is playing."""


class _Offer(Event):
    offer: OfferNumber
    name: Name
    """Name of the bot that offers."""
    game: Game
    size: Annotated[Size, SIZE]
    rating: Annotated[Integer | None, by_key()] = None
    """Rating of that bot in the game; `null` if the bot has played no rated games of this kind."""
    rated: Annotated[bool, by_key("TRUE")] = False
    """Whether the game counts for the ratings."""
    limits: Limits
    """Time and other limits of both players."""


class Offer(_Offer):
    """One open seek."""

    type: Literal["offer"] = "offer"


class Lobby(ArenaCommand):
    """List the bots in the arena and the open seeks."""

    answers = (Bot, Offer, Ok)

    type: Literal["lobby"] = "lobby"


class Offered(Event):
    """The seek or challenge is open, until it is accepted, declined or withdrawn."""

    type: Literal["offered"] = "offered"
    offer: OfferNumber


class Seek(ArenaCommand):
    """Offer a game to any bot that seeks the same."""

    answers = (Offered,)

    type: Literal["seek"] = "seek"
    game: Game
    size: Annotated[Word | None, SIZE] = None
    """Board size as WIDTHxHEIGHT; without it, the usual one."""
    rated: Annotated[bool, by_key("TRUE")] = False
    """Whether the ladder pairs the bot, for a game that counts for the ratings."""
    key: Annotated[Word | None, by_key()] = None
    """Key of an invitation. The seek is not listed, and matches only a seek with the same key."""
    limits: Limits
    """Time and other limits of both players; a clock holds their times at the start."""


class Challenge(ArenaCommand):
    """Offer a game to one other bot."""

    answers = (Offered,)

    type: Literal["challenge"] = "challenge"
    name: Name
    """Name of the other bot."""
    game: Game
    size: Annotated[Size | None, SIZE] = None
    rated: Annotated[bool, by_key("TRUE")] = False
    """Whether the game counts for the ratings; the other bot must accept it as rated."""
    limits: Limits
    """Time and other limits of both players."""


class Challenged(_Offer, Notice):
    """Another bot would like to play against this one."""

    type: Literal["challenged"] = "challenged"


class Accept(ArenaCommand):
    """Play a game that was offered."""

    answers = (Ok,)

    type: Literal["accept"] = "accept"
    offer: OfferNumber
    rated: Annotated[bool, by_key("TRUE")] = False
    """Whether the game counts for the ratings; the value must be that of the offer."""


class Decline(ArenaCommand):
    """Refuse a challenge; the challenger receives the reason."""

    answers = (Ok,)

    type: Literal["decline"] = "decline"
    offer: OfferNumber
    reason: Sentence = ""
    """Reason, for the challenger."""


class Withdraw(ArenaCommand):
    """Take back your own seek or challenge."""

    answers = (Ok,)

    type: Literal["withdraw"] = "withdraw"
    offer: OfferNumber


class Withdrawn(Notice):
    """An offer is no longer open: it was declined or taken back, or one of the bots has left."""

    type: Literal["withdrawn"] = "withdrawn"
    offer: OfferNumber
    reason: Sentence = ""


class Start(Notice):
    """A game begins, or goes on after a `welcome`."""

    type: Literal["start"] = "start"
    table: Table
    game: Game
    size: Annotated[Size, SIZE]
    player: Annotated[Literal[1, 2], by_key()]
    """Whether the bot is player 1 or 2."""
    opponent: Annotated[Name, by_key("NAME")]
    """Name of the other bot."""
    offer: Annotated[Positive | None, by_key()] = None
    """Number of the seek or challenge that led to the game; `null` in a tournament."""
    rated: Annotated[bool, by_key("TRUE")] = False
    """Whether the game is rated by itself; games of a tournament are rated after the tournament."""
    away: Annotated[Natural | None, by_key("MS")] = None
    """Time in ms after which an absent opponent loses; `null` while the opponent is there."""
    limits: Limits
    """Limits at the start of the game."""
    fen: Annotated[Fen, by_keyword()]
    """Position before the moves."""
    moves: Annotated[Moves, by_keyword()]
    """Moves so far, the opening included."""


class Turn(Notice):
    """It is the bot's turn. After a `welcome`, the server repeats a turn that is still open."""

    type: Literal["turn"] = "turn"
    table: Table
    turn: Natural
    """Number of moves made."""
    limits: Limits
    """Limits, with both clocks as they stand now."""
    fen: Annotated[Fen, by_keyword()]
    """Position before the moves."""
    moves: Annotated[Moves, by_keyword()]
    """Moves so far, the opening included."""


class Play(ArenaCommand):
    """Answer a turn; a repeated answer does no harm.

    The fields about the search are for the record. The opponent does not receive them.
    """

    answers = (Ok,)

    type: Literal["play"] = "play"
    table: Table
    turn: Natural
    """Number of the `turn` that the move answers."""
    move: MoveName
    score: Annotated[Score | None, by_keyword()] = None
    """Result that the bot expects."""
    depth: Annotated[Natural | None, by_keyword()] = None
    """Depth of the search, in plies."""
    nodes: Annotated[Natural | None, by_keyword()] = None
    """Positions that the search visited."""


class Played(Notice):
    """A move was made, by either player, and is on the record."""

    type: Literal["played"] = "played"
    table: Table
    turn: Natural
    """Number of moves made before this move."""
    move: MoveName
    time: Annotated[Natural, by_key("MS")]
    """Time that the move is charged for, in ms."""


class Say(ArenaCommand):
    """Say something to the opponent, such as a greeting."""

    answers = (Ok,)

    type: Literal["say"] = "say"
    table: Table
    text: Sentence
    """Text for the opponent."""


class Said(Notice):
    """The opponent said something."""

    type: Literal["said"] = "said"
    table: Table
    name: Name
    """Name of the opponent."""
    text: Sentence
    """Text from the opponent."""


class Missed(Notice):
    """Notices that other bots caused were dropped, the oldest first.

    While a bot sends nothing, it gets 32 such notices and then a `probe`. Until the bot answers,
    the latest 32 further notices wait. Such notices are `said`, `challenged`, `withdrawn` by the
    challenger, and the events of `watch`.
    """

    type: Literal["missed"] = "missed"
    count: Positive
    """Number of notices that were dropped."""


class Note(ArenaCommand):
    """Add a text to the record, such as a line that the engine printed; the game goes on.

    If the bot loses the game by a fault, the record shows its last notes.
    """

    answers = (Ok,)

    type: Literal["note"] = "note"
    table: Table
    text: Sentence


class Resign(ArenaCommand):
    """Resign, or report the bot's own fault, which loses the game."""

    answers = (Ok,)

    type: Literal["resign"] = "resign"
    table: Table
    termination: Annotated[
        Literal["resignation", "crash", "stall", "illegal-move", "garbage", "time", "disconnect"],
        InLine(begins_end=True),
    ] = "resignation"
    """Way in which the game ends, in the words of `over`."""
    reason: Sentence = ""


class Abort(ArenaCommand):
    """Call off a game in which the bot has made no move; nobody wins."""

    answers = (Ok,)

    type: Literal["abort"] = "abort"
    table: Table


class Over(Notice):
    """A game ended."""

    lines = (("table", "termination", "winner", "score", "reason"),)

    type: Literal["over"] = "over"
    table: Table
    winner: Annotated[Literal[1, 2] | None, by_keyword(nothing="none")] = None
    """`null` if nobody won."""
    score: Annotated[Integer, by_keyword(is_optional=False)] = 0
    """Result for player 1: discs in Othello, otherwise 1, 0 or -1."""
    termination: Name
    """Way in which it ended: `normal`, `time`, `stall`, `illegal-move`, `disconnect`,
    `resignation`, `abort`, or another word of the records."""
    reason: Annotated[Sentence, by_keyword()] = ""


class Probe(Notice):
    """A probe of the lag; answer it by `echo` at once."""

    type: Literal["probe"] = "probe"
    number: Natural


class Echo(ArenaCommand):
    """Answer a probe at once, so that the server measures the lag."""

    answers = (Ok,)

    type: Literal["echo"] = "echo"
    number: Natural
    """Number of the probe."""


class Replaced(Notice):
    """Another connection with the right token has taken over; this connection is closed."""

    type: Literal["replaced"] = "replaced"
