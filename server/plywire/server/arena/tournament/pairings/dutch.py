"""The Dutch system of FIDE: the pairings of a Swiss round.

Source: FIDE Handbook, C.04.3, as applied from 1 February 2026; articles and criteria in brackets
are from the Handbook. A player's colour says who begins.

A round is paired by brackets, from the top score group down. A bracket holds a score group and the
players who moved down to it. The Handbook searches through candidates in an order; this code finds
the same candidate by a matching. The costs of the matching are the criteria, the most important
first. Among the best matchings, the order of candidates decides, player by player. The players who
moved down but get no opponent in the bracket are its limbo.

If no complete pairing keeps the absolute criteria, the arbiter decides [1.9.3]. This code then
minimises repeated pairs, then second byes, then pairs with the same absolute colour preference.

[C9] is omitted: a player that missed a round had the bye.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from .entrant import Entrant, allocate
from .matching import Cost, Grid, Mask, VertexCost, best_matching, first_choices


def pair_round(entrants: Sequence[Entrant], most: int | None = None) -> list[tuple[int, int]]:
    """Pair the next round: in each pair the first player begins; the unpaired player has the bye.

    `entrants` are in the order of their seeds. Before the last round, `most` is the greatest number
    of half points that a player can have.
    """
    return _Round(entrants, most).pair()


class _Round:
    def __init__(self, entrants: Sequence[Entrant], most: int | None) -> None:
        self.entrants = entrants
        self.bye = len(entrants) if len(entrants) % 2 else None
        players = entrants if self.bye is None else [*entrants, Entrant()]
        size = len(players)
        self.points = np.array([one.points for one in players])
        self.preference = np.array([one.preference for one in players])
        self.strength = np.array([one.strength for one in players])
        self.floated = {
            (direction, rounds): np.array([one.floated(direction, rounds) for one in players])
            for direction in (-1, 1)
            for rounds in (1, 2)
        }
        met = np.zeros((size, size), np.int64)
        self.byes = np.zeros((size, size), np.int64)
        for number, one in enumerate(entrants):
            for opponent in one.opponents:
                met[number, opponent] += 1
            if self.bye is not None:
                self.byes[number, self.bye] = self.byes[self.bye, number] = one.byes
        top = np.zeros(size, bool) if most is None else 2 * self.points > most
        clash = (
            ((self.strength == 3)[:, None] & (self.strength == 3))
            & (self.preference[:, None] == self.preference)
            & ~(top[:, None] | top)
        )
        self.broken = [met, self.byes, clash.astype(np.int64)]
        """How often a pair breaks each of the absolute criteria [C1 to C3]."""
        self.allowed = ~np.eye(size, dtype=bool)
        self._settle_bye()

    def _settle_bye(self) -> None:
        """Find who may have the bye [C2, C5], and whether the absolute criteria can be kept."""
        size = len(self.points)
        strict = self.allowed & ~np.any(self.broken, axis=0)
        bye = self.bye
        costs = [Cost(grid, int(grid.max(initial=0)) * size // 2) for grid in self.broken]
        if bye is not None:
            score = np.zeros((size, size), np.int64)
            score[bye, :] = score[:, bye] = self.points
            costs.append(Cost(score, int(self.points.max())))
        mates = best_matching(self.allowed, costs)
        self.is_strict = bool(strict[np.arange(size), mates].all())
        if bye is not None:
            mate = mates[bye]
            may = self.points == self.points[mate]
            may &= self.byes[bye] <= self.byes[bye, mate]
            self.allowed[bye, ~may] = self.allowed[~may, bye] = False
        if self.is_strict:
            self.allowed &= strict

    def pair(self) -> list[tuple[int, int]]:
        order = sorted(range(len(self.entrants)), key=lambda one: (-self.points[one], one))
        groups = [list(group) for _, group in groupby(order, key=lambda one: self.points[one])]
        pairs: list[tuple[int, int]] = []
        down: list[int] = []
        for number, group in enumerate(groups):
            rest = [one for group in groups[number + 2 :] for one in group]
            following = groups[number + 1] if number + 1 < len(groups) else []
            found, down = _Bracket(self, down, group, following, rest).pair()
            pairs += found
        ranks = {one: rank for rank, one in enumerate(order)}
        # Sort boards by the points of the better player, then by the points of both players
        # [C.04.2].
        pairs.sort(
            key=lambda pair: (
                -max(self.points[list(pair)]),
                -sum(self.points[list(pair)]),
                min(ranks[one] for one in pair),
            )
        )
        return [allocate(self.entrants, *sorted(pair, key=ranks.__getitem__)) for pair in pairs]


@dataclass(slots=True)
class _Solved:
    """A best matching, and the pairs and costs that it was chosen from."""

    allowed: Mask
    costs: list[Cost]
    mates: NDArray[np.int64]
    is_bipartite: bool = False
    """Whether the vertices outside the bracket are interchangeable."""


@dataclass(frozen=True, slots=True)
class _Bracket:
    """A bracket, the bracket that follows it, and all players further below."""

    _round: _Round
    _moved: list[int]
    """The players who moved down to the bracket."""
    _residents: list[int]
    """The players of the bracket's score group."""
    _following: list[int]
    _rest: list[int]
    """All players below the two brackets."""

    def pair(self) -> tuple[list[tuple[int, int]], list[int]]:
        own = [*self._moved, *self._residents]
        if len(own) == 1:
            return [], own
        pairs: list[tuple[int, int]] = []
        residents = self._residents
        if self._moved:
            mates = self._solve(own, 0).mates
            pairs = [
                (one, own[mate])
                for one, mate in zip(self._moved, mates, strict=False)
                if mate < len(own)
            ]
            paired = {one for pair in pairs for one in pair}
            residents = [one for one in residents if one not in paired]
            own = [one for one in own if one not in paired]
        limbo = len(own) - len(residents)
        if len(residents) > 1:
            pairs += self._pair_residents(own, limbo)
        paired = {one for pair in pairs for one in pair}
        return pairs, [one for one in own if one not in paired]

    def _pair_residents(self, own: list[int], limbo: int) -> list[tuple[int, int]]:
        """Pair all of `own` but the first `limbo`, by the order of candidates [3.6, 4.2, 4.3]."""
        count = len(own) - limbo

        def better() -> list[int]:
            mates = solved.mates[limbo : len(own)] - limbo
            return [place for place in range(count) if place < mates[place] < count]

        upper = count // 2
        while True:
            solved = self._solve(own, limbo, upper)
            above = better()
            if not above:
                return []
            if len(above) == upper:
                break
            upper = len(above)
        if above[-1] >= upper:
            solved = self._solve(own, limbo, upper, exchanged=0)
            # The number of places by which the exchange moves all better players together. No
            # exchanged player is farther from the middle.
            exchanged = sum(better()) - sum(range(upper))
            solved = self._solve(own, limbo, upper, exchanged=exchanged)
            above = better()
        below = sorted(set(range(count)) - set(above))
        lower = [limbo + place for place in below]
        return [
            (own[limbo + place], own[mate])
            for place, mate in zip(
                above, self._choose(solved, len(own), limbo, above, lower), strict=True
            )
        ]

    def _choose(
        self, solved: _Solved, count: int, limbo: int, above: list[int], lower: list[int]
    ) -> list[int]:
        """Give each player in `above`, in turn, the first mate that keeps the matching best."""
        upper = [limbo + place for place in above]
        mates = solved.mates
        outside = [int(mate) for mate in mates[:count] if mate >= count]
        if solved.is_bipartite or not outside or len(outside) == len(mates) - count:
            # Pairs of two vertices outside the bracket cost the same, so they can be left out.
            rows, columns = [*upper, *outside], [*lower, *range(limbo)]
            square = np.ix_(rows, columns)
            places = {vertex: place for place, vertex in enumerate(columns)}
            chosen = first_choices(
                solved.allowed[square],
                [Cost(cost.grid[square], cost.most) for cost in solved.costs],
                np.array([places[int(mates[row])] for row in rows]),
                len(upper),
            )
            return [columns[place] for place in chosen]
        allowed = solved.allowed.copy()
        allowed[np.ix_(upper, upper)] = allowed[np.ix_(lower, lower)] = False
        ranks = np.zeros(len(mates), np.int64)
        ranks[lower] = np.arange(len(lower))
        found = best_matching(
            allowed, solved.costs, [VertexCost(vertex, ranks) for vertex in upper]
        )
        return [int(mate) for mate in found[upper]]

    def _solve(
        self, own: list[int], limbo: int, upper: int = 0, exchanged: int | None = None
    ) -> _Solved:
        """Return the best matching of the players `own`, with all players whom it affects."""
        round, following, rest = self._round, self._following, self._rest
        moved = limbo if upper else len(self._moved)
        # If `_can_move` finds who can move down, interchangeable strangers can replace the players
        # below.
        for strangers in (0, 2, 6, 18):
            strangers += len(own) % 2
            can_move = self._can_move(own, strangers)
            if can_move is None or strangers < limbo:
                continue
            vertices = [*own, *[-1] * strangers]
            try:
                solved = self._solve_among(vertices, own, [], limbo, upper, exchanged, can_move)
            except ValueError:
                continue  # More players have to move down, so try more strangers.
            is_enough = strangers <= 1 or (solved.mates[len(own) :] >= len(own)).any()
            # `can_move` keeps the cost of [C8] low, but [C7] comes first: it counts the players of
            # higher scores who move down. The result is right only if `can_move` excludes nobody
            # or if this number is as small as possible.
            if is_enough and (
                can_move.all() or np.count_nonzero(solved.mates[:moved] >= len(own)) == limbo
            ):
                solved.is_bipartite = True
                return solved
        if round.bye is not None:
            rest = [*rest, round.bye]
        # Otherwise the players of the next bracket need vertices. The players below it need none if
        # they can all be paired, whoever moves down.
        near = [*own, *following]
        for strangers in (4, 12, 36):
            strangers += (len(near) + strangers) % 2
            if not self._can_pair_rest(near, rest, strangers):
                break
            vertices = [*near, *[-1] * strangers]
            try:
                solved = self._solve_among(vertices, own, following, limbo, upper, exchanged)
            except ValueError:
                continue
            if (solved.mates[len(near) :] >= len(near)).any():
                return solved
        return self._solve_among([*near, *rest], own, following, limbo, upper, exchanged)

    def _can_move(self, own: list[int], most: int) -> Mask | None:
        """Find which of `own` can move down without raising the cost of [C8].

        At most `most` players move down. The result holds for any choice of these players; None
        means that no result can be shown to hold. The next bracket pairs all players who moved
        down. If its number of players is odd, one of its own players moves down.

        By Dirac's theorem, an even number of players has a perfect matching if each player can meet
        at least half of them.
        """
        round, following, players, bye = self._round, self._following, self._rest, self._round.bye
        if not round.is_strict or (bye is not None and round.allowed[bye, own].any()):
            return None

        def free(ones: list[int], others: list[int]) -> Grid:
            found: Grid = round.allowed[np.ix_(ones, others)].sum(1)
            return found

        def are_free(ones: list[int], taken: int) -> bool:
            """Return whether those of `ones` that stay can be paired, whichever `taken` go."""
            left = len(ones) - taken
            return left == 0 or (left > 0 and bool((2 * (free(ones, ones) - taken) >= left).all()))

        everybody = np.ones(len(own), bool)
        if most == 0:
            return everybody if are_free([*following, *players], int(bye is not None)) else None
        takers = [] if bye is None else [one for one in following if round.allowed[bye, one]]
        here = int(bool(takers))
        below = int(bye is not None and not takers)
        left = len(following) - most - here
        odd = left % 2
        if (
            left < 0
            or not are_free(players, odd + below)
            or (odd and (free(following, players) < odd + below).any())
        ):
            return None
        if most > 1:
            # If this condition holds for `most` players who move down, it holds for fewer, too. The
            # condition of `are_free` would not: it is also true if the players taken are all.
            spare = free(following, following) - most - here - odd
            is_known = (2 * spare >= left - odd).all() and (
                free(own, following) >= most + here
            ).all()
            return everybody if is_known else None
        if not are_free(following, most + here + odd):
            return None
        partners = [one for one in following if takers != [one]]
        found: Grid = free(own, partners)
        return found > 0

    def _can_pair_rest(self, near: list[int], rest: list[int], strangers: int) -> bool:
        """Return whether the players below can be paired, for any choice of players from `near`."""
        round = self._round
        if not round.is_strict or (round.bye is not None and round.allowed[round.bye, near].any()):
            return False
        players = [one for one in rest if one != round.bye]
        free = round.allowed[np.ix_([*near, *players], players)].sum(1)
        return bool(players) and bool((2 * (free - 1) >= len(players) + strangers).all())

    def _solve_among(
        self,
        vertices: list[int],
        own: list[int],
        following: list[int],
        limbo: int,
        upper: int,
        exchanged: int | None,
        can_move: Mask | None = None,
    ) -> _Solved:
        round = self._round
        index = np.array(vertices)
        size = len(index)
        level = np.full(size, 2)
        level[: len(own) + len(following)] = 1
        level[: len(own)] = 0
        square = np.ix_(index, index)
        is_stranger = index < 0
        allowed = round.allowed[square] | is_stranger[:, None] | is_stranger
        np.fill_diagonal(allowed, False)
        if can_move is not None:
            allowed[: len(own), is_stranger] = can_move[:, None]
            allowed[is_stranger, : len(own)] = can_move
        points = np.where(is_stranger, 0, round.points[index])
        is_own = level == 0
        residents_points = round.points[self._residents[0]]
        is_moved = is_own & (points > residents_points)
        is_resident = is_own & ~is_moved

        def between(ones: Mask, others: Mask) -> Cost:
            grid = ones[:, None] & others
            payers = min(ones, others, key=np.count_nonzero)
            return Cost(grid | grid.T, int(payers.sum()), payers)

        def floats(ones: Mask) -> Cost:
            return between(ones, ~is_own)

        scores = sorted({int(score) for score in points[is_own]}, reverse=True)
        higher = [score for score in scores if score > residents_points]
        costs: list[Cost] = []
        if not round.is_strict:
            for grid in round.broken:
                broken = np.where(is_stranger[:, None] | is_stranger, 0, grid[square])
                costs.append(Cost(broken, int(broken.max()) * size // 2))
        costs.append(floats(is_own))  # [C6]
        costs += [floats(is_own & (points == score)) for score in higher]  # [C7]
        if following:  # [C8]
            costs.append(between(level <= 1, level == 2))
            costs += [between(is_own & (points == score), level == 2) for score in scores]
        preference, strength = round.preference[index], round.strength[index]

        def alike(ones: Mask) -> Cost:
            ones = ones & is_own & (preference != 0)
            grid = ones[:, None] & ones & (preference[:, None] == preference)
            return Cost(grid, int(ones.sum()) // 2)

        costs += self._clashes(vertices, alike(strength == 3).grid & allowed)
        costs.append(alike(is_own))  # [C12]
        costs.append(alike(strength >= 2))  # [C13]
        moved_down = {rounds: round.floated[-1, rounds][index] for rounds in (1, 2)}
        moved_up = {rounds: round.floated[1, rounds][index] for rounds in (1, 2)}
        for rounds in (1, 2):  # [C14] to [C17]
            costs.append(floats(is_resident & moved_down[rounds]))
            costs.append(between(is_moved, is_resident & moved_up[rounds]))
        for rounds in (1, 2):  # [C18] to [C21]
            costs.append(floats(is_moved & moved_down[rounds]))
            for score in higher:
                ones = is_moved & (points == score)
                costs.append(between(ones & moved_down[rounds], is_resident))
            for score in higher:
                ones = is_moved & (points == score)
                costs.append(between(ones, is_resident & moved_up[rounds]))
        turns: list[VertexCost] = []
        if upper == 0:  # [4.4], then each player in turn takes the first resident
            ranks = np.maximum(np.arange(size) - len(self._moved), 0) * is_own
            for row in (~is_own, ranks):
                turns += [VertexCost(place, row) for place in range(len(self._moved))]
        else:
            count = len(own) - limbo
            better, turns = self._exchanges(size, limbo, count, upper, exchanged)
            costs += better
        return _Solved(allowed, costs, best_matching(allowed, costs, turns))

    def _clashes(self, vertices: list[int], grid: Mask) -> list[Cost]:
        """Return the costs of [C10] and [C11]: pairs with the same absolute preference."""
        entrants = self._round.entrants
        wide, thrice = np.zeros_like(grid), np.zeros_like(grid)
        for x, y in np.argwhere(np.triu(grid)):
            colours = allocate(entrants, vertices[x], vertices[y])
            for one, colour in zip(colours, (1, -1), strict=True):
                player = entrants[one]
                if colour != player.preference:
                    wide[x, y] = wide[y, x] = abs(player.difference + colour) > 2
                    thrice[x, y] = thrice[y, x] = player.colours[-2:] == [colour, colour]
        return [Cost(cost, int(cost.any(0).sum()) // 2) for cost in (wide, thrice)]

    @staticmethod
    def _exchanges(
        size: int, limbo: int, count: int, upper: int, exchanged: int | None
    ) -> tuple[list[Cost], list[VertexCost]]:
        """Return the costs of [4.3], for the better player of each pair outside the limbo.

        `exchanged` is the distance from the middle within which players can be exchanged. None
        means no exchanges; 0 means that the distance is not known yet.
        """
        places = np.arange(size) - limbo
        inside = (places >= 0) & (places < count)
        better = np.minimum(places[:, None], places)
        both = inside[:, None] & inside
        costs = [Cost(both & (better >= upper), count // 2)]
        if exchanged is None:
            return costs, []
        costs.append(Cost(both * (better + 1), count * (count // 2)))
        turns = []
        for place in range(upper - 1, max(upper - exchanged, 0) - 1, -1):
            turns.append(VertexCost(limbo + place, inside & (places > place)))
        for place in range(upper, min(upper + exchanged, count)):
            turns.append(VertexCost(limbo + place, ~(inside & (places > place))))
        return costs, turns
