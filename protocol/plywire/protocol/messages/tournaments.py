"""Tournaments in the arena: their list, their seats and their standings."""

from enum import StrEnum
from typing import Annotated, Literal

from .arena import ArenaCommand, Notice
from .base import Event
from .fields import Name, Natural, Points, Positive, Text, Word
from .in_line import by_key, by_keyword
from .limits import Limits
from .play import Ok


class TournamentState(StrEnum):
    """How far a tournament is."""

    OPEN = "open"
    """Bots may join."""
    PLAYING = "playing"
    OVER = "over"


class _Tournament(Event):
    state: TournamentState
    games: Annotated[tuple[Name, ...], by_key()]
    """Games that are played."""
    players: Annotated[Natural, by_key("COUNT")]
    """Number of players so far."""
    seats: Annotated[Natural, by_key("COUNT")]
    """Number of free seats: `seats` of the tournament file less the seats taken."""
    played: Annotated[Natural, by_key("COUNT")]
    """Number of games that have ended."""
    scheduled: Annotated[Natural, by_key("COUNT")]
    """Number of games known so far: 0 before the start, and later rounds may add more."""
    starts: Annotated[Word | None, by_key("TIME")] = None
    """Latest start, such as `2026-11-21T20:00:00Z`, if it is fixed."""
    limits: Limits
    """Time and other limits of the players."""
    name: Annotated[Text, by_keyword()]
    """Name of the tournament, the field `tournament` of commands."""


class Tournament(_Tournament):
    """One tournament."""

    type: Literal["tournament"] = "tournament"


class Tournaments(ArenaCommand):
    """List the tournaments."""

    answers = (Tournament, Ok)

    type: Literal["tournaments"] = "tournaments"


class Join(ArenaCommand):
    """Take a seat in a tournament. A repeated `join` does no harm, even while games are played."""

    answers = (Ok,)

    type: Literal["join"] = "join"
    tournament: Text
    """Name of the tournament, in upper or lower case."""


class Leave(ArenaCommand):
    """Give a seat back before the tournament begins."""

    answers = (Ok,)

    type: Literal["leave"] = "leave"
    tournament: Text


class Progress(_Tournament, Notice):
    """The state of a tournament: the bot has just joined it, or it has begun or ended."""

    type: Literal["progress"] = "progress"


class Standing(Event):
    """How one player stands in a tournament."""

    type: Literal["standing"] = "standing"
    rank: Positive
    """Rank; players whom no tie-break separates share a rank."""
    player: Name
    points: Annotated[Points, by_key()]
    wins: Annotated[Natural, by_key("COUNT")]
    draws: Annotated[Natural, by_key("COUNT")]
    losses: Annotated[Natural, by_key("COUNT")]


class Standings(ArenaCommand):
    """List the standings of a tournament."""

    answers = (Standing, Ok)

    type: Literal["standings"] = "standings"
    tournament: Text
