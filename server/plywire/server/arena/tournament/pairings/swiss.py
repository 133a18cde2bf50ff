"""The Swiss system: each round pairs players of like score who have not met."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

import networkx
from pydantic import Field

from .schedule import BaseFormat, Bye, Draft, Schedule

#: What is to be avoided, from the most important.
Cost = tuple[int, ...]


class Swiss(BaseFormat):
    """Each round pairs players of like score who have not met.

    A round is a perfect matching of least cost, and thereby the best there is, where rules that
    work from the top score group downwards can run into a dead end. The approach is that of
    S. Ólafsson, "Weighted Matching in Chess Tournaments", Journal of the Operational Research
    Society 41 (1990). From the most important, what is avoided:

    1. that players meet again;
    2. that a player has another bye;
    3. a bye high up in the standings;
    4. differences of score, squared;
    5. departures from the fold: in a group of equal score the upper half meets the lower half in
       order, and who has to leave a group comes from its end and goes to the top of the next.
    """

    is_slow: ClassVar[bool] = True

    system: Literal["swiss"] = "swiss"
    rounds: Annotated[int, Field(ge=1)] | None = None
    """How many rounds; by default as many as leave one player without a loss."""

    def _schedule(self, seeds: Sequence[str], draft: Draft) -> Schedule:
        rounds = self.rounds or (len(seeds) - 1).bit_length()
        for number in range(1, rounds + 1):
            if not draft.decided():
                return draft.schedule(complete=False)
            pairs = draft.drawn.get(number) or _Table(seeds, draft, number).best_round()
            for pair in pairs:
                draft.pair(number, pair, self.games)
            paired = {player for pair in pairs for player in pair}
            for left_out in (seed for seed in seeds if seed not in paired):
                draft.byes.append(Bye(number, left_out, float(self.games)))
        return draft.schedule(complete=True)


class _Table:
    """The standings before a round, and what each possible pair would cost."""

    def __init__(self, seeds: Sequence[str], draft: Draft, round: int) -> None:
        self._round = round
        # Half points, to keep the costs exact.
        self._points = Counter(dict.fromkeys(seeds, 0))
        self._byes = Counter(bye.player for bye in draft.byes)
        self._lead = Counter(pairing.players[0] for pairing in draft.pairings)
        self._lead.subtract(pairing.players[1] for pairing in draft.pairings)
        self._met = Counter(frozenset(pairing.players) for pairing in draft.pairings)
        for bye in draft.byes:
            self._points[bye.player] += _halves(bye.points)
        for pairing in draft.pairings:
            for player, points in zip(pairing.players, draft.result(pairing), strict=True):
                self._points[player] += _halves(points)
        # Sorting is stable: equals stay in the order of their seeds.
        self._ranked = sorted(seeds, key=lambda player: -self._points[player])
        self._sizes = Counter(self._points.values())
        above: Counter[int] = Counter()
        self._place = {}
        for player in self._ranked:
            self._place[player] = above[self._points[player]]
            above[self._points[player]] += 1

    def best_round(self) -> list[tuple[str, str]]:
        """The pairs from the top of the standings, first player first; who is in none has a bye."""
        ranked = self._ranked
        costs = {
            (one, two): self._pair_cost(ranked[one], ranked[two])
            for two in range(len(ranked))
            for one in range(two)
        }
        nobody = len(ranked)
        if nobody % 2:
            costs |= {(one, nobody): self._bye_cost(one) for one in range(nobody)}
        return [
            self._in_turn(ranked[one], ranked[two])
            for one, two in _least_cost(costs, self._round)
            if two != nobody
        ]

    def _pair_cost(self, upper: str, lower: str) -> Cost:
        gap = self._points[upper] - self._points[lower]
        if gap:
            from_end = self._sizes[self._points[upper]] - 1 - self._place[upper]
            fold = from_end**2 + self._place[lower] ** 2
        else:
            half = self._sizes[self._points[upper]] // 2
            fold = (self._place[lower] - self._place[upper] - half) ** 2
        return (self._met[frozenset((upper, lower))], 0, 0, gap**2, fold)

    def _bye_cost(self, rank: int) -> Cost:
        player = self._ranked[rank]
        return (0, self._byes[player], self._points[player], 0, (len(self._ranked) - 1 - rank) ** 2)

    def _in_turn(self, upper: str, lower: str) -> tuple[str, str]:
        """The two players; the one who began fewer pairings, or ended more, begins this one."""
        difference = self._lead[upper] - self._lead[lower]
        lower_first = difference > 0 if difference else self._round % 2 == 0
        return (lower, upper) if lower_first else (upper, lower)


def _halves(points: float) -> int:
    """Points in half points."""
    return round(2 * points)


def _least_cost(costs: dict[tuple[int, int], Cost], round: int) -> list[tuple[int, int]]:
    """The perfect matching of least total cost, compared from the first component; sorted.

    Random costs in the last place make it unique (Mulmuley, Vazirani and Vazirani, "Matching is as
    easy as matrix inversion", Combinatorica 7, 1987), so that it does not depend on how the
    matching is searched for.
    """
    source = random.Random(round)
    least = [(*cost, source.getrandbits(64)) for cost in costs.values()]
    # Written in a base that no sum of them can reach, costs compare like numbers.
    bases = [1 + sum(column) for column in zip(*least, strict=True)]
    graph = networkx.Graph()
    for (one, two), cost in zip(costs, least, strict=True):
        weight = 0
        for part, base in zip(cost, bases, strict=True):
            weight = weight * base + part
        graph.add_edge(one, two, weight=-weight)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in matching)
