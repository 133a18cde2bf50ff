"""Round robin and gauntlet, whose pairings are known from the start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from .schedule import BaseFormat, Bye, Draft, PairingSchedule, Ranking


class RoundRobin(BaseFormat):
    """All players meet each other."""

    system: Literal["round-robin"] = "round-robin"
    """Name of the format."""
    cycles: Annotated[int, Field(ge=1)] = 1
    """Number of times that each two players meet."""

    def rounds_of(self, players: int) -> int:
        return (players - 1 + players % 2) * self.cycles

    def pairings_of(self, players: int) -> int:
        return players * (players - 1) // 2 * self.cycles

    def _schedule(self, seeds: Sequence[str], draft: Draft) -> PairingSchedule:
        rounds = list(_circle(len(seeds)))
        for number in range(len(rounds) * self.cycles):
            cycle, place = divmod(number, len(rounds))
            for pair in rounds[place]:
                if max(pair) == len(seeds):
                    draft.byes.append(Bye(number + 1, seeds[min(pair)], 0.0))
                else:
                    first, second = pair[::-1] if cycle % 2 else pair
                    draft.pair(number + 1, (seeds[first], seeds[second]), self.games)
        return draft.schedule(complete=True)


def _circle(players: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the rounds of the circle method: one player stays, the others move by one place.

    In round r, two players meet whose numbers add up to r, modulo the number of moving players.
    With an odd number of players, a player is added whose opponents have a bye.
    """
    moving = players - 1 + players % 2
    for round in range(moving):
        # By this rule, one player would meet itself. It meets the player that does not move
        # instead.
        alone = round * (moving + 1) // 2 % moving
        pairs = [(alone, moving)]
        for step in range(1, (moving + 1) // 2):
            pairs.append(((alone + step) % moving, (alone - step) % moving))
        yield [_in_turn(min(pair), max(pair), moving) for pair in pairs]


def _in_turn(low: int, high: int, moving: int) -> tuple[int, int]:
    """Return the player who begins, then the other: parity decides, as in Berger's tables."""
    low_first = low % 2 == 0 if high == moving else (low + high) % 2 == 1
    return (low, high) if low_first else (high, low)


class Gauntlet(BaseFormat):
    """Challengers meet all other players, who do not meet each other."""

    ranking: ClassVar[Ranking] = Ranking.SHARE

    system: Literal["gauntlet"] = "gauntlet"
    """Name of the format."""
    challengers: Annotated[int, Field(ge=1)] = 1
    """Number of challengers, from the first player; they do not meet each other."""
    cycles: Annotated[int, Field(ge=1)] = 1
    """Number of times that each two players meet."""

    def check(self, players: Sequence[str]) -> None:
        """Raise ValueError like the base class, or if all players are challengers."""
        super().check(players)
        if len(players) <= self.challengers:
            raise ValueError(f"all {len(players)} players are challengers: lower challengers")

    def rounds_of(self, players: int) -> int:
        return max(self.challengers, players - self.challengers) * self.cycles

    def pairings_of(self, players: int) -> int:
        return self.challengers * (players - self.challengers) * self.cycles

    def _schedule(self, seeds: Sequence[str], draft: Draft) -> PairingSchedule:
        challengers, others = seeds[: self.challengers], seeds[self.challengers :]
        rounds = max(len(challengers), len(others))
        for number in range(rounds * self.cycles):
            cycle, place = divmod(number, rounds)
            for one, challenger in enumerate(challengers):
                two = (one + place) % rounds
                if two < len(others):
                    pair = (challenger, others[two])
                    swap = (one + two + cycle) % 2
                    draft.pair(number + 1, pair[::-1] if swap else pair, self.games)
        return draft.schedule(complete=True)
