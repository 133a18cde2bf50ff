"""How hard an engine plays at each level, from 1 to `HIGHEST`.

A level says what to search, and which of the moves found to play. The highest level plays the best
move. Whatever the level, the time that is given may end the search sooner.
"""

import math
import random
from dataclasses import replace

from plywire.engine.analysis import Analysis, EngineScore
from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits

HIGHEST = 10


def positions(level: int) -> int:
    """How many positions a search may visit: 40 at level 1, four times as many at each next."""
    return 10 << 2 * level


class Levels:
    """The levels of any game: the higher, the more positions a search visits. None errs on purpose.

    Levels of a game that err as people do are a subclass. Their search scores all moves, and `pick`
    draws one with weights of exp(worth / temperature): a move that is a little worse is played now
    and then, and a bad one hardly ever.
    """

    def in_words(self, level: int) -> str:
        """What a level means."""
        return f"{positions(level):,} positions a move"

    def to_score_all(self, level: int) -> SearchLimits | None:
        """The limits of a search that scores all moves, None if the level plays the best."""
        return None

    def temperature(self, level: int) -> float:
        """How far the choice strays from the best move, in the unit of `worth`."""
        raise NotImplementedError

    def worth(self, score: EngineScore, level: int) -> float:
        """What a move with that score seems worth at a level."""
        raise NotImplementedError

    def search(
        self, level: int, position: Position, limits: SearchLimits
    ) -> tuple[SearchLimits, int]:
        """The limits of a search for a move of that level, and how many lines it reports.

        Of the limits given, those of time count.
        """
        of_all = self.to_score_all(level)
        timed = SearchLimits(movetime=limits.movetime, clock=limits.clock)
        if of_all is None:
            return replace(timed, nodes=positions(level)), 1
        count = max(len(position.moves()), 1)
        return replace(timed, nodes=of_all.nodes, depth=of_all.depth), count

    def pick(self, level: int, found: Analysis, chance: random.Random) -> int | None:
        """The move that the level plays by what its search found, None if that is no move."""
        lines = found.lines
        if len(lines) < 2 or level == HIGHEST:
            return found.best
        heat = self.temperature(level)
        worths = [self.worth(line.score, level) for line in lines]
        weights = [math.exp((each - max(worths)) / heat) for each in worths]
        return chance.choices([line.pv[0] for line in lines], weights)[0]
