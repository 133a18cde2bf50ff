"""The schedule of a tournament, and the base class of the formats that make schedules."""

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

#: The points of a pairing's two players in all its games. A draw gives each of them half a point.
Score = tuple[float, float]

#: The pairs of each round whose pairings are drawn. In each pair, the player who begins comes
#: first.
Rounds = Mapping[int, Sequence[tuple[str, str]]]


class Ranking(StrEnum):
    """The first criterion of the final order of the players."""

    POINTS = "points"
    SHARE = "share"
    """Points per game, for players with different numbers of games."""
    PROGRESS = "progress"
    """How many rounds a player reached."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game of a pairing."""

    number: int
    """The place in the tournament, from 0."""
    players: tuple[str, str]
    opening: int
    """The opening, from 0 for each pair of players; two games with swapped colours share it."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet in an even number of games."""

    number: int
    """The place in the schedule, from 0."""
    round: int
    players: tuple[str, str]
    """The players; the first one begins the first game."""
    first_game: int
    games: int
    first_opening: int = 0
    """The opening of the first two games: the number of openings that the players have played."""

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """The games; the players take turns at the first move."""
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
    player: str
    points: float
    """Points for the bye: those of a won pairing in Swiss, else none."""


@dataclass(frozen=True, slots=True)
class PairingSchedule:
    """All that is known of a tournament's course."""

    pairings: tuple[Pairing, ...]
    """The pairings, in the order in which to play them."""
    byes: tuple[Bye, ...]
    complete: bool
    """Whether no more pairings will come."""
    winner: str | None = None
    """The winner of a knockout; in other formats the points decide."""
    rounds: int = 0

    @property
    def progress(self) -> dict[str, int]:
        """The last round of each player, plus one for the winner of a knockout."""
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
    """A schedule that a format is building."""

    def __init__(self, results: Mapping[int, Score], drawn: Rounds) -> None:
        self.drawn = drawn
        self._results = results
        self._games = 0
        self._openings: Counter[frozenset[str]] = Counter()
        self.pairings: list[Pairing] = []
        self.byes: list[Bye] = []

    def pair(self, round: int, players: tuple[str, str], games: int) -> Pairing:
        both = frozenset(players)
        begun = self._openings[both]
        pairing = Pairing(len(self.pairings), round, players, self._games, games, begun)
        self.pairings.append(pairing)
        self._games += games
        self._openings[both] += games // 2
        return pairing

    def result(self, pairing: Pairing) -> Score:
        return self._results[pairing.number]

    def decided(self) -> bool:
        return all(pairing.number in self._results for pairing in self.pairings)

    def schedule(self, *, complete: bool, winner: str | None = None) -> PairingSchedule:
        return PairingSchedule(tuple(self.pairings), tuple(self.byes), complete, winner)


class BaseFormat(BaseModel, ABC):
    """The base class of all formats."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ranking: ClassVar[Ranking] = Ranking.POINTS
    is_slow: ClassVar[bool] = False
    """Whether the pairings of a round may take seconds to compute."""

    games: Annotated[int, Field(ge=2, multiple_of=2)] = 2
    """Number of games of a pairing, an even number; colours are swapped in each two."""
    shuffle: int | None = None
    """Seed of a random order of the players; without it, they are seeded as listed."""

    def check(self, players: Sequence[str]) -> None:
        """Raise ValueError for fewer than two players, or two players with the same name."""
        if len(players) < 2 or len(set(players)) < len(players):
            raise ValueError("a tournament needs at least two players, each with its own name")

    def schedule(
        self,
        players: Sequence[str],
        results: Mapping[int, Score],
        drawn: Rounds = MappingProxyType({}),
    ) -> PairingSchedule:
        """Return all that is known of the tournament's schedule.

        `players` are listed best seed first. `results` holds the points of finished pairings by
        number. If `is_slow`, the rounds in `drawn` stay as they are. Raises ValueError like
        `check`.
        """
        self.check(players)
        seeds = list(players)
        if self.shuffle is not None:
            random.Random(self.shuffle).shuffle(seeds)
        schedule = self._schedule(seeds, Draft(results, drawn))
        return replace(schedule, rounds=self.rounds_of(len(seeds)))

    def games_of(self, players: int) -> int:
        return self.pairings_of(players) * self.games

    @abstractmethod
    def rounds_of(self, players: int) -> int:
        """Return the number of rounds."""

    @abstractmethod
    def pairings_of(self, players: int) -> int:
        """Return the number of pairings in all rounds, without tie-breaks."""

    @abstractmethod
    def _schedule(self, seeds: Sequence[str], draft: Draft) -> PairingSchedule:
        """Fill in the draft."""
