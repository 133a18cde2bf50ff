"""The knockout: the loser of a pairing is out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from .schedule import BaseFormat, Bye, Draft, PairingSchedule, Ranking


class Knockout(BaseFormat):
    """The loser of a pairing is out; the bracket is seeded, and the best seeds have byes."""

    ranking: ClassVar[Ranking] = Ranking.PROGRESS

    system: Literal["knockout"] = "knockout"
    """Name of the format."""
    tiebreaks: Annotated[int, Field(ge=0)] = 4
    """Most extra pairs of games of a level pairing. After them the better seed goes on, because
    players that always draw would play forever."""

    def rounds_of(self, players: int) -> int:
        return (players - 1).bit_length()

    def pairings_of(self, players: int) -> int:
        return players - 1

    def _schedule(self, seeds: Sequence[str], draft: Draft) -> PairingSchedule:
        places: list[int | None] = [
            seed if seed < len(seeds) else None for seed in _bracket(len(seeds))
        ]
        round = 0
        while len(places) > 1:
            round += 1
            winners = self._round(round, places, seeds, draft)
            if winners is None:
                return draft.schedule(complete=False)
            places = winners
        champion = places[0]
        return draft.schedule(complete=True, winner=None if champion is None else seeds[champion])

    def _round(
        self, round: int, places: Sequence[int | None], seeds: Sequence[str], draft: Draft
    ) -> list[int | None] | None:
        """Return the seeds that go on from a round; None if they are not known yet."""
        winners: list[int | None] = []
        level: dict[int, tuple[int, int]] = {}
        for one, two in zip(places[::2], places[1::2], strict=True):
            if one is not None and two is not None:
                better, worse = min(one, two), max(one, two)
                level[len(winners)] = (better, worse)
                winners.append(better)
            else:
                alone = one if two is None else two
                if alone is not None:
                    draft.byes.append(Bye(round, seeds[alone], 0.0))
                winners.append(alone)
        for extra in range(1 + self.tiebreaks):
            games = 2 if extra else self.games
            pairings = {
                place: draft.pair(round, (seeds[better], seeds[worse]), games)
                for place, (better, worse) in level.items()
            }
            if not draft.decided():
                return None
            for place, pairing in pairings.items():
                ahead, behind = draft.result(pairing)
                if ahead != behind:
                    winners[place] = level.pop(place)[ahead < behind]
        return winners


def _bracket(players: int) -> list[int]:
    """Return the seeds, from 0, in the order of a bracket with 2, 4, 8 and so on places."""
    seeds = [0]
    while len(seeds) < players:
        last = 2 * len(seeds) - 1
        seeds = [place for seed in seeds for place in (seed, last - seed)]
    return seeds
