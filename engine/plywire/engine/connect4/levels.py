"""The levels of Connect Four, which add errors to the solver's exact scores.

A level has only a vague idea of wins and losses farther away than its *sight*, in plies.
"""

import math

from plywire.engine.analysis import EngineScore
from plywire.engine.limits import SearchLimits
from plywire.engine.search.levels import HIGHEST, Levels

#: A number of plies that no game reaches.
FAR = 64
#: The part of its worth that a level sees in a win or loss out of its sight. Estimates are worth at
#: most this much.
NOTION = 0.25
#: The temperature of level 1.
_WARMEST = 0.5
#: Maximum number of nodes for the exact scores of all moves. They take about two seconds. If they
#: do not suffice, estimates replace the missing scores.
_SOLVING = 10_000_000


def sight(level: int) -> int:
    """Return how many plies ahead a level sees the end of a game."""
    return FAR if level == HIGHEST else 2 * level


class Connect4Levels(Levels):
    """Levels that misjudge wins and losses out of their sight."""

    def in_words(self, level: int) -> str:
        if level == HIGHEST:
            return "plays the best moves it finds"
        return f"sees {sight(level)} plies ahead, and errs"

    def to_score_all(self, level: int) -> SearchLimits:
        """Return the same limits at all levels: enough to solve most positions."""
        return SearchLimits(nodes=_SOLVING)

    def temperature(self, level: int) -> float:
        """Return a temperature that falls evenly to 0, which means no errors."""
        return _WARMEST * (HIGHEST - level) / (HIGHEST - 1)

    def worth(self, score: EngineScore, level: int) -> float:
        """Return the worth, from -2 to 2; a win in sight is worth at least 1."""
        if score.kind == "cp":
            return NOTION * math.tanh(score.value / 100)
        if score.kind == "draw":
            return 0.0
        size = 2 - score.value / FAR
        if score.value > sight(level):
            size *= NOTION
        return size if score.kind == "win" else -size
