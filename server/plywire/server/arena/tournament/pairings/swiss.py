"""The Swiss system: each round pairs players of similar score who have not met."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from .entrant import Entrant
from .schedule import BaseFormat, Bye, Draft, PairingSchedule


class Swiss(BaseFormat):
    """Each round pairs players of similar score who have not met, by FIDE's Dutch system.

    The score is the points of all games. A bye gives the points of a won pairing.
    """

    is_slow: ClassVar[bool] = True

    system: Literal["swiss"] = "swiss"
    """Name of the format."""
    rounds: Annotated[int, Field(ge=1)] | None = None
    """Number of rounds; by default enough to leave one player without a loss."""

    def rounds_of(self, players: int) -> int:
        return self.rounds or (players - 1).bit_length()

    def pairings_of(self, players: int) -> int:
        return players // 2 * self.rounds_of(players)

    def _schedule(self, seeds: Sequence[str], draft: Draft) -> PairingSchedule:
        rounds = self.rounds_of(len(seeds))
        for number in range(1, rounds + 1):
            if not draft.decided():
                return draft.schedule(complete=False)
            pairs = draft.drawn.get(number) or self._draw(seeds, draft, number == rounds)
            for pair in pairs:
                draft.pair(number, pair, self.games)
            paired = {player for pair in pairs for player in pair}
            for left_out in (seed for seed in seeds if seed not in paired):
                draft.byes.append(Bye(number, left_out, float(self.games)))
        return draft.schedule(complete=True)

    def _draw(self, seeds: Sequence[str], draft: Draft, is_last: bool) -> list[tuple[str, str]]:
        """Return the pairs of the next round; the player who begins comes first."""
        from .dutch import pair_round  # Loads NumPy and rustworkx, which is slow.

        places = {seed: place for place, seed in enumerate(seeds)}
        entrants = [Entrant() for _ in seeds]
        pairings = groupby(draft.pairings, lambda pairing: pairing.round)
        byes = {bye.round: bye for bye in draft.byes}
        for number, round in pairings:
            before = [entrant.points for entrant in entrants]
            for pairing in round:
                one, two = (places[player] for player in pairing.players)
                ours, theirs = map(_halves, draft.result(pairing))
                lead = before[one] - before[two]
                entrants[one].play(two, 1, ours, lead)
                entrants[two].play(one, -1, theirs, -lead)
            if number in byes:
                entrants[places[byes[number].player]].sit_out(_halves(byes[number].points))
        most = 2 * self.games * draft.pairings[-1].round if is_last and draft.pairings else None
        return [(seeds[one], seeds[two]) for one, two in pair_round(entrants, most)]


def _halves(points: float) -> int:
    return round(2 * points)
