"""Watching an arena: its games, its tournaments, its players, and itself.

The feed's events answer no command, and none is a difference: every event has the whole state of
its topic, so the latest event is enough. A client that misses an event or receives one twice loses
nothing. A client that comes late receives the latest events first. On the wire an event is one JSON
object in every dialect, and fits on a line in an arena of any size.
"""

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AwareDatetime, Field, TypeAdapter

from .arena import ArenaCommand, Notice
from .base import EVENTS, union
from .fields import (
    Fen,
    Game,
    Integer,
    MoveName,
    Name,
    Natural,
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

#: Maximum number of rows of standings on a page. A page must fit on a line, even with the longest
#: names.
MAX_ROWS = 50
#: Maximum number of pairings on a page. A page must fit on a line, too.
MAX_PAIRINGS = 32


class Watch(ArenaCommand):
    """Watch the arena without playing: receive its state now, then every change.

    A second `watch` replaces the first, and begins with the state of its own topic.
    """

    answers = (Ok,)

    type: Literal["watch"] = "watch"
    topic: Topic | None = None
    """Part to watch; without it, everything. `status` is only the counts. `games/TABLE` is a game.
    `tournaments/ID` is a tournament's games and standings. `players/NAME` is a player's presence
    and games."""


class Unwatch(ArenaCommand):
    """Stop watching."""

    answers = (Ok,)

    type: Literal["unwatch"] = "unwatch"


class Recall(ArenaCommand):
    """Receive the present or final state of one game, however old it is, without watching it.

    Counts as several messages.
    """

    answers = (Ok,)

    type: Literal["recall"] = "recall"
    table: Table
    """Id of the game; the `game-state` comes before the `ok`."""


class RecallRound(ArenaCommand):
    """Receive one tournament, and the games of a round that are over, however old.

    Counts as several messages.
    """

    answers = (Ok,)

    type: Literal["recall-round"] = "recall-round"
    round: Positive
    tournament: Text
    """Name of the tournament; the latest, if several have the name. The `standings`, `pairings` and
    `game-state`s come before the `ok`."""


class FeedEvent(Notice):
    """An event for spectators."""

    outlives: ClassVar[bool] = True
    """Whether spectators who come later also receive the last event of a topic."""

    @property
    @abstractmethod
    def topic(self) -> str:
        """Key of the state that this event describes. The latest event of a topic replaces all
        others."""

    @property
    def concerns(self) -> tuple[str, ...]:
        """Topics that include this event, its own topic first."""
        return (self.topic,)

    @property
    @abstractmethod
    def is_final(self) -> bool:
        """Whether the topic has ended with this event, at least for now."""

    @cached_property
    def line(self) -> str:
        """The event as JSON in ASCII, written once for all receivers."""
        return self.model_dump_json(exclude_none=True, ensure_ascii=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other values."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("line", None)
        return copied


class GameResult(Part):
    """How a game ended."""

    winner: Literal[1, 2] | None = None
    """Player who won, `null` if nobody did."""
    score: Integer = 0
    """Result for player 1: discs in Othello, otherwise 1, 0 or -1."""
    termination: Name
    """Way in which the game ended, in the words of `over`."""
    reason: Sentence = ""


class GameState(FeedEvent):
    """A game as it stands: sent when it begins, after each move, and when it has ended."""

    type: Literal["game-state"] = "game-state"
    table: Word
    """Id of the game, as in `start`; unique in the arena."""
    tournament: Word | None = None
    """Id of the tournament, `null` outside one."""
    round: Positive | None = None
    game: Game
    size: Size
    players: tuple[Sentence, Sentence]
    """Names, player 1 first."""
    limits: Limits
    """Limits at the start of the game."""
    fen: Fen
    """Position before the moves."""
    moves: tuple[MoveName, ...]
    """Moves so far, the opening included."""
    opening: Natural = 0
    """Number of moves that belong to the opening."""
    times: tuple[Natural, ...] = ()
    """Time that each move after the opening is charged for, in ms."""
    turn: Literal[1, 2]
    """Player whose turn it is; after the end, the player who would be next."""
    clock: Clock | None = None
    """Both clocks at the moment `updated`; since then the clock of `turn` runs."""
    started: AwareDatetime | None = None
    updated: AwareDatetime
    """Time of this state."""
    result: GameResult | None = None
    """`null` while the game goes on."""

    @property
    def topic(self) -> str:
        return f"games/{self.table}"

    @property
    def concerns(self) -> tuple[str, ...]:
        of = () if self.tournament is None else (f"tournaments/{self.tournament}",)
        return (self.topic, *of, *(f"players/{name}" for name in self.players))

    @property
    def is_final(self) -> bool:
        return self.result is not None


class StandingRow(Part):
    """The result of one player in a tournament so far."""

    rank: Positive
    """Rank; players whom no tie-break separates share a rank."""
    player: Sentence
    points: float
    wins: Natural
    draws: Natural
    losses: Natural
    elo: float
    """Elo relative to the mean of the players, by maximum likelihood."""
    error: float
    """Half the width of the 95 % interval of `elo`."""


class Standings(FeedEvent):
    """A tournament as it stands: sent when it begins, after each game, and when it has ended."""

    type: Literal["standings"] = "standings"
    tournament: Word
    """Id of the tournament; unique in the arena."""
    name: Sentence
    page: Positive = 1
    """Number of the page; the rows of many players take several pages, each with its own topic."""
    rows: Annotated[tuple[StandingRow, ...], Field(max_length=MAX_ROWS)]
    """Rows of the page, the best player first."""
    crosstable: tuple[tuple[Points | None, ...], ...] = ()
    """Points of each row's player against each row's player, `null` without games; left out if very
    large."""
    played: Natural
    """Number of games that have ended."""
    games: Natural
    """Number of games of the tournament, future games included; tie-breaks may add more."""
    outcome: Sentence | None = None
    """`null` while the tournament goes on."""
    updated: AwareDatetime

    @property
    def topic(self) -> str:
        page = "" if self.page == 1 else f"/{self.page}"
        return f"tournaments/{self.tournament}/standings{page}"

    @property
    def concerns(self) -> tuple[str, ...]:
        return (f"tournaments/{self.tournament}",)

    @property
    def is_final(self) -> bool:
        return self.outcome is not None


class Pairing(Part):
    """Two players who meet in a round, or one who sits out."""

    players: Annotated[tuple[Sentence, ...], Field(min_length=1, max_length=2)]
    """First the player who begins their first game; a single player has no opponent."""
    points: tuple[Points, ...] = ()
    """Points of each player from the games that are over, or the points of a bye."""
    table: Word | None = None
    """Id of their first game; the other games have the next numbers."""
    games: Natural = 0
    """Number of games that they play."""
    played: Natural = 0
    """Number of these games that are over."""


class Pairings(FeedEvent):
    """Pairings of the first round of a tournament that is not over; after the end, of the last."""

    type: Literal["pairings"] = "pairings"
    tournament: Word
    """Id of the tournament."""
    page: Positive = 1
    """Number of the page; many pairings take several pages, each with its own topic."""
    round: Positive
    rounds: Positive
    """Number of rounds of the tournament."""
    pairings: Annotated[tuple[Pairing, ...], Field(max_length=MAX_PAIRINGS)]
    over: bool = False
    """Whether the tournament is over."""
    updated: AwareDatetime

    @property
    def topic(self) -> str:
        page = "" if self.page == 1 else f"/{self.page}"
        return f"tournaments/{self.tournament}/pairings{page}"

    @property
    def concerns(self) -> tuple[str, ...]:
        return (f"tournaments/{self.tournament}",)

    @property
    def is_final(self) -> bool:
        return self.over


class PlayerState(FeedEvent):
    """A bot: sent when it comes and when it leaves."""

    outlives = False

    type: Literal["player-state"] = "player-state"
    player: Name
    online: bool
    """Whether the bot is connected."""
    updated: AwareDatetime

    @property
    def topic(self) -> str:
        return f"players/{self.player}"

    @property
    def is_final(self) -> bool:
        """Whether the bot has left. The topic has then ended until the bot comes back."""
        return not self.online


class Status(FeedEvent):
    """The arena: sent when bots come and go, and when games begin and end."""

    type: Literal["status"] = "status"
    online: bool
    """Whether the server is running."""
    bots: Natural = 0
    """Number of connected bots."""
    games: Natural = 0
    """Number of games being played."""
    guests: Natural | None = None
    """Number of guests that may still come; `null` if the server takes none."""
    connection: Word | None = None
    """On an MQTT broker, a word that is new for each run of the server."""
    updated: AwareDatetime

    @property
    def topic(self) -> str:
        return "status"

    @property
    def is_final(self) -> bool:
        return False


def feed_adapter() -> TypeAdapter[FeedEvent]:
    """Return the adapter for all events of the feed."""
    return union(tuple(kind for kind in EVENTS.values() if issubclass(kind, FeedEvent)))
