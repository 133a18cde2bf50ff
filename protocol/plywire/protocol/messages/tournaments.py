"""Tournaments in the arena: which there are, who joins, and who stands where."""

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
    """What is played."""
    players: Count
    """How many there are so far."""
    seats: Count
    """How many more may join: `seats` of the tournament's file less those that are taken."""
    played: Count
    """How many games have ended."""
    scheduled: Count
    """How many games are known so far; none before it begins, and later rounds may add to them."""
    starts: Word | None = None
    """When it begins at the latest, if that is fixed, such as `2026-11-21T20:00:00Z`."""
    limits: Limits
    """How long players may think."""
    name: Text
    """Of the tournament; the field `tournament` of commands."""


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
    """Its name, in upper or lower case."""


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
    """Players whom no tie-break tells apart share one."""
    player: Name
    points: Points
    wins: Count
    draws: Count
    losses: Count


class Standings(ArenaCommand):
    """Tell who stands where in a tournament."""

    syntax = "TOURNAMENT"
    answers = (Standing, Ok)

    type: Literal["standings"] = "standings"
    tournament: Text
