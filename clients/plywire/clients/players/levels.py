"""An opponent for people: as hard as its level says.

In most games a level is how many positions the engine may look at. Connect Four is solved, and a
solver never errs however little it looks at; so there the engine finds the exact score of every
move, and the level decides how much of that the opponent goes by:

- its *sight*: of a win or a loss further away than so many plies it has but a vague notion;
- its *temperature*: it draws among the moves, with weights of exp(worth / temperature), so a move
  that is a little worse is played now and then, and a bad one hardly ever.

The highest level sees everything and plays the best move.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

from plywire.protocol.messages.limits import Limits

from .base import Line
from .local import EnginePlayer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plywire.engine.analysis import Info, Score

LEVELS = range(1, 11)

#: More plies than any game has.
_FAR = 64
#: What is left of the worth of a win or loss out of sight.
_NOTION = 0.25
#: Of worth, from -2 to 2, at the lowest level.
_WARMEST = 0.5
#: What the exact scores of all moves may cost, about two seconds; beyond are estimates.
_SOLVING = Limits(nodes=10_000_000)


def level_limits(level: int) -> Limits:
    """What the engine may look at: 40 positions at level 1, four times as many a level."""
    return Limits(nodes=10 * 4**level)


def sight(level: int) -> int:
    """How many plies ahead the opponent sees how a game of Connect Four ends."""
    return _FAR if level == LEVELS[-1] else 2 * level


def temperature(level: int) -> float:
    """How far the opponent strays from the best move; 0 is not at all."""
    return _WARMEST * (LEVELS[-1] - level) / (LEVELS[-1] - LEVELS[0])


def worth(score: Score, level: int) -> float:
    """What a move of that score seems worth at a level: from 1 to 2 for a win in sight."""
    if score.kind == "cp":
        return _NOTION * math.tanh(score.value / 100)
    if score.kind == "draw":
        return 0.0
    size = 2 - score.value / _FAR
    if score.value > sight(level):
        size *= _NOTION
    return size if score.kind == "win" else -size


def pick(lines: Sequence[Info], level: int, chance: random.Random) -> int:
    """Draw one of the moves of an analysis, given best first, as that level would play."""
    heat = temperature(level)
    if heat == 0:
        return lines[0].pv[0]
    worths = [worth(line.score, level) for line in lines]
    weights = [math.exp((each - max(worths)) / heat) for each in worths]
    return chance.choices([line.pv[0] for line in lines], weights)[0]


class LevelPlayer(EnginePlayer):
    """The engine at a level, which may be changed at any time."""

    def __init__(self, level: int, *, seed: int | None = None) -> None:
        """Play at that level, one of `LEVELS`; what is left to chance is drawn by the seed."""
        super().__init__(name=f"level {level}")
        self.level = level
        self._chance = random.Random(seed)

    async def choose(self, line: Line, limits: Limits) -> int:
        """A move of that level; the limits count in games that are not solved."""
        position = line.position
        if position.game.name != "connect4":
            return await super().choose(line, limits)
        width = len(position.moves())
        analysis = await self._engine.analyse(position, _SOLVING, multipv=width)
        if not analysis.lines:
            return await super().choose(line, limits)
        return pick(analysis.lines, self.level, self._chance)
