"""What a bot is told in the arena, asked or not."""

from enum import StrEnum
from typing import Literal

from .base import EventMessage
from .feed_events import FEED_EVENTS
from .fields import (
    Count,
    Fen,
    Integer,
    Message,
    MoveName,
    Moves,
    Name,
    Points,
    Positive,
    Text,
    Word,
)
from .limits import Limits


class Welcome(EventMessage):
    """The bot is in the arena; the tables where it plays are told next."""

    type: Literal["welcome"] = "welcome"
    name: Name
    session: Word
    """The secret by which `resume` finds the games again after a lost connection."""
    grace: Count
    """How long a bot may be away without losing its games for it, in ms. Clocks run on."""
    tables: Count = 0
    """How many games it is playing."""


class Bot(EventMessage):
    """One bot in the arena."""

    type: Literal["bot"] = "bot"
    name: Name
    games: tuple[Name, ...]
    slots: Positive
    tables: Count
    """How many games it is playing."""


class _Offer(EventMessage):
    offer: Positive
    name: Name
    """Of the bot that offers."""
    game: Name
    size: Word
    limits: Limits


class Offer(_Offer):
    """One open seek."""

    type: Literal["offer"] = "offer"


class Challenged(_Offer):
    """Another bot would like to play against this one."""

    type: Literal["challenged"] = "challenged"


class Offered(EventMessage):
    """The seek or challenge is open, until it is accepted, declined or withdrawn."""

    type: Literal["offered"] = "offered"
    offer: Positive


class Withdrawn(EventMessage):
    """An offer is no longer open: declined, taken back, or one of the two has left."""

    type: Literal["withdrawn"] = "withdrawn"
    offer: Positive
    reason: Message = ""


class Start(EventMessage):
    """A game begins, or goes on after a `welcome`."""

    type: Literal["start"] = "start"
    table: Word
    game: Name
    size: Word
    player: Literal[1, 2]
    """Which of the players the bot is."""
    opponent: Name
    limits: Limits
    """What both began with."""
    fen: Fen
    """Where the moves start."""
    moves: Moves
    """Those made so far, the opening's included."""


class Turn(EventMessage):
    """It is the bot's turn. Told again after a `welcome`, it is the same turn still."""

    type: Literal["turn"] = "turn"
    table: Word
    turn: Count
    """How many moves were made."""
    limits: Limits
    """With both clocks as they stand now."""
    fen: Fen
    moves: Moves


class Played(EventMessage):
    """A move was made, by either player, and is on the record."""

    type: Literal["played"] = "played"
    table: Word
    turn: Count
    move: MoveName
    time: Count
    """How long it took, in ms, as it counts."""


class Over(EventMessage):
    """A game ended."""

    type: Literal["over"] = "over"
    table: Word
    winner: Literal[1, 2] | None = None
    score: Integer = 0
    """For the first player: discs in Othello, else 1, 0 or -1."""
    termination: Name
    """How: `normal`, `time`, `stall`, `illegal-move`, `disconnect`, `resignation`, `abort`, or
    another of the words in which records say it."""
    reason: Message = ""


class TournamentState(StrEnum):
    """How far a tournament is."""

    OPEN = "open"
    """Bots may join."""
    PLAYING = "playing"
    OVER = "over"


class _Tournament(EventMessage):
    state: TournamentState
    games: tuple[Name, ...]
    """What is played."""
    players: Count
    """How many there are so far."""
    seats: Count
    """How many more may join."""
    played: Count
    """How many games have ended."""
    scheduled: Count
    """How many games are known so far; none before it begins, and later rounds may add to them."""
    starts: Word | None = None
    """When it begins at the latest, if that is fixed, such as `2026-11-21T20:00:00Z`."""
    limits: Limits
    """How long players may think."""
    name: Text
    """Of the tournament."""


class Tournament(_Tournament):
    """One tournament."""

    type: Literal["tournament"] = "tournament"


class Progress(_Tournament):
    """A tournament of the bot has opened to it, begun, or ended."""

    type: Literal["progress"] = "progress"


class Standing(EventMessage):
    """How one player stands in a tournament."""

    type: Literal["standing"] = "standing"
    rank: Positive
    """Players whom no tie-break tells apart share one."""
    player: Name
    points: Points
    wins: Count
    draws: Count
    losses: Count


class Probe(EventMessage):
    """To be answered by `echo`, at once."""

    type: Literal["probe"] = "probe"
    number: Count


class Replaced(EventMessage):
    """Another connection took over by the right secret; this one is closed."""

    type: Literal["replaced"] = "replaced"


ArenaEvent = (
    Welcome
    | Bot
    | Offer
    | Challenged
    | Offered
    | Withdrawn
    | Start
    | Turn
    | Played
    | Over
    | Tournament
    | Progress
    | Standing
    | Probe
    | Replaced
)

#: The events that come unasked.
NOTICES = (
    *(Challenged, Withdrawn, Start, Turn, Played, Over, Progress, Probe, Replaced),
    *FEED_EVENTS,
)
