"""The levels of Connect Four: by exact scores, as a solver never errs however little it looks at.

Of a win or a loss that is farther away than its *sight*, in plies, a level has but a vague notion.
"""

import math

from plywire.engine.analysis import EngineScore
from plywire.engine.limits import SearchLimits
from plywire.engine.search.levels import HIGHEST, Levels

#: More plies than any game has.
_FAR = 64
#: What is left of the worth of a win or loss out of sight.
_NOTION = 0.25
#: The temperature of the lowest level.
_WARMEST = 0.5
#: What the exact scores of all moves may cost, about two seconds; beyond are estimates.
_SOLVING = 10_000_000


def sight(level: int) -> int:
    """How many plies ahead a level sees how a game ends."""
    return _FAR if level == HIGHEST else 2 * level


class Connect4Levels(Levels):
    """Levels that err about wins and losses out of their sight."""

    def in_words(self, level: int) -> str:
        """How far a level sees."""
        if level == HIGHEST:
            return "plays the best moves it finds"
        return f"sees {sight(level)} plies ahead, and errs"

    def to_score_all(self, level: int) -> SearchLimits:
        """At all levels, what it takes to solve most positions."""
        return SearchLimits(nodes=_SOLVING)

    def temperature(self, level: int) -> float:
        """Falls evenly to 0, which is no error at all."""
        return _WARMEST * (HIGHEST - level) / (HIGHEST - 1)

    def worth(self, score: EngineScore, level: int) -> float:
        """From -2 to 2; a win in sight is worth 1 or more."""
        if score.kind == "cp":
            return _NOTION * math.tanh(score.value / 100)
        if score.kind == "draw":
            return 0.0
        size = 2 - score.value / _FAR
        if score.value > sight(level):
            size *= _NOTION
        return size if score.kind == "win" else -size
