"""Tournaments in the arena: their list, their seats and their standings."""

from enum import StrEnum
from typing import Literal

from .arena import ArenaCommand, Notice
from .base import Event
from .fields import Count, Name, Points, Positive, Text, Word
from .limits import Limits
from .play import Ok


class TournamentState(StrEnum):
    """How far a tournament is."""

    OPEN = "open"
    """Bots may join."""
    PLAYING = "playing"
    OVER = "over"


class _Tournament(Event):
    syntax = (
        "STATE games=GAME,... players=COUNT seats=COUNT played=COUNT scheduled=COUNT"
        " [starts=TIME] LIMITS name NAME"
    )

    state: TournamentState
    games: tuple[Name, ...]
    """Games that are played."""
    players: Count
    """Number of players so far."""
    seats: Count
    """Number of free seats: `seats` of the tournament file less the seats taken."""
    played: Count
    """Number of games that have ended."""
    scheduled: Count
    """Number of games known so far: 0 before the start, and later rounds may add more."""
    starts: Word | None = None
    """Latest start, such as `2026-11-21T20:00:00Z`, if it is fixed."""
    limits: Limits
    """Time and other limits of the players."""
    name: Text
    """Name of the tournament, the field `tournament` of commands."""


class Tournament(_Tournament):
    """One tournament."""

    type: Literal["tournament"] = "tournament"


class Tournaments(ArenaCommand):
    """List the tournaments."""

    answers = (Tournament, Ok)

    type: Literal["tournaments"] = "tournaments"


class Join(ArenaCommand):
    """Take a seat in a tournament; again, also while it is played, it does no harm."""

    syntax = "TOURNAMENT"
    answers = (Ok,)

    type: Literal["join"] = "join"
    tournament: Text
    """Name of the tournament, in upper or lower case."""


class Leave(ArenaCommand):
    """Give the seat in a tournament back, before it begins."""

    syntax = "TOURNAMENT"
    answers = (Ok,)

    type: Literal["leave"] = "leave"
    tournament: Text


class Progress(_Tournament, Notice):
    """A tournament of the bot has opened to it, begun, or ended."""

    type: Literal["progress"] = "progress"


class Standing(Event):
    """How one player stands in a tournament."""

    syntax = "RANK PLAYER points=POINTS wins=COUNT draws=COUNT losses=COUNT"

    type: Literal["standing"] = "standing"
    rank: Positive
    """Rank; players whom no tie-break separates share one."""
    player: Name
    points: Points
    wins: Count
    draws: Count
    losses: Count


class Standings(ArenaCommand):
    """List the standings of a tournament."""

    syntax = "TOURNAMENT"
    answers = (Standing, Ok)

    type: Literal["standings"] = "standings"
    tournament: Text
