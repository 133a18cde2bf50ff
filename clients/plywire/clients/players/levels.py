"""How hard the engine plays at each level: one policy for servers, terminals and matches.

In most games a level is how many positions the engine may look at. Connect Four is solved, and a
solver never errs however little it looks at; so there the engine finds the exact score of every
move, and the level decides how much of that the opponent goes by:

- its *sight*: of a win or a loss further away than so many plies it has but a vague notion;
- its *temperature*: it draws among the moves, with weights of exp(worth / temperature), so a move
  that is a little worse is played now and then, and a bad one hardly ever.

The highest level sees everything and plays the best move. Whatever the level, the time that is
given may end the search sooner.
"""

import math
import random
from dataclasses import replace

from plywire.engine.analysis import Analysis, EngineScore
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.protocol.messages.play import MAX_LEVEL

LEVELS = range(1, MAX_LEVEL + 1)

#: More plies than any game has.
_FAR = 64
#: What is left of the worth of a win or loss out of sight.
_NOTION = 0.25
#: Of worth, from -2 to 2, at the lowest level.
_WARMEST = 0.5
#: What the exact scores of all moves may cost, about two seconds; beyond are estimates.
_SOLVING = 10_000_000


def is_solved(game: Game) -> bool:
    """Whether a level is how much of exact scores counts, rather than how many positions."""
    return game.name == "connect4"


def positions(level: int) -> int:
    """How many positions the engine may look at: 40 at level 1, four times as many a level."""
    return 10 << 2 * level


def search(level: int, position: Position, limits: SearchLimits) -> tuple[SearchLimits, int]:
    """What a search for a move of that level is given: limits, and how many lines it reports.

    Of the limits given, those of time count.
    """
    timed = SearchLimits(movetime=limits.movetime, clock=limits.clock)
    if is_solved(position.game):
        return replace(timed, nodes=_SOLVING), max(len(position.moves()), 1)
    return replace(timed, nodes=positions(level)), 1


def sight(level: int) -> int:
    """How many plies ahead the opponent sees how a game of Connect Four ends."""
    return _FAR if level == LEVELS[-1] else 2 * level


def temperature(level: int) -> float:
    """How far the opponent strays from the best move; 0 is not at all."""
    return _WARMEST * (LEVELS[-1] - level) / (LEVELS[-1] - LEVELS[0])


def worth(score: EngineScore, level: int) -> float:
    """What a move of that score seems worth at a level: from 1 to 2 for a win in sight."""
    if score.kind == "cp":
        return _NOTION * math.tanh(score.value / 100)
    if score.kind == "draw":
        return 0.0
    size = 2 - score.value / _FAR
    if score.value > sight(level):
        size *= _NOTION
    return size if score.kind == "win" else -size


def pick(level: int, found: Analysis, chance: random.Random) -> int | None:
    """The move that the level plays by what its search found, None if that is no move at all."""
    lines, heat = found.lines, temperature(level)
    if len(lines) < 2 or heat == 0:
        return found.best
    worths = [worth(line.score, level) for line in lines]
    weights = [math.exp((each - max(worths)) / heat) for each in worths]
    return chance.choices([line.pv[0] for line in lines], weights)[0]
