"""A schedule: what is known of a tournament's course, and what every format makes one from."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

#: What a pairing gave its two players: their points over all its games, a draw being half a point.
Score = tuple[float, float]

#: By round, the pairs that were drawn, each with the player first who begins.
Rounds = Mapping[int, Sequence[tuple[str, str]]]


class Ranking(StrEnum):
    """What the final order of the players goes by first."""

    POINTS = "points"
    """All points."""
    SHARE = "share"
    """Points a game, where players have different numbers of games."""
    PROGRESS = "progress"
    """How far a player got."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game of a pairing."""

    number: int
    """Place in the tournament, from 0."""
    players: tuple[str, str]
    """First player first."""
    opening: int
    """Which opening is played, from 0; the game with colours swapped plays the same one.

    The count begins at 0 for each two players, so all pairings play the same openings.
    """


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet in an even number of games."""

    number: int
    """Place in the schedule, from 0."""
    round: int
    """Which round it belongs to, from 1."""
    players: tuple[str, str]
    """The one who has the first move in the first game, and the other."""
    first_game: int
    """Number of the first game, even."""
    games: int
    """How many games, even."""
    first_opening: int = 0
    """Which opening the first two games play: as many as the two players have played before."""

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """The games, the players taking turns at the first move."""
        one, other = self.players
        return tuple(
            Meeting(
                self.first_game + place,
                (other, one) if place % 2 else (one, other),
                self.first_opening + place // 2,
            )
            for place in range(self.games)
        )


@dataclass(frozen=True, slots=True)
class Bye:
    """A player without an opponent in a round."""

    round: int
    """Which round, from 1."""
    player: str
    """Who sits out."""
    points: float
    """What the player gets for it: in Swiss a won pairing, elsewhere nothing."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is known of a tournament's course."""

    pairings: tuple[Pairing, ...]
    """In the order in which to play them."""
    byes: tuple[Bye, ...]
    """Who sits out, by round."""
    complete: bool
    """Whether no more pairings will come; the tournament is over when all have a result."""
    winner: str | None = None
    """Who won a knockout; in other formats the points decide."""
    rounds: int = 0
    """How many rounds the tournament has, those to come included."""

    @property
    def progress(self) -> dict[str, int]:
        """The last round of each player, and one more for the winner of a knockout."""
        reached: dict[str, int] = {}
        for bye in self.byes:
            reached[bye.player] = max(bye.round, reached.get(bye.player, 0))
        for pairing in self.pairings:
            for player in pairing.players:
                reached[player] = max(pairing.round, reached.get(player, 0))
        if self.winner is not None:
            reached[self.winner] += 1
        return reached


class Draft:
    """A schedule in the making."""

    def __init__(self, results: Mapping[int, Score], drawn: Rounds) -> None:
        """Start empty; see `BaseFormat.schedule`."""
        self.drawn = drawn
        self._results = results
        self._games = 0
        self._openings: Counter[frozenset[str]] = Counter()
        self.pairings: list[Pairing] = []
        self.byes: list[Bye] = []

    def pair(self, round: int, players: tuple[str, str], games: int) -> Pairing:
        """Append a pairing."""
        both = frozenset(players)
        begun = self._openings[both]
        pairing = Pairing(len(self.pairings), round, players, self._games, games, begun)
        self.pairings.append(pairing)
        self._games += games
        self._openings[both] += games // 2
        return pairing

    def result(self, pairing: Pairing) -> Score:
        """What the pairing gave; it must be over."""
        return self._results[pairing.number]

    def decided(self) -> bool:
        """Whether every pairing so far is over."""
        return all(pairing.number in self._results for pairing in self.pairings)

    def schedule(self, *, complete: bool, winner: str | None = None) -> Schedule:
        """The schedule as it stands."""
        return Schedule(tuple(self.pairings), tuple(self.byes), complete, winner)


class BaseFormat(BaseModel, ABC):
    """What all formats have in common."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ranking: ClassVar[Ranking] = Ranking.POINTS
    """What the final order of the players goes by first."""
    is_slow: ClassVar[bool] = False
    """Whether it may take seconds to draw a round."""

    games: Annotated[int, Field(ge=2, multiple_of=2)] = 2
    """Number of games of a pairing, an even number; colours are swapped in each two."""
    shuffle: int | None = None
    """Seed of a random order of the players; without it, they are seeded as listed."""

    def check(self, players: Sequence[str]) -> None:
        """Try whether these can play; raises ValueError if there is nobody whom they could meet.

        That is so of fewer than two players, or two of the same name. Draws nothing.
        """
        if len(players) < 2 or len(set(players)) < len(players):
            raise ValueError("a tournament needs at least two players, each with its own name")

    def schedule(
        self,
        players: Sequence[str],
        results: Mapping[int, Score],
        drawn: Rounds = MappingProxyType({}),
    ) -> Schedule:
        """All that is known of the tournament.

        `players` are listed from the best seed; `results` holds the score of each pairing that is
        over, by its number. Rounds that have been `drawn` stand, and are not drawn anew where that
        takes long. Raises ValueError like `check`.
        """
        self.check(players)
        seeds = list(players)
        if self.shuffle is not None:
            random.Random(self.shuffle).shuffle(seeds)
        schedule = self._schedule(seeds, Draft(results, drawn))
        return replace(schedule, rounds=self.rounds_of(len(seeds)))

    def games_of(self, players: int) -> int:
        """How many games so many players have, without tie-breaks."""
        return self.pairings_of(players) * self.games

    @abstractmethod
    def rounds_of(self, players: int) -> int:
        """How many rounds so many players have."""

    @abstractmethod
    def pairings_of(self, players: int) -> int:
        """How many pairings so many players have, in all rounds and without tie-breaks."""

    @abstractmethod
    def _schedule(self, seeds: Sequence[str], draft: Draft) -> Schedule:
        """Fill in the draft."""
