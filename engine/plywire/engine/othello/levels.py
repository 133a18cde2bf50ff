"""The levels of Othello: by the scores of a search of a few plies, in discs.

The depths and temperatures of levels 4 to 8 are those at which people's choices in tournaments are
the most likely, from the last fifth of players to the best; the other levels continue the scale.
"""

from dataclasses import dataclass

from plywire.engine.analysis import EngineScore
from plywire.engine.limits import SearchLimits
from plywire.engine.search.levels import Levels


@dataclass(frozen=True)
class Person:
    """How somebody chooses."""

    depth: int
    """Plies that are looked ahead."""
    temperature: float
    """How far the choice strays from the best move, in discs."""


#: Of each level but the highest.
PEOPLE = {
    1: Person(1, 10),
    2: Person(1, 6.5),
    3: Person(2, 5),
    4: Person(4, 3.7),
    5: Person(4, 2.8),
    6: Person(8, 2.8),
    7: Person(10, 2.1),
    8: Person(10, 1.6),
    9: Person(10, 1),
}


class OthelloLevels(Levels):
    """Levels that choose as people do."""

    def in_words(self, level: int) -> str:
        """How far a level looks, and by how much it errs."""
        if level not in PEOPLE:
            return "plays the best moves it finds"
        person = PEOPLE[level]
        return f"looks {person.depth} plies ahead, and errs by some {person.temperature:g} discs"

    def to_score_all(self, level: int) -> SearchLimits | None:
        """As deep as such a person looks; the highest level searches for the best move."""
        return SearchLimits(depth=PEOPLE[level].depth) if level in PEOPLE else None

    def temperature(self, level: int) -> float:
        """That of such a person, in discs."""
        return PEOPLE[level].temperature

    def worth(self, score: EngineScore, level: int) -> float:
        """Discs, whether estimated or exact."""
        return score.value / (1 if score.proven else 100)
