"""A player of a Swiss tournament: the rounds so far, and the colour that is due.

Articles in brackets are from the FIDE Handbook, C.04.3. A player's colour says who begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Entrant:
    """A player and the rounds so far."""

    points: int = 0
    """The points, in half points."""
    opponents: list[int] = field(default_factory=list)
    """The opponents' places in the order of seeds."""
    colours: list[int] = field(default_factory=list)
    """For each round that was played: 1 if the player began, else -1."""
    floats: list[int] = field(default_factory=list)
    """For each round: 1 against more points, -1 against fewer or with the bye, else 0 [1.4]."""
    byes: int = 0

    def play(self, opponent: int, colour: int, points: int, lead: int) -> None:
        """Add a round; `lead` is the player's points minus the opponent's, before the round."""
        self.opponents.append(opponent)
        self.colours.append(colour)
        self.floats.append((lead < 0) - (lead > 0))
        self.points += points

    def sit_out(self, points: int) -> None:
        self.floats.append(-1)
        self.points += points
        self.byes += 1

    @property
    def difference(self) -> int:
        """The number of rounds that the player began, minus those that the opponent began [1.6]."""
        return sum(self.colours)

    @property
    def is_absolute(self) -> bool:
        """Whether the preference is absolute [1.7.1]."""
        return abs(self.difference) > 1 or self.colours[-2:] in ([1, 1], [-1, -1])

    @property
    def preference(self) -> int:
        """The colour that is due [1.7]; 0 without a preference."""
        if not self.colours:
            return 0
        difference = self.difference
        if difference == 0 or (abs(difference) == 1 and self.is_absolute):
            return -self.colours[-1]
        return -1 if difference > 0 else 1

    @property
    def strength(self) -> int:
        """The strength of the preference: 3 absolute, 2 strong, 1 mild, 0 none."""
        if self.is_absolute:
            return 3
        return 0 if not self.colours else 2 if self.difference else 1

    def floated(self, direction: int, rounds: int) -> bool:
        """Return whether the player floated in a direction, `rounds` rounds ago."""
        return len(self.floats) >= rounds and self.floats[-rounds] == direction


def allocate(entrants: Sequence[Entrant], upper: int, lower: int) -> tuple[int, int]:
    """Return the player who begins, then the other player; `upper` is ranked higher [5.2]."""
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
