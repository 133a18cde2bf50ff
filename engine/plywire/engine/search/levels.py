"""The playing strength at each level, from 1 to `HIGHEST`: the search, and the choice of a move.

At every level, the time limit may end the search sooner.
"""

import math
import random
from dataclasses import replace

from plywire.engine.analysis import Analysis, EngineScore
from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits

HIGHEST = 10


def positions(level: int) -> int:
    """Return how many positions a level searches: 40 * 4 ** (level - 1)."""
    return 10 << 2 * level


class Levels:
    """The default levels: higher levels search more positions, and all play the best move found.

    Subclasses make errors as people do: they score all moves, and `pick` draws one with weights of
    exp(worth / temperature).
    """

    def in_words(self, level: int) -> str:
        return f"{positions(level):,} positions a move"

    def to_score_all(self, level: int) -> SearchLimits | None:
        """Return the limits of a search that scores all moves, None to play the best move."""
        return None

    def temperature(self, level: int) -> float:
        """Return how far the choice strays from the best move, in the unit of `worth`."""
        raise NotImplementedError

    def worth(self, score: EngineScore, level: int) -> float:
        """Return the apparent worth, at a level, of a move with that score."""
        raise NotImplementedError

    def search(
        self, level: int, position: Position, limits: SearchLimits
    ) -> tuple[SearchLimits, int]:
        """Return the limits and the multipv of a search at that level, in the time of `limits`."""
        of_all = self.to_score_all(level)
        timed = SearchLimits(movetime=limits.movetime, clock=limits.clock)
        if of_all is None:
            return replace(timed, nodes=positions(level)), 1
        count = max(len(position.moves()), 1)
        return replace(timed, nodes=of_all.nodes, depth=of_all.depth), count

    def pick(self, level: int, found: Analysis, chance: random.Random) -> int | None:
        """Return the move that the level plays after its search, None if the search found none."""
        lines = found.lines
        if len(lines) < 2 or level == HIGHEST:
            return found.best
        heat = self.temperature(level)
        worths = [self.worth(line.score, level) for line in lines]
        weights = [math.exp((each - max(worths)) / heat) for each in worths]
        return chance.choices([line.pv[0] for line in lines], weights)[0]
