"""The Dutch system of FIDE: who meets whom in a round.

FIDE Handbook C.04.3, as applied from 1 February 2026; articles and criteria in brackets are its.
Colour is who begins. A round is paired by brackets from the top score group down: the players of a
score group, and those who moved down to it. The Handbook describes a search through candidates, in
an order that it gives; this finds the one that it would come to. All criteria of a bracket are
weights of a matching, the most important first; among the best matchings the order of candidates
decides, player by player.

Where no complete pairing keeps the absolute criteria (1.9.3 leaves that to the arbiter), as few
pairs as possible meet again, then as few as possible have a second bye, and then as few as possible
have the same absolute preference of colour.

[C9] has nothing to tell apart here: who has missed a round had the bye.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from .matching import NO_EDGE, Matching

#: A word of a weight holds criteria whose sums together stay below two to this power.
_WORD = 40

Grid = NDArray[np.int64]


@dataclass(slots=True)
class Entrant:
    """A player and the rounds so far."""

    points: int = 0
    """In half points."""
    opponents: list[int] = field(default_factory=list)
    """By place in the order of seeds."""
    colours: list[int] = field(default_factory=list)
    """Of the rounds that were played: 1 where the player began, else -1."""
    floats: list[int] = field(default_factory=list)
    """Of all rounds: 1 against more points, -1 against fewer and with the bye, else 0 [1.4]."""
    byes: int = 0
    """How many."""

    def play(self, opponent: int, colour: int, points: int, lead: int) -> None:
        """Enter a round; `lead` is by how many points the player was ahead of the opponent."""
        self.opponents.append(opponent)
        self.colours.append(colour)
        self.floats.append((lead < 0) - (lead > 0))
        self.points += points

    def sit_out(self, points: int) -> None:
        """Enter a round with the bye."""
        self.floats.append(-1)
        self.points += points
        self.byes += 1

    @property
    def difference(self) -> int:
        """How many times more the player began than not [1.6]."""
        return sum(self.colours)

    @property
    def is_absolute(self) -> bool:
        """Whether the preference is absolute [1.7.1]."""
        return abs(self.difference) > 1 or self.colours[-2:] in ([1, 1], [-1, -1])

    @property
    def preference(self) -> int:
        """The colour that is due [1.7]; 0 if none is."""
        if not self.colours:
            return 0
        difference = self.difference
        if difference == 0 or (abs(difference) == 1 and self.is_absolute):
            return -self.colours[-1]
        return -1 if difference > 0 else 1

    @property
    def strength(self) -> int:
        """Of the preference: 3 absolute, 2 strong, 1 mild, 0 none."""
        if self.is_absolute:
            return 3
        return 0 if not self.colours else 2 if self.difference else 1

    def floated(self, direction: int, rounds: int) -> bool:
        """Whether the player floated that way so many rounds ago."""
        return len(self.floats) >= rounds and self.floats[-rounds] == direction


def allocate(entrants: Sequence[Entrant], upper: int, lower: int) -> tuple[int, int]:
    """The two, of whom the first is ranked higher, the one who begins first [5.2]."""
    one, two = entrants[upper], entrants[lower]
    if one.preference != two.preference or not one.preference:
        colour = one.preference or -two.preference
    elif one.strength != two.strength:
        colour = one.preference if one.strength > two.strength else -two.preference
    elif one.is_absolute and abs(one.difference) != abs(two.difference):
        wider = abs(one.difference) > abs(two.difference)
        colour = one.preference if wider else -one.preference
    else:
        colour = 0
        for mine, yours in zip(one.colours[::-1], two.colours[::-1], strict=False):
            if mine != yours:
                colour = -mine
                break
        colour = colour or one.preference
    if not colour:
        colour = 1 if upper % 2 == 0 else -1
    return (upper, lower) if colour == 1 else (lower, upper)


def pair_round(entrants: Sequence[Entrant], most: int | None = None) -> list[tuple[int, int]]:
    """The pairs of the next round, who begins first; who is in none has the bye.

    `entrants` are in the order of their seeds. `most` is given before the last round only: the half
    points that a player can have by then.
    """
    return _Round(entrants, most).pair()


class _Round:
    """All players before a round."""

    def __init__(self, entrants: Sequence[Entrant], most: int | None) -> None:
        self._entrants = entrants
        count = len(entrants)
        self._bye = count if count % 2 else None
        size = count + count % 2
        self._points = np.array([one.points for one in entrants] + [0] * (size - count))
        self._preference = np.zeros(size, np.int64)
        self._preference[:count] = [one.preference for one in entrants]
        self._strength = np.zeros(size, np.int64)
        self._strength[:count] = [one.strength for one in entrants]
        self._floated = {
            (direction, rounds): np.array(
                [one.floated(direction, rounds) for one in entrants] + [False] * (size - count)
            )
            for direction in (-1, 1)
            for rounds in (1, 2)
        }
        self._met = np.zeros((size, size), np.int64)
        self._byes = np.zeros((size, size), np.int64)
        for number, one in enumerate(entrants):
            for opponent in one.opponents:
                self._met[number, opponent] += 1
            if self._bye is not None:
                self._byes[number, self._bye] = self._byes[self._bye, number] = one.byes
        top = np.zeros(size, bool)
        if most is not None:
            top = 2 * self._points > most
        self._clash = (
            ((self._strength == 3)[:, None] & (self._strength == 3))
            & (self._preference[:, None] == self._preference)
            & ~(top[:, None] | top)
        ).astype(np.int64)
        self._broken = [self._met, self._byes, self._clash]
        self._allowed = ~np.eye(size, dtype=bool)
        self._is_strict = True
        self._settle_bye()

    def _settle_bye(self) -> None:
        """Find out who may have the bye [C2, C5], and whether the absolute criteria can be kept."""
        size = len(self._points)
        costs = list(self._broken)
        score = np.zeros((size, size), np.int64)
        if self._bye is not None:
            score[self._bye, :] = score[:, self._bye] = self._points
            costs.append(score)
        matching = _match(costs, self._allowed, (np.arange(size) + size // 2) % size)
        mates = matching.mates
        places = np.arange(size)
        self._is_strict = not any(grid[places, mates].any() for grid in self._broken)
        if self._bye is not None:
            given = self._points[mates[self._bye]]
            may = (self._points == given) & (
                self._byes[self._bye] <= self._byes[self._bye, mates[self._bye]]
            )
            self._allowed[self._bye, ~may] = self._allowed[~may, self._bye] = False
        if self._is_strict:
            for grid in self._broken:
                self._allowed &= grid == 0

    def pair(self) -> list[tuple[int, int]]:
        order = sorted(range(len(self._entrants)), key=lambda one: (-self._points[one], one))
        groups = [list(group) for _, group in groupby(order, key=lambda one: self._points[one])]
        pairs: list[tuple[int, int]] = []
        down: list[int] = []
        for number, group in enumerate(groups):
            rest = [one for group in groups[number + 2 :] for one in group]
            following = groups[number + 1] if number + 1 < len(groups) else []
            found, down = _Bracket(self, down, group, following, rest).pair()
            pairs += found
        ranks = {one: rank for rank, one in enumerate(order)}
        # Boards by the points of the better player, then of the other [C.04.2].
        pairs.sort(
            key=lambda pair: (
                -max(self._points[list(pair)]),
                -sum(self._points[list(pair)]),
                min(ranks[one] for one in pair),
            )
        )
        return [allocate(self._entrants, *sorted(pair, key=ranks.__getitem__)) for pair in pairs]


class _Bracket:
    """A bracket, the one below it, and all that is not paired yet."""

    def __init__(
        self, round: _Round, moved: list[int], residents: list[int], following: list[int],
        rest: list[int],
    ) -> None:  # fmt: skip
        self._round = round
        self._moved = moved
        self._residents = residents
        self._following = following
        self._rest = rest

    def pair(self) -> tuple[list[tuple[int, int]], list[int]]:
        """The pairs of the bracket, and who moves down."""
        own = [*self._moved, *self._residents]
        if len(own) == 1:
            return [], own
        pairs: list[tuple[int, int]] = []
        residents = self._residents
        if self._moved:
            matching, vertices = self._solve(own, 0)
            mates = matching.mates
            choosers = [place for place in range(len(self._moved)) if mates[place] < len(own)]
            choices = np.arange(len(self._moved), len(own))
            chosen = matching.choose(np.array(choosers, np.int64), choices)
            pairs = [(vertices[one], vertices[two]) for one, two in chosen]
            paired = {one for pair in pairs for one in pair}
            residents = [one for one in residents if one not in paired]
            own = [one for one in own if one not in paired]
        limbo = len(own) - len(residents)
        if len(residents) > 1:
            pairs += self._pair_residents(own, limbo)
        paired = {one for pair in pairs for one in pair}
        return pairs, [one for one in own if one not in paired]

    def _pair_residents(self, own: list[int], limbo: int) -> list[tuple[int, int]]:
        """Pair those after the first `limbo`, as candidates are ordered [3.6, 4.2, 4.3]."""
        count = len(own) - limbo
        upper = count // 2
        while True:
            matching, vertices = self._solve(own, limbo, upper)
            mates = matching.mates[limbo : len(own)] - limbo
            above = [place for place in range(count) if place < mates[place] < count]
            if not above:
                return []
            if len(above) == upper:
                break
            upper = len(above)
        if above[-1] >= upper:
            matching, vertices = self._solve(own, limbo, upper, in_order=True)
            mates = matching.mates[limbo : len(own)] - limbo
            above = [place for place in range(count) if place < mates[place] < count]
        below = sorted(set(range(count)) - set(above))
        # The edges left are few, and close hardly any odd cycle: the matching is found again fast.
        if 2 * upper == len(own):
            vertices = own
            matching = self._solve_among(own, own, limbo, upper, above=above)
        else:
            matching, vertices = self._solve(own, limbo, upper, above=above)
        chosen = matching.choose(np.array(above) + limbo, np.array(below) + limbo)
        return [(vertices[one], vertices[two]) for one, two in chosen]

    def _solve(
        self,
        own: list[int],
        limbo: int,
        upper: int = 0,
        *,
        in_order: bool = False,
        above: Sequence[int] = (),
    ) -> tuple[Matching, list[int]]:
        """The best matching of the bracket's players `own`, with all that they depend on."""
        round, following, rest = self._round, self._following, self._rest
        if (round._bye is not None and round._allowed[round._bye, [*own, *following]].any()) or (
            round._bye is not None and rest
        ):
            rest = [*rest, round._bye]
        # The players of lower brackets need not be looked at one by one where they can be paired
        # whoever comes to them: by Dirac's theorem, if each of them can meet half of the others.
        near = [*own, *following]
        for strangers in (4, 12, 36):
            strangers += (len(near) + strangers) % 2
            if not self._can_pair_rest(near, rest, strangers):
                break
            vertices = [*near, *[-1] * strangers]
            try:
                matching = self._solve_among(vertices, own, limbo, upper, in_order, above)
            except ValueError:
                continue  # more than so many have to move down
            if (matching.mates[len(near) :] >= len(near)).any():
                return matching, vertices
        vertices = [*near, *rest]
        return self._solve_among(vertices, own, limbo, upper, in_order, above), vertices

    def _can_pair_rest(self, near: list[int], rest: list[int], strangers: int) -> bool:
        round = self._round
        if not round._is_strict or (
            round._bye is not None and round._allowed[round._bye, near].any()
        ):
            return False
        players = [one for one in rest if one != round._bye]
        free = round._allowed[np.ix_([*near, *players], players)].sum(1)
        return bool(players) and bool((2 * (free - 1) >= len(players) + strangers).all())

    def _solve_among(
        self,
        vertices: list[int],
        own: list[int],
        limbo: int,
        upper: int,
        in_order: bool = False,
        above: Sequence[int] = (),
    ) -> Matching:
        round = self._round
        index = np.array(vertices)
        size = len(index)
        level = np.full(size, 2)
        level[: len(own) + len(self._following)] = 1
        level[: len(own)] = 0
        square = np.ix_(index, index)
        is_stranger = index < 0
        allowed = round._allowed[square] | is_stranger[:, None] | is_stranger
        np.fill_diagonal(allowed, False)
        points = np.where(is_stranger, 0, round._points[index])
        is_own = level == 0
        is_moved = is_own & (np.arange(size) < len(own))
        residents_points = round._points[self._residents[0]]
        is_moved = is_own & (points > residents_points)
        is_resident = is_own & ~is_moved

        def between(ones: NDArray[np.bool_], others: NDArray[np.bool_]) -> Grid:
            grid = ones[:, None] & others
            return (grid | grid.T).astype(np.int64)

        def floats(ones: NDArray[np.bool_]) -> Grid:
            return between(ones, ~is_own)

        scores = sorted({int(score) for score in points[is_own]}, reverse=True)
        higher = [score for score in scores if score > residents_points]
        costs: list[Grid] = []
        if not round._is_strict:
            costs += [
                np.where(is_stranger[:, None] | is_stranger, 0, grid[square])
                for grid in round._broken
            ]
        costs.append(floats(is_own))  # C6
        costs += [floats(is_own & (points == score)) for score in higher]  # C7
        if self._following:  # C8
            costs.append(between(level <= 1, level == 2))
            costs += [between(is_own & (points == score), level == 2) for score in scores]
        both = between(is_own, is_own)
        preference, strength = round._preference[index], round._strength[index]
        same = both * ((preference[:, None] == preference) & (preference != 0))
        costs += self._clashes(vertices, same * (strength[:, None] == 3) * (strength == 3))
        costs.append(same)  # C12
        costs.append(same * (strength[:, None] >= 2) * (strength >= 2))  # C13
        moved_down = {rounds: round._floated[-1, rounds][index] for rounds in (1, 2)}
        moved_up = {rounds: round._floated[1, rounds][index] for rounds in (1, 2)}
        for rounds in (1, 2):  # C14 to C17
            costs.append(floats(is_resident & moved_down[rounds]))
            costs.append(between(is_moved, is_resident & moved_up[rounds]))
        for rounds in (1, 2):  # C18 to C21
            costs.append(floats(is_moved & moved_down[rounds]))
            for score in higher:
                ones = is_moved & (points == score)
                costs.append(between(ones & moved_down[rounds], is_resident))
            for score in higher:
                ones = is_moved & (points == score)
                costs.append(between(ones, is_resident & moved_up[rounds]))
        places = np.arange(size)
        if upper == 0:  # 4.4
            costs += _in_turn([floats(places == place) for place in range(len(self._moved))])
        else:
            costs += self._exchanges(size, limbo, len(own) - limbo, upper, in_order)
        hints = places.copy()
        half = (len(own) - limbo) // 2
        if above:
            is_above = np.isin(places, np.array(above) + limbo)
            is_below = is_resident & ~is_above
            allowed &= ~(is_above[:, None] & is_above) & ~(is_below[:, None] & is_below)
        hints[limbo : len(own)] += half
        return _match(costs, allowed, hints % size)

    def _clashes(self, vertices: list[int], grid: Grid) -> list[Grid]:
        """[C10] and [C11], for pairs that both have the same absolute preference."""
        entrants = self._round._entrants
        wide, thrice = np.zeros_like(grid), np.zeros_like(grid)
        for x, y in np.argwhere(np.triu(grid)):
            colours = allocate(entrants, vertices[x], vertices[y])
            for one, colour in zip(colours, (1, -1), strict=True):
                player = entrants[one]
                if colour != player.preference:
                    wide[x, y] = wide[y, x] = abs(player.difference + colour) > 2
                    thrice[x, y] = thrice[y, x] = player.colours[-2:] == [colour, colour]
        return [wide, thrice]

    @staticmethod
    def _exchanges(size: int, limbo: int, count: int, upper: int, in_order: bool) -> list[Grid]:
        """[4.3], as costs of the better player of each pair of those after the first `limbo`."""
        places = np.arange(size) - limbo
        inside = (places >= 0) & (places < count)
        better = np.minimum(places[:, None], places)
        both = inside[:, None] & inside
        costs: list[NDArray[np.generic]] = [both & (better >= upper)]
        if in_order:
            costs.append(both * (better + 1))
            stays = [(both & (better == place)).astype(np.int64) for place in range(count)]
            costs += _in_turn(stays[:upper][::-1]) + _in_turn([-grid for grid in stays[upper:]])
        return [cost.astype(np.int64) for cost in costs]


def _in_turn(costs: list[Grid]) -> list[Grid]:
    """The same criteria, of which each can be met or missed but once, in fewer numbers."""
    chunks = [costs[start : start + 20] for start in range(0, len(costs), 20)]
    return [
        np.sum([cost << place for place, cost in enumerate(reversed(chunk))], axis=0)
        for chunk in chunks
    ]


def _match(costs: list[Grid], allowed: NDArray[np.bool_], hints: Grid) -> Matching:
    """The matching of least costs, the first of them being the most important."""
    size = len(allowed)
    words: list[Grid] = []
    room = 0
    for cost in costs:
        most = int(np.abs(np.where(allowed, cost, 0)).max(initial=0))
        if not most:
            continue
        bits = (most * (size // 2 + 1)).bit_length() + 1
        if not words or bits > room:
            words.append(np.zeros((size, size), np.int64))
            room = _WORD
        room -= bits
        words[-1] += -cost << room
    words = [*(words or [np.zeros((size, size), np.int64)]), np.zeros((size, size), np.int64)]
    words[0] = np.where(allowed, words[0], NO_EDGE)
    return Matching(np.stack(words, axis=2), hints)
