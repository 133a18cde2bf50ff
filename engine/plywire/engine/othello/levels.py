"""The levels of Othello: they choose by the scores, in discs, of a search of a few plies.

Levels 4 to 8 fit people's choices in tournaments, from the weakest fifth of players to the best.
"""

from dataclasses import dataclass

from plywire.engine.analysis import EngineScore
from plywire.engine.limits import SearchLimits
from plywire.engine.search.levels import Levels


@dataclass(frozen=True)
class Person:
    """A model of a person's choice of moves."""

    depth: int
    """The number of plies that the person looks ahead."""
    temperature: float
    """The deviation from the best move, in discs."""


#: The model of a person for each level except the highest.
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
        if level not in PEOPLE:
            return "plays the best moves it finds"
        person = PEOPLE[level]
        return f"looks {person.depth} plies ahead, and errs by some {person.temperature:g} discs"

    def to_score_all(self, level: int) -> SearchLimits | None:
        return SearchLimits(depth=PEOPLE[level].depth) if level in PEOPLE else None

    def temperature(self, level: int) -> float:
        return PEOPLE[level].temperature

    def worth(self, score: EngineScore, level: int) -> float:
        return score.value / (1 if score.proven else 100)
