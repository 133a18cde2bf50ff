"""Bots that play against each other in the arena.

A bot logs in, finds opponents by `seek`, `challenge` and `accept`, or joins a tournament, and plays
where it has a seat. A game that is being played is a table, and has an id; `turn` counts the moves
made there, those of the opening included.
"""

from typing import Annotated, Literal

from pydantic import Field

from .base import Command, Event
from .fields import (
    Count,
    Fen,
    Game,
    Integer,
    MoveName,
    Moves,
    Name,
    OfferNumber,
    Positive,
    Sentence,
    Size,
    Table,
    Word,
)
from .limits import Limits
from .play import Ok, Score

#: The most games that a bot may play at the same time.
MAX_SLOTS = 64


class ArenaCommand(Command):
    """A command that only a server with an arena carries out."""


class Notice(Event):
    """An event that comes unasked."""

    is_notice = True


class Welcome(Event):
    """The bot is in the arena; the tables where it plays are told next."""

    syntax = "NAME session=SESSION grace=MS tables=COUNT"

    type: Literal["welcome"] = "welcome"
    name: Name
    session: Word
    """The secret by which `resume` finds the games again after a lost connection."""
    grace: Count
    """How long a bot may be away without losing its games for it, in ms. Clocks run on."""
    tables: Count = 0
    """How many games it is playing."""


class Login(ArenaCommand):
    """Enter the arena by name, and say what the bot plays."""

    syntax = "NAME TOKEN [games=GAME,...] [slots=COUNT]"
    answers = (Welcome,)

    type: Literal["login"] = "login"
    name: Name
    token: Word
    """The secret that `plywire bot add` printed."""
    games: Annotated[tuple[Name, ...], Field(max_length=16)] = ()
    """Registry names of the games that it plays; none is all."""
    slots: Annotated[int, Field(ge=1, le=MAX_SLOTS)] = 1
    """How many games it can play at the same time."""


class Guest(ArenaCommand):
    """Enter the arena without an account, where the server takes guests.

    A guest plays one game at a time, none that is rated and no tournament.
    """

    syntax = "NAME [games=GAME,...]"
    answers = (Welcome,)

    type: Literal["guest"] = "guest"
    name: Name
    """As what to be known: `welcome` has the name that was given, such as `guest-ann`."""
    games: Annotated[tuple[Name, ...], Field(max_length=16)] = ()
    """Registry names of the games that the guest plays; none is all."""


class Resume(ArenaCommand):
    """Come back after the connection was lost, to the games as they stand now."""

    syntax = "SESSION"
    answers = (Welcome,)

    type: Literal["resume"] = "resume"
    session: Word
    """The secret in `welcome`."""


class Bot(Event):
    """One bot in the arena."""

    syntax = "NAME [games=GAME,...] slots=COUNT tables=COUNT"

    type: Literal["bot"] = "bot"
    name: Name
    games: tuple[Name, ...]
    slots: Positive
    tables: Count
    """How many games it is playing."""


class _Offer(Event):
    syntax = "OFFER NAME GAME size=WIDTHxHEIGHT [rating=RATING] [rated=TRUE] LIMITS"

    offer: OfferNumber
    name: Name
    """Of the bot that offers."""
    game: Game
    size: Size
    rating: Integer | None = None
    """Of that bot in that game; none where it has played no rated games of it."""
    rated: bool = False
    """Whether the game counts for the ratings."""
    limits: Limits
    """How long both may think."""


class Offer(_Offer):
    """One open seek."""

    type: Literal["offer"] = "offer"


class Lobby(ArenaCommand):
    """List the bots in the arena and the open seeks."""

    answers = (Bot, Offer, Ok)

    type: Literal["lobby"] = "lobby"


class Offered(Event):
    """The seek or challenge is open, until it is accepted, declined or withdrawn."""

    syntax = "OFFER"

    type: Literal["offered"] = "offered"
    offer: OfferNumber


class Seek(ArenaCommand):
    """Offer a game to whoever seeks the same."""

    syntax = "GAME [size=WIDTHxHEIGHT] [rated=TRUE] [key=KEY] LIMITS"
    answers = (Offered,)

    type: Literal["seek"] = "seek"
    game: Game
    size: Word | None = None
    """Board size as WIDTHxHEIGHT; none is the usual one."""
    rated: bool = False
    """Whether to be paired by the ladder, for a game that counts for the ratings."""
    key: Word | None = None
    """A word that both must know, for an invitation: the seek is not listed, and only one with the
    same key is the same."""
    limits: Limits
    """How long both may think; a clock holds what each begins with."""


class Challenge(ArenaCommand):
    """Offer a game to one other bot."""

    syntax = "NAME GAME [size=WIDTHxHEIGHT] [rated=TRUE] LIMITS"
    answers = (Offered,)

    type: Literal["challenge"] = "challenge"
    name: Name
    """Of the other bot."""
    game: Game
    size: Size | None = None
    rated: bool = False
    """Whether the game is to count for the ratings; the other has to say so too."""
    limits: Limits
    """How long both may think."""


class Challenged(_Offer, Notice):
    """Another bot would like to play against this one."""

    type: Literal["challenged"] = "challenged"


class Accept(ArenaCommand):
    """Play a game that was offered."""

    syntax = "OFFER [rated=TRUE]"
    answers = (Ok,)

    type: Literal["accept"] = "accept"
    offer: OfferNumber
    rated: bool = False
    """Whether the game is to count for the ratings, as it is offered."""


class Decline(ArenaCommand):
    """Refuse a challenge; the challenger is told the reason."""

    syntax = "OFFER [REASON]"
    answers = (Ok,)

    type: Literal["decline"] = "decline"
    offer: OfferNumber
    reason: Sentence = ""
    """Why, for the challenger."""


class Withdraw(ArenaCommand):
    """Take back a seek or challenge of one's own."""

    syntax = "OFFER"
    answers = (Ok,)

    type: Literal["withdraw"] = "withdraw"
    offer: OfferNumber


class Withdrawn(Notice):
    """An offer is no longer open: declined, taken back, or one of the two has left."""

    syntax = "OFFER [REASON]"

    type: Literal["withdrawn"] = "withdrawn"
    offer: OfferNumber
    reason: Sentence = ""


class Start(Notice):
    """A game begins, or goes on after a `welcome`."""

    syntax = (
        "TABLE GAME size=WIDTHxHEIGHT player=PLAYER opponent=NAME [offer=OFFER] [rated=TRUE]"
        " [away=MS] LIMITS fen FEN moves MOVE..."
    )

    type: Literal["start"] = "start"
    table: Table
    game: Game
    size: Size
    player: Literal[1, 2]
    """Which of the players the bot is."""
    opponent: Name
    """Name of the other bot."""
    offer: Positive | None = None
    """The seek or challenge that it came of; none in a tournament."""
    rated: bool = False
    """Whether it counts for the ratings by itself; a tournament's games count when it is over."""
    away: Count | None = None
    """The opponent is away, and loses if it is not back in so many ms; none while it is there."""
    limits: Limits
    """What both began with."""
    fen: Fen
    """Where the moves start."""
    moves: Moves
    """Those made so far, the opening's included."""


class Turn(Notice):
    """It is the bot's turn. Told again after a `welcome`, it is the same turn still."""

    syntax = "TABLE TURN LIMITS fen FEN moves MOVE..."

    type: Literal["turn"] = "turn"
    table: Table
    turn: Count
    """How many moves were made."""
    limits: Limits
    """With both clocks as they stand now."""
    fen: Fen
    """Where the moves start."""
    moves: Moves
    """Those made so far, the opening's included."""


class Play(ArenaCommand):
    """Answer a turn; answered again, the same way, it does no harm.

    What the bot says of its search is for the record; the opponent is not told.
    """

    syntax = "TABLE TURN MOVE [score SCORE] [depth DEPTH] [nodes NODES]"
    answers = (Ok,)

    type: Literal["play"] = "play"
    table: Table
    turn: Count
    """Of the `turn` that it answers."""
    move: MoveName
    score: Score | None = None
    """What the bot expects of the game."""
    depth: Count | None = None
    """Of its search, in plies."""
    nodes: Count | None = None
    """Positions that it visited."""


class Played(Notice):
    """A move was made, by either player, and is on the record."""

    syntax = "TABLE TURN MOVE time=MS"

    type: Literal["played"] = "played"
    table: Table
    turn: Count
    """How many moves were made before."""
    move: MoveName
    time: Count
    """How long it took, in ms, as it counts."""


class Say(ArenaCommand):
    """Say something to the opponent, such as a greeting."""

    syntax = "TABLE [TEXT]"
    answers = (Ok,)

    type: Literal["say"] = "say"
    table: Table
    text: Sentence
    """What the opponent is told."""


class Said(Notice):
    """The opponent said something."""

    syntax = "TABLE NAME [TEXT]"

    type: Literal["said"] = "said"
    table: Table
    name: Name
    """Name of the opponent."""
    text: Sentence
    """What it said."""


class Missed(Notice):
    """Notices that other bots caused were dropped, the oldest first.

    While a bot says nothing, it gets 32 of them and then a `probe`; the latest 32 wait for its
    answer. They are `said`, `challenged`, `withdrawn` by the challenger, and what is watched.
    """

    syntax = "COUNT"

    type: Literal["missed"] = "missed"
    count: Positive
    """How many were dropped."""


class Note(ArenaCommand):
    """Say something for the record, such as a line of the bot's program; it ends no game.

    The last of them are on the record of a game that the bot is to blame for.
    """

    syntax = "TABLE [TEXT]"
    answers = (Ok,)

    type: Literal["note"] = "note"
    table: Table
    text: Sentence


class Resign(ArenaCommand):
    """Give a game up, or own a fault of one's own for which the game is lost."""

    syntax = "TABLE [TERMINATION [REASON]]"
    answers = (Ok,)

    type: Literal["resign"] = "resign"
    table: Table
    termination: Literal[
        "resignation", "crash", "stall", "illegal-move", "garbage", "time", "disconnect"
    ] = "resignation"
    """How the game ends, in the words of `over`."""
    reason: Sentence = ""


class Abort(ArenaCommand):
    """Call a game off that one has made no move in; nobody wins."""

    syntax = "TABLE"
    answers = (Ok,)

    type: Literal["abort"] = "abort"
    table: Table


class Over(Notice):
    """A game ended."""

    syntax = "TABLE TERMINATION winner WINNER|none score SCORE reason REASON"

    type: Literal["over"] = "over"
    table: Table
    winner: Literal[1, 2] | None = None
    """None if nobody won."""
    score: Integer = 0
    """For the first player: discs in Othello, else 1, 0 or -1."""
    termination: Name
    """How: `normal`, `time`, `stall`, `illegal-move`, `disconnect`, `resignation`, `abort`, or
    another of the words in which records say it."""
    reason: Sentence = ""


class Probe(Notice):
    """To be answered by `echo`, at once."""

    syntax = "NUMBER"

    type: Literal["probe"] = "probe"
    number: Count


class Echo(ArenaCommand):
    """Answer a probe, at once: it measures how long messages are on their way."""

    syntax = "NUMBER"
    answers = (Ok,)

    type: Literal["echo"] = "echo"
    number: Count
    """Of the probe."""


class Replaced(Notice):
    """Another connection took over by the right secret; this one is closed."""

    type: Literal["replaced"] = "replaced"
