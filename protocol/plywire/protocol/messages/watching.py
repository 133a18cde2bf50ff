"""Watching an arena: its games, its tournaments, its players, and itself.

The feed's events answer no command, and none is a difference: every event says all there is to say
of its topic, so that the latest one is enough. Who missed some, or hears one twice, loses nothing;
who comes late is told the latest first. On the wire an event is one JSON object in every dialect,
and fits on a line whatever the size of the arena.
"""

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AwareDatetime, Field, TypeAdapter

from .arena import ArenaCommand, Notice
from .base import EVENTS, union
from .fields import (
    Count,
    Fen,
    Game,
    Integer,
    MoveName,
    Name,
    Part,
    Points,
    Positive,
    Sentence,
    Size,
    Table,
    Text,
    Topic,
    Word,
)
from .limits import Clock, Limits
from .play import Ok

#: Of standings on a page: of the longest names, they fit on a line.
MAX_ROWS = 50
#: Of pairings on a page, likewise.
MAX_PAIRINGS = 32


class Watch(ArenaCommand):
    """Be told what happens in the arena, without playing: how all stands now, then what changes.

    Given again, all is told anew, of what is named then.
    """

    syntax = "[TOPIC]"
    answers = (Ok,)

    type: Literal["watch"] = "watch"
    topic: Topic | None = None
    """What to be told of: `status`, the counts alone; `games/TABLE`; `tournaments/ID`, its games
    and standings; `players/NAME`, whether it is there and its games. None is everything."""


class Unwatch(ArenaCommand):
    """Be told no more."""

    answers = (Ok,)

    type: Literal["unwatch"] = "unwatch"


class Recall(ArenaCommand):
    """Be told once of a game, as it stands or as it ended, however long ago, without watching it.

    Counts as several messages.
    """

    syntax = "TABLE"
    answers = (Ok,)

    type: Literal["recall"] = "recall"
    table: Table
    """The game's id; the `game-state` comes before the `ok`."""


class RecallRound(ArenaCommand):
    """Be told once of a tournament, and of the games of a round that are over, however long ago.

    Counts as several messages.
    """

    syntax = "ROUND TOURNAMENT"
    answers = (Ok,)

    type: Literal["recall-round"] = "recall-round"
    round: Positive
    tournament: Text
    """Its name; of several of that name it is the last. The `standings`, `pairings` and
    `game-state`s come before the `ok`."""


class FeedEvent(Notice):
    """What watchers are told."""

    syntax = None
    outlives: ClassVar[bool] = True
    """Whether those who come after the last event of its topic are told of it."""

    @property
    @abstractmethod
    def topic(self) -> str:
        """What this is the latest of."""

    @property
    @abstractmethod
    def concerns(self) -> tuple[str, ...]:
        """By which topics it may be watched, what it is about first."""

    @property
    @abstractmethod
    def is_final(self) -> bool:
        """Whether it is the last of its topic, or was so far."""

    @cached_property
    def line(self) -> str:
        """The event as JSON in ASCII, written once however many are told."""
        return self.model_dump_json(exclude_none=True, ensure_ascii=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values, which are written anew."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("line", None)
        return copied


class GameResult(Part):
    """How a game ended."""

    winner: Literal[1, 2] | None = None
    """The player who won, None if nobody did."""
    score: Integer = 0
    """For the first player: discs in Othello, else 1, 0 or -1."""
    termination: Name
    """As in `over`: `normal`, `time`, `resignation`, …"""
    reason: Sentence = ""


class GameState(FeedEvent):
    """A game as it stands: told when it begins, after each move, and when it has ended."""

    type: Literal["game-state"] = "game-state"
    table: Word
    """The game's id, as in `start`; unique in the arena."""
    tournament: Word | None = None
    """The id of its tournament, None outside one."""
    round: Positive | None = None
    game: Game
    size: Size
    players: tuple[Sentence, Sentence]
    """The names, first player first."""
    limits: Limits
    """What both began with."""
    fen: Fen
    """Where the moves start."""
    moves: tuple[MoveName, ...]
    """Those made so far, the opening's included."""
    opening: Count = 0
    """How many of the moves are the opening's."""
    times: tuple[Count, ...] = ()
    """How long each move after the opening took, in ms, as it counts."""
    turn: Literal[1, 2]
    """Whose turn it is, or would be."""
    clock: Clock | None = None
    """Both clocks at the moment `updated`, since when that of `turn` runs; None without clocks."""
    started: AwareDatetime | None = None
    updated: AwareDatetime
    """When this became so."""
    result: GameResult | None = None
    """None while the game goes on."""

    @property
    def topic(self) -> str:
        """What this is the latest of."""
        return f"games/{self.table}"

    @property
    def concerns(self) -> tuple[str, ...]:
        """By which topics it may be watched, what it is about first."""
        of = () if self.tournament is None else (f"tournaments/{self.tournament}",)
        return (self.topic, *of, *(f"players/{name}" for name in self.players))

    @property
    def is_final(self) -> bool:
        """Whether it is the last of its topic."""
        return self.result is not None


class StandingRow(Part):
    """How one player stands."""

    rank: Positive
    """Players whom no tie-break tells apart share one."""
    player: Sentence
    points: float
    wins: Count
    draws: Count
    losses: Count
    elo: float
    """Relative to the mean of the players, by maximum likelihood."""
    error: float
    """Half the width of its 95 % interval."""


class Standings(FeedEvent):
    """A tournament as it stands: told when it begins, after each game, and when it has ended."""

    type: Literal["standings"] = "standings"
    tournament: Word
    """Its id; unique in the arena."""
    name: Sentence
    page: Positive = 1
    """Of many players there are several pages, each with a topic of its own."""
    rows: Annotated[tuple[StandingRow, ...], Field(max_length=MAX_ROWS)]
    """Best first, after those of the pages before."""
    crosstable: tuple[tuple[Points | None, ...], ...] = ()
    """The points of each row's player in the games against each row's player, None if there were
    none; left out where it would be very large."""
    played: Count
    """How many games have ended."""
    games: Count
    """How many games the tournament has, those to come included; tie-breaks may add to them."""
    outcome: Sentence | None = None
    """None while the tournament goes on."""
    updated: AwareDatetime

    @property
    def topic(self) -> str:
        """What this is the latest of."""
        page = "" if self.page == 1 else f"/{self.page}"
        return f"tournaments/{self.tournament}/standings{page}"

    @property
    def concerns(self) -> tuple[str, ...]:
        """By which topics it may be watched, what it is about first."""
        return (f"tournaments/{self.tournament}",)

    @property
    def is_final(self) -> bool:
        """Whether it is the last of its topic."""
        return self.outcome is not None


class Pairing(Part):
    """Two players who meet in a round, or one who sits out."""

    players: Annotated[tuple[Sentence, ...], Field(min_length=1, max_length=2)]
    """The one who begins their first game comes first; one alone has no opponent."""
    points: tuple[Points, ...] = ()
    """What each took from the games that are over; who sits out, what that is worth."""
    table: Word | None = None
    """The id of their first game, those of the others having the numbers that follow."""
    games: Count = 0
    """How many they play."""
    played: Count = 0
    """How many of these are over."""


class Pairings(FeedEvent):
    """Who meets whom in a tournament: in the first round that is not over, or else in the last."""

    type: Literal["pairings"] = "pairings"
    tournament: Word
    """The id of the tournament."""
    page: Positive = 1
    """Of many pairings there are several pages, each with a topic of its own."""
    round: Positive
    rounds: Positive
    """How many rounds the tournament has."""
    pairings: Annotated[tuple[Pairing, ...], Field(max_length=MAX_PAIRINGS)]
    over: bool = False
    """Whether the tournament is."""
    updated: AwareDatetime

    @property
    def topic(self) -> str:
        """What this is the latest of."""
        page = "" if self.page == 1 else f"/{self.page}"
        return f"tournaments/{self.tournament}/pairings{page}"

    @property
    def concerns(self) -> tuple[str, ...]:
        """By which topics it may be watched, what it is about first."""
        return (f"tournaments/{self.tournament}",)

    @property
    def is_final(self) -> bool:
        """Whether it is the last of its topic."""
        return self.over


class PlayerState(FeedEvent):
    """A bot: told when it comes and when it leaves."""

    outlives = False

    type: Literal["player-state"] = "player-state"
    player: Name
    online: bool
    """Whether it is connected."""
    updated: AwareDatetime

    @property
    def topic(self) -> str:
        """What this is the latest of."""
        return f"players/{self.player}"

    @property
    def concerns(self) -> tuple[str, ...]:
        """By which topics it may be watched, what it is about first."""
        return (self.topic,)

    @property
    def is_final(self) -> bool:
        """Whether it is the last of its topic, until the bot comes back."""
        return not self.online


class Status(FeedEvent):
    """The arena: told when bots come and go, and when games begin and end."""

    type: Literal["status"] = "status"
    online: bool
    """Whether the server is there."""
    bots: Count = 0
    """How many are connected."""
    games: Count = 0
    """How many are being played."""
    guests: Count | None = None
    """How many more guests may come; None where the server takes none."""
    connection: Word | None = None
    """On a broker, where others might say so too: a word that each run of a server makes up."""
    updated: AwareDatetime

    @property
    def topic(self) -> str:
        """What this is the latest of."""
        return "status"

    @property
    def concerns(self) -> tuple[str, ...]:
        """By which topics it may be watched, what it is about first."""
        return ("status",)

    @property
    def is_final(self) -> bool:
        """Whether it is the last of its topic."""
        return False


def feed_adapter() -> TypeAdapter[FeedEvent]:
    """What reads and writes any one event of the feed."""
    return union(tuple(kind for kind in EVENTS.values() if issubclass(kind, FeedEvent)))
